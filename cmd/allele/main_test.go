//go:build go1.25

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// module creates a scratch module from files in testdata.
func module(t *testing.T, files ...string) string {
	t.Helper()
	apart(t)
	return testkit.Module(t, contents(t, files...))
}

// contents returns the contents of files in testdata.
func contents(t *testing.T, files ...string) map[string]string {
	t.Helper()
	content := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join("testdata", f+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		content[f] = string(data)
	}
	return content
}

// apart gives the command a cache folder of its own, and keeps the go command offline. It
// requests the go command's caches before it changes the home folder.
func apart(t *testing.T) {
	t.Helper()
	build, mod := goEnv(t, "GOCACHE"), goEnv(t, "GOMODCACHE")
	for name, value := range map[string]string{
		"XDG_CACHE_HOME": t.TempDir(), "HOME": t.TempDir(), "GOCACHE": build, "GOMODCACHE": mod,
		"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off",
	} {
		t.Setenv(name, value)
	}
}

var goEnvs = map[string]string{}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	if goEnvs[name] == "" {
		out, _ := testkit.Go(t, ".", nil, "env", name)
		goEnvs[name] = strings.TrimSpace(out)
	}
	return goEnvs[name]
}

func allele(t *testing.T, args ...string) (out string, exit int) {
	t.Helper()
	if len(args) > 0 && args[0] == "test" && !slices.Contains(args, "-tests") {
		args = slices.Insert(slices.Clone(args), 1, "-tests", "1000") // no test depends on how fast the machine is
	}
	var b bytes.Buffer
	exit = execute(args, &b, &b)
	return b.String(), exit
}

func has(t *testing.T, out string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(out, w) {
			t.Errorf("no %q in\n%s", w, out)
		}
	}
}

func TestFindsAndPasses(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	before := snapshot(t, dir)
	out, exit := allele(t, "test", "-C", dir, "-run", "Passes|Fails", "./...")
	if exit != exitFailed {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "2 properties", "scratch.TestPasses", "  ok\n", "scratch.TestFails", "FAILED", "property failed: lost", "counterexample", "func TestFails_")
	delete(before, "testdata") // the finding
	after := snapshot(t, dir)
	for name := range after {
		if strings.HasPrefix(name, "testdata") {
			delete(after, name)
		}
	}
	for name, content := range before {
		if after[name] != content {
			t.Errorf("%s was changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A run that never ends is stopped after the same number of steps every time, also in code
// that recovers, and the report names its loop.
func TestStepLimit(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	const steps, stack = "5,000,000 steps\n", "32 MB of stack"
	for _, c := range []struct{ property, after, where string }{
		{"TestLoopsForever", steps, "hottest: loop in Forever, list.go:"},
		{"TestRecursesForever", stack, "in odd, list.go:"},
		{"TestPingPong", stack, "list.go:"},
		{"TestRecoversForever", steps, "in Stubborn"},
		{"TestLoopsInGoroutine", steps, "loop in Forever, list.go:"},
		{"TestWaitsForGoroutine", steps, "loop in Forever, list.go:"},
	} {
		out, exit := allele(t, "test", "-C", dir, "-run", c.property, "-run-timeout", "1s", ".")
		if exit != exitFailed {
			t.Errorf("%s: exit %d\n%s", c.property, exit, out)
			continue
		}
		has(t, out, "stopped after ", c.after, "counterexample", c.where, "replay   go tool allele test ")
	}
}

// Goroutines that allocate are interrupted at any point, so buffer positions in local
// variables become stale, and the raw path of the same run differs from time to time. The
// log does not depend on that: all runs reach the same sites.
func TestGoroutines(t *testing.T) {
	apart(t)
	dir := testkit.ModuleInside(t, contents(t, "routines.go", "routines_test.go"))
	raw := filepath.Join(t.TempDir(), "raw")
	t.Setenv("RAW", raw)
	out, exit := allele(t, "test", "-C", dir, "-tests", "300", ".")
	if exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "300     ", "   1  ok\n    300 runs started goroutines")
	data, err := os.ReadFile(raw)
	t.Logf("%s different raw paths", data)
	if n, _ := strconv.Atoi(string(data)); err != nil || n < 2 {
		t.Errorf("%s different raw paths: the test does not make positions stale (%v)", data, err)
	}
}

func TestCoverProfile(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	file := filepath.Join(t.TempDir(), "c.out")
	if out, exit := allele(t, "test", "-C", dir, "-run", "Passes", "-coverprofile", file, "."); exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	out, exit := testkit.Go(t, dir, nil, "tool", "cover", "-func", file)
	if exit != 0 {
		t.Fatal(out)
	}
	has(t, out, "scratch/list.go:", "Reverse", "100.0%")
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{nil, exitUsage, "usage: allele test"},
		{[]string{"help"}, exitOK, "usage: allele test"},
		{[]string{"tset"}, exitUsage, `unknown command "tset"`},
		{[]string{"test", "-run", "("}, exitUsage, "-run: "},
		{[]string{"test", "-nonsense"}, exitUsage, "-nonsense"},
		{[]string{"test", "-tests", "abc"}, exitUsage, `-tests: want a number, not "abc"`},
		{[]string{"test", "-seed", "zz"}, exitUsage, "-seed: want a number"},
		{[]string{"test", "-for", "-3s"}, exitUsage, "-for: want a time"},
		{[]string{"test", "-tests", "0"}, exitUsage, "want a number above 0"},
		{[]string{"test", "-tests", "10", "-for", "3s"}, exitUsage, "-tests: -for gives a time instead of a number of runs; use only one of the two flags"},
		{[]string{"run", "-format", "json", "-tests", "10", "-for", "3s", "--", "cat"}, exitUsage, "-tests: -for gives a time"},
		{[]string{"test", "-log", "/dev/null"}, exitUsage, "/dev/null is not a file"},
		{[]string{"test", "-strategy", "best"}, exitUsage, "use one of guided, random"},
		{[]string{"test", "-steps", "-1"}, exitUsage, "-steps: want a number of steps, or 0 for no limit, not -1"},
		{[]string{"test", "-operands", "on"}, exitUsage, "-operands: want auto or off"},
		{[]string{"test", "-guide", "best"}, exitUsage, `-guide: want paths or faults, not "best"`},
		{[]string{"test", "-guide=faults", "-strategy", "random"}, exitUsage, "-guide=faults: -strategy random is not guided"},
		{[]string{"test", "-of", "x/..."}, exitUsage, "-of: only -guide=faults uses faults"},
		{[]string{"corpus", "min", "-by", "size"}, exitUsage, `-by: want paths or faults, not "size"`},
		{[]string{"corpus", "min", "-save"}, exitUsage, "-save: only with -by faults"},
		{[]string{"corpus", "min", "-of", "x"}, exitUsage, "-of: only -by faults uses faults"},
	} {
		out, exit := allele(t, c.args...)
		if exit != c.exit || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, exit, out)
		}
	}
}

