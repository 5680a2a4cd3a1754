package modules

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A test differs if its verdict differs, and then neither its parent nor the package is
// named too.
func TestDiffering(t *testing.T) {
	plain := verdicts{"": "exit status 0", "TestA": "pass", "TestA/x": "pass", "TestB": "pass", "TestC": "skip"}
	probed := verdicts{"": "exit status 1", "TestA": "fail", "TestA/x": "fail", "TestB": "pass"}
	if got, want := differing(plain, probed), []string{"TestA/x", "TestC"}; !slices.Equal(got, want) {
		t.Errorf("differing: %q, want %q", got, want)
	}
	if got := differing(plain, plain); len(got) != 0 {
		t.Errorf("equal verdicts differ: %q", got)
	}
	if got, want := differing(verdicts{"": "exit status 0"}, verdicts{"": "signal: aborted"}), []string{""}; !slices.Equal(got, want) {
		t.Errorf("differing: %q, want the package", got)
	}
}

func TestPattern(t *testing.T) {
	if got, want := pattern("TestA/x+y/#00"), `^TestA$/^x\+y$/^#00$`; got != want {
		t.Errorf("pattern: %s, want %s", got, want)
	}
}

// The list has the modules that the experiment must contain, and each of them once.
func TestList(t *testing.T) {
	seen, kinds, modes, quick := map[string]bool{}, map[string]int{}, 0, 0
	for _, s := range subjects {
		if seen[s.Path] {
			t.Errorf("%s is listed twice", s.Path)
		}
		seen[s.Path] = true
		kinds[s.why]++
		if s.modes {
			modes++
		}
		if s.quick {
			quick++
		}
	}
	if len(subjects) < 40 || kinds[generated] < 3 || kinds[cgo] < 3 || modes < 12 || quick != 3 {
		t.Errorf("%d modules, of which %v; %d in all modes, %d quick", len(subjects), kinds, modes, quick)
	}
}

// suiteOf builds the tests of a module with one file.
func suiteOf(t *testing.T, text string) suite {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module m\n\ngo 1.21\n", "m_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := suite{pkg: "m", dir: dir, binary: filepath.Join(dir, "m.test"), output: filepath.Join(dir, "output")}
	cmd := exec.Command("go", "test", "-c", "-o", s.binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return s
}

// The verdicts of a real test binary are read, including those of a process that dies.
func TestVerdicts(t *testing.T) {
	s := suiteOf(t, `package m

import (
	"fmt"
	"testing"
)

func TestA(t *testing.T) {
	t.Run("x", func(t *testing.T) { fmt.Print("no newline") })
	t.Run(fmt.Sprintf("%p", t), func(t *testing.T) {})
	t.Run("y", func(t *testing.T) { t.Skip() })
}

func TestB(t *testing.T) { t.Fail() }

func TestC(t *testing.T) { panic("death") }
`)
	v, spent, err := s.run("")
	if err != nil || spent <= 0 {
		t.Fatal(v, spent, err)
	}
	want := verdicts{"": "exit status 2", "TestA": "pass", "TestA/x": "pass", "TestA/y": "skip", "TestA/0xADDRESS": "pass", "TestB": "fail", "TestC": "began"}
	if d := differing(want, v); len(d) > 0 {
		t.Errorf("verdicts %v, want %v", v, want)
	}
	if v, _, err = s.run("TestA/x"); err != nil || len(v) != 3 || v["TestA/x"] != "pass" {
		t.Errorf("alone: %v, %v", v, err)
	}
}

// A difference is ours if the plain test does not vary, and counts for the other lists
// otherwise.
func TestDifferences(t *testing.T) {
	text := `package m

import (
	"os"
	"testing"
)

func TestSame(t *testing.T) {}

func TestOther(t *testing.T) { OTHER }

func TestVaries(t *testing.T) {
	if os.Remove("mark") != nil {
		os.WriteFile("mark", nil, 0o666)
		t.Fail()
	}
}
`
	plain, probed := suiteOf(t, strings.Replace(text, "OTHER", "", 1)), suiteOf(t, strings.Replace(text, "OTHER", "t.Fail()", 1))
	var seen [2]verdicts
	for i, s := range []suite{plain, probed} {
		v, _, err := s.run("")
		if err != nil {
			t.Fatal(err)
		}
		seen[i] = v
	}
	seen[1]["TestVaries"], seen[1]["TestSame"] = "pass", "fail"
	var o outcome
	w := &workshop{}
	if err := w.differences(plain, [2]suite{plain, probed}, seen, &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Ours) != 1 || !strings.Contains(o.Ours[0], "TestOther") || len(o.Varying) != 1 || !strings.Contains(o.Varying[0], "TestVaries") ||
		len(o.Gone) != 1 || !strings.Contains(o.Gone[0], "TestSame") {
		t.Errorf("ours %q, varying %q, gone %q", o.Ours, o.Varying, o.Gone)
	}
}
