//go:build go1.25

package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// paths builds testdata/paths with a configuration and returns what its test
// prints.
func paths(t *testing.T, c Config) []string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{"paths.go", "paths_test.go"} {
		src, err := os.ReadFile(filepath.Join("testdata", "paths", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(src)
	}
	out := output(t, c, files)
	var lines []string
	for line := range strings.Lines(out) {
		want := fmt.Sprintf("[131072]uint32 &131071) [4194304]uint32 16777216 33554432 67108864 [%d]uint32 %d\n", coverMax, FirstBlock)
		if sizes, ok := strings.CutPrefix(line, "SIZES "); ok && sizes != want {
			t.Errorf("package hook has other sizes than the text of the probes: %s", sizes)
		}
		if strings.HasPrefix(line, "PATH") {
			lines = append(lines, line)
		}
	}
	return lines
}

// rewritten rewrites a scratch module, whose path is testkit.Inside.
func rewritten(t *testing.T, c Config, files map[string]string) *Overlay {
	t.Helper()
	c.Load.Dir, c.Load.Patterns = testkit.ModuleInside(t, files), []string{"./..."}
	c.Load.Env = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}
	c.Work = t.TempDir()
	prog, err := load.Packages(c.Load)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Rewrite(prog, c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// output builds a scratch module with a configuration and returns what its tests
// print.
func output(t *testing.T, c Config, files map[string]string) string {
	t.Helper()
	o := rewritten(t, c, files)
	bin := filepath.Join(o.config.Work, "scratch.test")
	if err := o.Test(testkit.Inside, bin); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// Probes that keep the position in a local variable record the same paths as
// probes that are calls, and the position is right whenever it is used.
func TestSamePaths(t *testing.T) {
	inline := paths(t, Config{Debug: true})
	calls := paths(t, Config{Calls: true})
	if len(inline) != 40 || len(calls) != 40 {
		t.Fatalf("%d and %d runs", len(inline), len(calls))
	}
	distinct := map[string]bool{}
	for i := range inline {
		if inline[i] != calls[i] {
			t.Errorf("run %d\nlocal %s\ncalls %s", i, inline[i], calls[i])
		}
		_, path, _ := strings.Cut(inline[i], "[")
		distinct[path] = true
	}
	if len(distinct) < 30 {
		t.Errorf("40 different runs gave %d paths", len(distinct))
	}
}

// Under the race detector probes are calls of a function that it does not
// instrument.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with -race")
	}
	lines := paths(t, Config{Calls: true, Load: load.Config{Flags: []string{"-race"}}})
	if len(lines) != 40 {
		t.Errorf("%d runs", len(lines))
	}
}

// Building again writes nothing, and a package keeps its numbers when another
// package grows.
func TestStableNumbers(t *testing.T) {
	files := map[string]string{
		"a/a.go":      "package a\n\nfunc A(n int) int {\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n",
		"b/b.go":      "package b\n\nfunc B(n int) int {\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"scratch/a\"\n\t\"testing\"\n)\n\nfunc TestB(t *testing.T) { a.A(B(1)) }\n",
	}
	dir, work := testkit.Module(t, files), t.TempDir()
	rewrite := func() (numbers map[string]uint32, stamp string) {
		c := Config{Work: work, Load: load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}}
		prog, err := load.Packages(c.Load)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Rewrite(prog, c)
		if err != nil {
			t.Fatal(err)
		}
		numbers = map[string]uint32{}
		for _, s := range o.Sites {
			numbers[filepath.Base(s.File)+s.Kind.String()+s.Func] = s.ID
		}
		filepath.Walk(work, func(_ string, i os.FileInfo, _ error) error {
			stamp += i.ModTime().String()
			return nil
		})
		return numbers, stamp
	}
	first, stamp := rewrite()
	if again, stamp2 := rewrite(); stamp != stamp2 || len(again) != len(first) {
		t.Error("building again changed files")
	}
	os.WriteFile(filepath.Join(dir, "a", "more.go"), []byte("package a\n\nfunc More(n int) int {\n\tfor i := range n {\n\t\tif i > 3 {\n\t\t\treturn i\n\t\t}\n\t}\n\treturn 0\n}\n"), 0o666)
	after, _ := rewrite()
	for k, id := range first {
		if strings.HasPrefix(k, "b") && after[k] != id {
			t.Errorf("%s was %d and is %d", k, id, after[k])
		}
	}
	if len(after) <= len(first) {
		t.Error("the new function has no sites")
	}
}
