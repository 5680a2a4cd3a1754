//go:build go1.25

package load_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

const (
	// p and q call each other. Whether that cycle is found depends on the types
	// that each package sees of the other.
	pSource = `package p

type T struct{ n int }

func (t *T) Up(f func(*T)) {
	if f != nil {
		f(t)
	}
}

type Set[K comparable] struct{ m map[K]bool }

func (s *Set[E]) Has(k E) bool { return s.m[k] }

type Sum interface{ sum() }

func (T) sum() {}

func New(n int) *T { return &T{n} }
`
	qSource = `package q

import "scratch/p"

func Wrap(n int) *p.T {
	t := p.New(n)
	if n > 0 {
		t.Up(func(t *p.T) { t.Up(nil) })
	}
	return t
}

func In(s *p.Set[int], n int) bool {
	for range n {
		if s.Has(n) {
			return true
		}
	}
	return false
}
`
	pInside  = "package p\n\nimport \"testing\"\n\nvar Hidden = func(t *T) int { return t.n }\n\nfunc TestIn(t *testing.T) {\n\tif New(1).n != 1 {\n\t\tt.Fail()\n\t}\n}\n"
	pOutside = `package p_test

import (
	"testing"

	"github.com/allele-go/allele"
	"scratch/p"
	"scratch/q"
)

func use(t *p.T) int { return p.Hidden(t) }

func TestOut(t *testing.T) {
	allele.Check(t, func(t *allele.T, n int) {
		if use(q.Wrap(n)) != n || q.In(&p.Set[int]{}, 3) {
			t.Error(n)
		}
	})
}
`
	cSource = `package c

// typedef struct { int a; } S;
// enum { ONE = 1 };
// static int half(int n) { return n / 2; }
import "C"

import "scratch/p"

type Handle C.S

func (h *Handle) A() C.int {
	if h.a > 3 {
		return C.half(h.a)
	}
	return C.ONE
}

func Open(t *p.T) (*Handle, *p.T) { return &Handle{}, t }
`
	cUser = `package d

import (
	"scratch/c"
	"scratch/p"
)

func D(n int) *p.T {
	h, t := c.Open(p.New(n))
	if h.A() > 3 && n > 0 {
		t.Up(nil)
	}
	return t
}
`
)

func goMod(t *testing.T, path string, more ...string) string {
	return "module " + path + "\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\n\nreplace github.com/allele-go/allele => " + testkit.Root(t) + "\n" + strings.Join(more, "\n")
}

