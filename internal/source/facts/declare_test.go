//go:build go1.25

package facts

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// stub is the part of the library that declarations need to type-check.
const stub = `package allele

type Option interface{ apply() }
type T struct{}
type Partial struct{ Small []int }

func Check[In any](t any, prop func(t *T, in In), opts ...Option) {}
func Declare(opts ...Option)                                         {}
func Variants[I any](vs ...I) Option                                 { return nil }
func Likely[V any](vs ...V) Option                                   { return nil }
func Builder(f any, rules ...Partial) Option                         { return nil }
func Field[S any](name string, o Option) Option                      { return nil }
func Pattern[V any](name string, shape V, fixed ...string) Option    { return nil }
func Weight[V any](name string, w float64) Option                    { return nil }
`

// In this package, the tests declare the types of their inputs.
const (
	modelSource = `package model

type Queue struct{ xs []int }

func (q *Queue) Push(x int) { q.xs = append(q.xs, x) }

type Clock interface{ Now() int } // has a double in tests
type Fixed int

func (f Fixed) Now() int { return int(f) }

type Step interface{ Do(q *Queue, more ...Level) } // only external tests implement it
type Level int                                     // only external tests have constants
type Mode int                                      // tests add a constant

const (
	Slow Mode = iota
	Fast
)

type Store interface{ Get(string) string; Put(k, v string) } // only tests implement it

func Run(s Store, n int) *Queue { return nil }

type Result struct{ Code, Size int }
`
	modelTest = `package model

import (
	"testing"

	"github.com/allele-go/allele"
)

type Op interface{ op() }
type Push struct{ X int; At Kind }
type pop struct{}
type Kind string

const (
	Front Kind = "front"
	back  Kind = "back"
)

func (Push) op() {}
func (*pop) op() {}

const testMode Mode = 99

type double struct{}

func (double) Now() int { return 0 }

type memory struct{ All map[string]string }

func (m memory) Get(k string) string { return m.All[k] }
func (m memory) Put(k, v string)     { m.All[k] = v }

type part struct{ Store } // lacks a method

func (part) Get(string) string { return "" }

type Script struct{ ops []Op }

func NewScript(ops ...Op) *Script   { return &Script{ops} }
func (s *Script) Add(op Op)         { s.ops = append(s.ops, op) }
func NewQueue(xs []int) *Queue      { return &Queue{xs} } // may make any value of a type of the package

func valid(p Push) bool { return p.At == back && p.X == 77 }

// What examples expect is no fact.
func expected(r Result) bool { return r.Code == 200 && r.Size == 7 }

func TestX(t *testing.T) { allele.Check(t, func(t *allele.T, in []Op) {}) }
`
	modelOutside = `package model_test

import (
	"testing"

	"github.com/allele-go/allele"
	"scratch/model"
)

type push struct{ X int }

func (p push) Do(q *model.Queue, more ...model.Level) { q.Push(p.X) }

type wrong struct{}

func (wrong) Do(q *model.Queue, more []model.Level) {}

type now struct{}

func (now) Now() int { return 0 }

const (
	low  model.Level = 1
	high model.Level = 2
)

type shape interface{ Area() int }
type square int

func (s square) Area() int { return int(s * s) }

type seen interface{ Now() int } // implemented by a type of the package too

func TestY(t *testing.T) { allele.Check(t, func(t *allele.T, in []shape) {}) }
`
)

