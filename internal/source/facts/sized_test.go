//go:build go1.25

package facts

import (
	"fmt"
	"maps"
	"testing"
)

// Arguments that determine how much memory or time a function takes are found,
// also through variables and other functions.
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

// A function that returns a package variable is rejected, because all callers
// share the value.
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
	_, rejected := x.Builders(prog.Scope[0])
	for _, b := range rejected {
		got[b.Name] = b.Why
	}
	want := map[string]string{"One": "it returns the variable one, or a part of it, which all callers share", "Get": "it returns the variable table, or a part of it, which all callers share", "Addr": "it returns the variable value, or a part of it, which all callers share"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