// The commands take packages. For a file they name its package.
func TestFileIsNoPackage(t *testing.T) {
	dir := module(t, "expr.go", "expr_test.go")
	for _, c := range []struct{ command, file, want string }{
		{"test", "expr_test.go", "expr_test.go is a file; name its package instead: ."},
		{"test", "./expr.go", "./expr.go is a file; name its package instead: ."},
		{"facts", "expr.go", "expr.go is a file; name its package instead: ."},
		{"score", filepath.Join(dir, "expr_test.go"), "expr_test.go is a file; name its package instead: " + dir},
		{"test", "none_test.go", "none_test.go"}, // what the go command says
	} {
		out, exit := allele(t, c.command, "-C", dir, c.file)
		if exit != exitUsage || !strings.Contains(out, c.want) || strings.Contains(out, "command-line-arguments") {
			t.Errorf("%s %s: exit %d, %s", c.command, c.file, exit, out)
		}
	}
}

// allele test finds the variants of a sealed interface and the constants of an enumeration
// in the source, also those that the test could not name.
func TestFactsNeedNoDeclaration(t *testing.T) {
	dir := module(t, "expr.go", "expr_test.go")
	counts := filepath.Join(t.TempDir(), "counts")
	t.Setenv("COUNTS", counts)
	out, exit := allele(t, "test", "-C", dir, ".")
	if exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "scratch.TestDerived", "ok")
	if got, err := os.ReadFile(counts); err != nil || string(got) != "true true true true" {
		t.Errorf("%s %v", got, err)
	}
}

// -x prints every go command. The second build type-checks and rewrites nothing, and its
// other commands and its result are the same.
func TestBuildsOnce(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	profile := func() (commands, profile string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "c.out")
		out, exit := allele(t, "test", "-x", "-C", dir, "-run", "Passes", "-coverprofile", file, ".")
		if exit != exitOK {
			t.Fatalf("exit %d\n%s", exit, out)
		}
		has(t, out, "go list -e -deps -test ", "1 package", "1 property", "ok\n")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return out, string(data)
	}
	first, want := profile()
	has(t, first, "go list -e -export ", "go test -c -vet=off -overlay ")
	profile() // a binary is kept if its source was not written just before the build
	second, got := profile()
	if strings.Contains(second, "-export") || strings.Contains(second, "go test -c") || got != want {
		t.Errorf("%s\n%s\nwant\n%s", second, got, want)
	}
}