// twinRows are modules in which packages use each other in every way that the go
// command allows.
func twinRows(t *testing.T) []twinRow {
	back := map[string]string{"p/p.go": pSource, "q/q.go": qSource, "p/p_test.go": pInside, "p/x_test.go": pOutside}
	with := func(files map[string]string) map[string]string {
		all := maps.Clone(back)
		maps.Copy(all, files)
		return all
	}
	other := map[string]string{"go.mod": "module example.com/other\n\ngo 1.25\n", "other.go": "package other\n\nimport \"scratch/p\"\n\nfunc Make(n int) *p.T { return p.New(n) }\n"}
	below := func(dir string) map[string]string {
		files := map[string]string{}
		for name, text := range other {
			files[dir+"/"+name] = text
		}
		return files
	}
	circle := with(below("other"))
	circle["go.mod"] = goMod(t, "scratch", "require example.com/other v1.0.0", "replace example.com/other => ./other")
	circle["r/r.go"] = "package r\n\nimport (\n\t\"example.com/other\"\n\t\"scratch/q\"\n)\n\nfunc R() bool {\n\tt := q.Wrap(1)\n\tif t == nil {\n\t\tt = other.Make(2)\n\t}\n\treturn t != other.Make(3)\n}\n"
	vendor := with(map[string]string{
		"go.mod":                            goMod(t, "scratch", "require example.com/other v1.0.0"),
		"r/r.go":                            "package r\n\nimport \"example.com/other\"\n\nfunc R(n int) int {\n\tif n > 3 {\n\t\treturn other.Make(n)\n\t}\n\treturn 0\n}\n",
		"vendor/example.com/other/other.go": "package other\n\nfunc Make(n int) int { return n }\n",
		"vendor/modules.txt":                "# example.com/other v1.0.0\n## explicit; go 1.25\nexample.com/other\n# github.com/allele-go/allele v0.0.0 => " + testkit.Root(t) + "\n## explicit\ngithub.com/allele-go/allele\n# github.com/allele-go/allele => " + testkit.Root(t) + "\n",
	})
	delete(vendor, "p/x_test.go") // the library is not vendored
	return []twinRow{
		{name: "import back", files: back},
		{name: "one package of them", files: back, config: load.Config{Patterns: []string{"./p"}}},
		{name: "tests that import each other", files: with(map[string]string{
			"r/r.go": "package r\n\nfunc R(f func() int) int { return f() }\n", "r/r_test.go": "package r\n\nimport (\n\t\"scratch/q\"\n\t\"testing\"\n)\n\nfunc TestR(t *testing.T) { q.Wrap(1) }\n",
			"q/q_test.go": "package q\n\nimport (\n\t\"scratch/r\"\n\t\"testing\"\n)\n\nfunc TestQ(t *testing.T) { r.R(func() int { return 1 }) }\n"})},
		{name: "a module outside the scope that imports one inside", files: circle},
		{name: "C", files: with(map[string]string{"c/c.go": cSource, "c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {\n\tif new(Handle).A() != 1 {\n\t\tt.Fail()\n\t}\n}\n", "d/d.go": cUser})},
		{name: "vendored", files: vendor, env: []string{"GOFLAGS=-mod=vendor"}},
		{name: "vendored, and in scope", files: vendor, env: []string{"GOFLAGS=-mod=vendor"}, config: load.Config{Scope: []string{"example.com/..."}}},
		{name: "a workspace", files: map[string]string{
			"go.work": "go 1.25\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": goMod(t, "example.com/a"), "b/go.mod": goMod(t, "scratch"),
			"b/p/p.go": pSource, "b/q/q.go": qSource, "b/p/p_test.go": pInside, "b/p/x_test.go": pOutside,
			"a/a.go": "package a\n\nimport \"scratch/q\"\n\nfunc A() bool {\n\tif q.Wrap(1) != nil {\n\t\treturn true\n\t}\n\treturn false\n}\n",
		}, env: []string{"GOFLAGS=", "GOWORK=auto"}, config: load.Config{Patterns: []string{"./a/...", "./b/..."}}},
		{name: "the standard library", files: back, config: load.Config{Scope: []string{"strings", "unicode/utf8", "errors"}}},
		{name: "a vendored package of the standard library", files: with(map[string]string{"r/r.go": "package r\n\nimport _ \"net/http\"\n"}), config: load.Config{Scope: []string{"vendor/golang.org/x/net/http/httpguts", "net/..."}}},
		{name: "race", files: back, config: load.Config{Flags: []string{"-race"}}},
	}
}

type twinRow struct {
	name   string
	files  map[string]string
	config load.Config
	env    []string
}

// Packages that are checked from source, all together, are rewritten to the same
// bytes as packages that are checked one by one against the compiler's export
// data.
func TestTwin(t *testing.T) {
	for _, row := range twinRows(t) {
		t.Run(row.name, func(t *testing.T) {
			c := row.config
			c.Dir, c.Env = testkit.Module(t, row.files), append([]string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}, row.env...)
			if row.files["go.work"] != "" {
				os.Remove(filepath.Join(c.Dir, "go.mod"))
			}
			if c.Patterns == nil {
				c.Patterns = []string{"./..."}
			}
			compareTwins(t, c)
		})
	}
}

// The same for the packages of this repository.
func TestTwinExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes what TestTwin makes, and takes minutes under the race detector")
	}
	compareTwins(t, load.Config{Dir: testkit.Root(t), Patterns: []string{"./..."}})
}

func compareTwins(t *testing.T, c load.Config) {
	t.Helper()
	fast, slow := rewritten(t, c, load.Packages), rewritten(t, c, load.Compiled)
	if len(fast) < 3 {
		t.Errorf("only %d files", len(fast))
	}
	for _, name := range slices.Sorted(maps.Keys(slow)) {
		if fast[name] != slow[name] {
			t.Errorf("%s from source:\n%s\nfrom export data:\n%s", name, fast[name], slow[name])
		}
	}
	if len(fast) != len(slow) {
		t.Errorf("%d files from source, %d from export data", len(fast), len(slow))
	}
}

// rewritten returns the content of the work folder, and the other results of a
// build.
func rewritten(t *testing.T, c load.Config, loaded func(load.Config) (*load.Program, error)) map[string]string {
	t.Helper()
	prog, err := loaded(c)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	o, err := build.Rewrite(prog, build.Config{Work: work, Load: c})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"sites": fmt.Sprint(o.Sites), "tests": "", "dirs": fmt.Sprint(o.Dirs())}
	for _, path := range prog.Tests {
		names, maybe := facts.NewCalls(prog).Tests(path)
		all["tests"] += fmt.Sprintln(path, names, maybe)
	}
	err = filepath.WalkDir(work, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(work, file)
		all[name] = strings.ReplaceAll(string(data), work, "WORK")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
