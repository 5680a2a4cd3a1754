//go:build go1.25

package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a testing.TB that may fail without failing the real test.
type recorder struct {
	testing.TB
	log strings.Builder
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	fmt.Fprintf(&r.log, format+"\n", args...)
}

func TestGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "x.golden")
	compare := func(got string) string {
		r := &recorder{TB: t}
		Golden(r, file, []byte(got))
		return r.log.String()
	}
	if log := compare("a\n"); !strings.Contains(log, "-update to write it") {
		t.Errorf("the error for a missing file does not mention -update: %q", log)
	}
	old := *update
	*update = true
	log := compare("a\n")
	*update = old
	if log != "" {
		t.Errorf("-update reported an error: %s", log)
	}
	if log := compare("a\n"); log != "" {
		t.Errorf("the file just written must match: %s", log)
	}
	if log := compare("b\n"); !strings.Contains(log, "- a\n+ b\n") {
		t.Errorf("the difference is not shown: %q", log)
	}
}

func TestDiff(t *testing.T) {
	long := strings.Repeat("same\n", 10)
	for _, c := range []struct{ name, want, got, diff string }{
		{"equal texts have no diff", "a\nb\n", "a\nb\n", ""},
		{"a changed line is removed, then added", "a\nb\nc\n", "a\nx\nc\n", "@ 1\n  a\n- b\n+ x\n  c\n"},
		{"an added line", "a\n", "a\nb\n", "@ 1\n  a\n+ b\n"},
		{"from nothing", "", "a\n", "@ 1\n+ a\n"},
		{"to nothing", "a\n", "", "@ 1\n- a\n"},
		{"a lost newline is visible", "a\n", "a", "@ 1\n- a\n+ a (no newline at end)\n"},
		{"a moved line is removed and added", "a\nb\nc\n", "b\nc\na\n", "@ 1\n- a\n  b\n  c\n+ a\n"},
		{"lines far from a change are left out", long + "x\n" + long, long + "y\n" + long,
			"@ 9\n  same\n  same\n- x\n+ y\n  same\n  same\n"},
		{"two distant changes have two headings", "x\n" + long + "x\n", "y\n" + long + "y\n",
			"@ 1\n- x\n+ y\n  same\n  same\n@ 10\n  same\n  same\n- x\n+ y\n"},
	} {
		if diff := Diff(c.want, c.got); diff != c.diff {
			t.Errorf("%s:\n%s\nwanted:\n%s", c.name, diff, c.diff)
		}
	}
}

// A text above the bound is shown as replaced as a whole, without using much memory.
func TestDiffIsBounded(t *testing.T) {
	var want, got strings.Builder
	for i := range 3000 {
		fmt.Fprintln(&want, "w", i)
		fmt.Fprintln(&got, "g", i)
	}
	diff := Diff(want.String(), got.String())
	if n := strings.Count(diff, "\n"); n != 1+2*3000 {
		t.Errorf("%d lines of diff, wanted every line once and a heading", n)
	}
}

func TestRootIsTheMainModule(t *testing.T) {
	if _, err := os.Stat(filepath.Join(Root(t), "internal", "testkit", "testkit.go")); err != nil {
		t.Error(err)
	}
	nested := t.TempDir()
	write(t, nested, "go.mod", "module "+modulePath+"/eval\n")
	if isRoot(nested) {
		t.Error("a nested module was taken for the root")
	}
}

func TestModuleRunsGo(t *testing.T) {
	dir := Module(t, map[string]string{
		"main.go":    "package main\n\nimport \"scratch/say\"\n\nfunc main() { println(say.Word) }\n",
		"say/say.go": "package say\n\nimport \"os\"\n\nvar Word = \"hello \" + os.Getenv(\"WHO\")\n",
	})
	if strings.HasPrefix(dir, Root(t)) {
		t.Errorf("the module is inside the repository: %s", dir)
	}
	out, exit := Go(t, dir, []string{"WHO=you"}, "run", ".")
	if out != "hello you\n" || exit != 0 {
		t.Errorf("printed %q, exit %d", out, exit)
	}
	out, _ = Go(t, dir, nil, "list", "-m", "-f", "{{.Path}} {{.Replace.Path}}", modulePath)
	if want := modulePath + " " + Root(t) + "\n"; out != want {
		t.Errorf("the library is taken from %q, wanted %q", out, want)
	}
}

func TestGoReportsFailure(t *testing.T) {
	dir := Module(t, map[string]string{
		"go.mod":    "module mine\n\ngo 1.25\n",
		"a_test.go": "package mine\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Error(\"no\") }\n",
	})
	out, exit := Go(t, dir, nil, "test", "./...")
	if exit != 1 || !strings.Contains(out, "a_test.go:5: no") {
		t.Errorf("exit %d, printed %s", exit, out)
	}
}