var declaredFiles = map[string]string{
	"go.mod":       "module scratch\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\n\nreplace github.com/allele-go/allele => ./stub\n",
	"stub/go.mod":  "module github.com/allele-go/allele\n\ngo 1.25\n",
	"stub/stub.go": stub,
	"calc/calc.go": `package calc

import "scratch/lang"

type Expr interface{ expr() }
type Num int
type neg struct{ X Expr }
type Bin struct { Op lang.Op; L, R Expr }

func (Num) expr()  {}
func (neg) expr()  {}
func (*Bin) expr() {}

func simplify(e Expr) Expr {
	if b, ok := e.(*Bin); ok && b.Op == lang.Add {
		if l, ok := b.L.(Num); ok && l == 0 {
			return b.R
		}
	}
	if n, ok := e.(neg); ok {
		if m, ok := n.X.(neg); ok {
			return m.X
		}
	}
	return e
}

type Set struct{ has map[string]bool }

func New() *Set                { return &Set{map[string]bool{}} }
func (s *Set) Add(x string)    { s.has[x] = true }
func Point(x int) Bin          { return Bin{} }
`,
	"calc/tagged.go":    "//go:build !never\n\npackage calc\n\ntype Fast int\n\nfunc (Fast) expr() {}\n\nfunc Tagged() *Set { return nil }\n",
	"calc/newer.go":     "//go:build go1.21 && (go1.25 || never)\n\npackage calc\n\ntype Wide int\n\nfunc (Wide) expr() {}\n",
	"calc/newest.go":    "//go:build !go1.99 && go1.21\n\npackage calc\n\ntype Newest int\n\nfunc (Newest) expr() {}\n",
	"calc/calc_test.go": "package calc\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestX(t *testing.T) { allele.Check(t, func(t *allele.T, in Expr) {}) }\n",
	"lang/lang.go": `package lang

type Op string

const (
	Add  Op = "+"
	Sub  Op = "-"
	none Op = ""
)
`,
	"outer/outer.go":            "package outer\n\nimport \"scratch/calc\"\n\ntype allele int\n\nfunc F(e calc.Expr) bool { b, ok := e.(*calc.Bin); return ok && b.L == nil }\n",
	"outer/outer_test.go":       "package outer_test\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n\t\"scratch/calc\"\n\t\"scratch/outer\"\n)\n\nfunc TestX(t *testing.T) { allele.Check(t, func(t *allele.T, in calc.Expr) { outer.F(in) }) }\n",
	"none/none.go":              "package none\n",
	"model/model.go":            modelSource,
	"model/model_test.go":       modelTest,
	"model/model_linux_test.go": "package model\n\ntype Tagged struct{}\n\nfunc (Tagged) op() {}\n",
	"model/outside_test.go":     modelOutside,
	"none/none_test.go":         "package none\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestX(t *testing.T) { allele.Check(t, func(t *allele.T, in int) {}) }\n",
}

// The file of a package declares what its tests can reach, with its own names
// unqualified. Written a second time it is the same. External tests with properties have a
// file too, which declares the rest.
func TestDeclarations(t *testing.T) {
	dir := testkit.Module(t, declaredFiles)
	for round := range 2 {
		prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
		if err != nil {
			t.Fatal(err)
		}
		x := NewIndex(prog)
		for _, name := range []string{"calc", "outer", "model"} {
			files, err := x.Declarations("scratch/" + name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				kind := "declared_"
				if f.Name == ExternalFile {
					kind = "declared_x_"
				}
				testkit.Golden(t, filepath.Join("testdata", kind+name+".golden"), f.Text)
				if round == 0 { // the next round type-checks the file
					if err := os.WriteFile(filepath.Join(dir, name, f.Name), f.Text, 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if _, err := x.Declarations("scratch/none"); !errors.Is(err, ErrNothing) {
			t.Error(err)
		}
	}
}

func TestVisible(t *testing.T) {
	for _, c := range []struct {
		path, by string
		want     bool
	}{
		{"a/b", "c", true},
		{"a/internal/b", "a", true},
		{"a/internal/b", "a/c", true},
		{"a/internal/b", "ab", false},
		{"a/internal", "b", false},
		{"internal/abi", "a", false},
		{"a/internal/b/internal/c", "a/x", false},
		{"a/internals/b", "x", true},
	} {
		if got := visible(c.path, c.by); got != c.want {
			t.Errorf("%s by %s: %v", c.path, c.by, got)
		}
	}
}

// In a module whose language has no generics, the file sets its own language.
func TestDeclarationsOfOldModule(t *testing.T) {
	files := map[string]string{}
	for name, text := range declaredFiles {
		files[name] = text
	}
	files["go.mod"] = strings.Replace(files["go.mod"], "go 1.25", "go 1.12", 1)
	files["stub/go.mod"] = strings.Replace(files["stub/go.mod"], "go 1.25", "go 1.18", 1) // a newer one would raise that of the module
	for name := range files {
		if strings.HasSuffix(name, "_test.go") {
			files[name] = "//go:build go1.18\n\n" + files[name]
		}
	}
	dir := testkit.Module(t, files)
	for range 2 { // the second time, the file is type-checked
		prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
		if err != nil {
			t.Fatal(err)
		}
		written, err := NewIndex(prog).Declarations("scratch/calc")
		if err != nil || len(written) != 1 {
			t.Fatalf("%d files, %v", len(written), err)
		}
		f := written[0]
		if !IsDeclarations(f.Name, f.Text) || !strings.Contains(string(f.Text), "\n\n//go:build go1.18\n\npackage calc\n") {
			t.Fatalf("%s:\n%s", f.Name, f.Text)
		}
		if err := os.WriteFile(filepath.Join(dir, "calc", filepath.Base(f.Name)), f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
