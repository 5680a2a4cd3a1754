package facts

import (
	"fmt"
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
