//go:build go1.25

package build

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// Facts about types are registered when the program starts. They are in all
// binaries, so a case means the same in each.
func TestFactsReachTheProgram(t *testing.T) {
	files := map[string]string{
		"a.go": `package a

import "github.com/allele-go/allele/examples/scratch/b"

type Set[T comparable] struct{ has map[T]bool }

func NewSet[T comparable](xs ...T) *Set[T] { return &Set[T]{map[T]bool{}} }

func (s *Set[T]) Add(x T) { s.has[x] = true }

type Tree struct {
	Left, Right *Tree
	Op          b.Op
}

func New(k string) (*Tree, error) { return nil, nil }

var used = NewSet("x")

type Key string

type holder struct{ box b.Box[Key] }

func f(t *Tree) bool {
	if t.Left != nil && t.Left.Op == b.Add && t.Right == nil {
		return true
	}
	return t.Op == 0
}

func g(n b.Node) bool { return n.Kind == "x" && n.Next != nil }
`,
		"b/b.go": `package b

type Op uint8

const (
	None Op = iota
	Add
)

type Node struct {
	Kind string
	Next *Node
}

type Box[T any] struct{ x T }

func NewBox[T any](x T) Box[T] { return Box[T]{x} }
`,
	}
	files["a_test.go"] = `package a

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

type own int // the package is built without it, so a test file registers it

const (
	one own = 1
	two own = 2
)

var _ = NewSet[own]()

type op interface{ do() }
type push struct{ Tree Tree }
type pop struct{}

func (push) do() {}
func (*pop) do() {}

func h(p push) bool { return p.Tree.Op == 1 && p.Tree.Left == nil && p.Tree.Right != nil }

func TestFacts(t *testing.T) {
	for _, m := range hook.Makers {
		fmt.Printf("make %q %T\n", m.Name, m.Func)
	}
	for _, f := range hook.Fields {
		fmt.Printf("field %T %s %v\n", f.Of, f.Name, f.Values)
	}
	for _, f := range hook.Facts {
		fmt.Printf("fact %T %T %v\n", f.Of, f.Values[len(f.Values)-1], f.Values)
	}
	for _, s := range hook.Shapes {
		fmt.Printf("shape %T %s %+v %q\n", s.Of, s.Name, s.Value, s.Fixed)
	}
}
`
	const want = `make "a.NewSet[string]" func(...string) *a.Set[string]
make "(*a.Set[string]).Add" func(*a.Set[string], string)
make "" func(string) (*a.Tree, error)
make "b.NewBox[a.Key]" func(a.Key) b.Box[github.com/allele-go/allele/examples/scratch.Key]
make "a.NewSet[own]" func(...a.own) *a.Set[github.com/allele-go/allele/examples/scratch.own]
make "(*a.Set[own]).Add" func(*a.Set[github.com/allele-go/allele/examples/scratch.own], a.own)
field *a.Tree Op [1 0]
field *b.Node Kind [x]
fact b.Op b.Op [0 1]
fact *a.op *a.pop [{{<nil> <nil> 0}} <nil>]
fact a.own a.own [1 2]
shape **a.Tree f#1 &{Left:PTR Right:<nil> Op:0} ["Right"]
shape *b.Node g#1 {Kind:x Next:PTR} []
shape *a.push h#1 {Tree:{Left:<nil> Right:PTR Op:1}} ["Tree.Left"]
PASS
`
	o := rewritten(t, Config{}, files)
	for name, build := range map[string]func(pkg, out string) error{"probes": o.Test, "operands": func(pkg, out string) error { return o.Operands(pkg, out) }, "plain": o.Plain} {
		bin := filepath.Join(o.config.Work, name+".test")
		if err := build(testkit.Inside, bin); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(bin).CombinedOutput()
		if got := pointer.ReplaceAllString(string(out), "PTR"); err != nil || got != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

var pointer = regexp.MustCompile("0x[0-9a-f]+")

// A package may declare predeclared names itself. Facts that cannot be written
// then are skipped, and the package still builds.
func TestFactsAmongShadows(t *testing.T) {
	o := rewritten(t, Config{}, map[string]string{
		"a.go": "package a\n\nimport \"github.com/allele-go/allele/examples/scratch/b\"\n\ntype string struct{}\ntype any int\nconst nil = 1\nfunc new() {}\nfunc len() {}\n" + `
type T struct { N byte; S b.Text; Next *T; Flag bool }

func New(s b.Text) *T { return &T{} }

func f(t *T) bool { return t.N == 1 && t.S == "x" && t.Flag && !t.Next.Flag }
`,
		"b/b.go":    "package b\n\ntype Text = string\n\ntype float64 struct{ N, M int }\n\nfunc New(n int) *float64 { return nil }\n\nfunc f(t *float64) { if t.N == 1 && t.M == 2 { println() } }\n",
		"a_test.go": "package a\n\nimport (\n\t\"testing\"\n\n\t_ \"github.com/allele-go/allele/internal/hook\"\n)\n\nfunc TestA(t *testing.T) {}\n",
	})
	for i, build := range []func(pkg, out string) error{o.Test, o.Plain} {
		if err := build(testkit.Inside, filepath.Join(o.config.Work, strings.Repeat("x", i+1))); err != nil {
			t.Error(err)
		}
	}
}
