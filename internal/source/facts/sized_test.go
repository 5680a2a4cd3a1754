package facts

import (
	"fmt"
	"maps"
	"testing"
)

// Numbers that say how much memory a function takes or how long it goes on are found,
// through variables and other functions too.
func TestSized(t *testing.T) {
	prog, x := scratch(t, map[string]string{"p.go": `package p

import "strings"

type Grid struct{ cells []int; name string }

func New(w, h int, name string) *Grid { n := w * h; return &Grid{make([]int, n), name} }
func Of(n, x int) *Grid { return New(1, n, "of") }
func Loop(x, n int) *Grid { g := &Grid{}; for i := 0; i < n; i++ { g.cells = append(g.cells, x) }; return g }
func Range(x int, n uint8) *Grid { g := &Grid{}; for range n { g.cells = append(g.cells, x) }; return g }
func Named(s string, k int) *Grid { return &Grid{name: strings.Repeat(s, int(k))} }
func (g *Grid) Grow(n int) { g.cells = append(g.cells, make([]int, max(n, 1))...) }
func (g *Grid) Add(n int) { g.cells = append(g.cells, n) }
func Down(n int) *Grid { if n > 0 { return Down(n - 1) }; return &Grid{} }
func Plain(n int, xs ...int) *Grid { return &Grid{cells: xs[:len(xs)]} }
`})
	got := map[string]string{}
	found, _ := x.Builders(prog.Scope[0])
	for _, b := range found {
		got[b.fun.Name()] = fmt.Sprint(b.Small)
	}
	for name, want := range map[string]string{"New": "[0 1]", "Of": "[0]", "Loop": "[1]", "Range": "[1]", "Named": "[1]", "Grow": "[1]", "Add": "[]", "Down": "[0]", "Plain": "[]"} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
}

// What a variable of the package holds is shared by all who get it.
func TestShares(t *testing.T) {
	prog, x := scratch(t, map[string]string{"p.go": `package p

type T struct{ n int }

var (
	one   = &T{1}
	table = map[string]*T{}
	value T
	most  = 3
)

func One() *T { return one }
func Get(s string) *T { if s == "" { return nil }; return table[s] }
func Addr() *T { return &value }
func Copy() T { return value }
func New() *T { return &T{most} }
`})
	got := map[string]string{}
	_, turned := x.Builders(prog.Scope[0])
	for _, b := range turned {
		got[b.Name] = b.Why
	}
	want := map[string]string{"One": "it gives what the variable one holds", "Get": "it gives what the variable table holds", "Addr": "it gives what the variable value holds"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
