//go:build go1.25

package build

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// Functions that may call themselves, directly or not, check the limit; others do
// not.
func TestCycles(t *testing.T) {
	src := `package p

import (
	"sort"
	"strings"
)

func self(n int) { self(n - 1) }
func even(n int) { odd(n - 1) }
func odd(n int)  { even(n - 1) }
func intoCircle(n int) { even(n) }
func straight(s string) string { return strings.TrimSpace(leaf(s)) }
func leaf(s string) string { return s }
func value(f func()) { f() }
func callsValue() { value(func() {}) }
func sorts(s sort.Interface) { sort.Sort(s) }
func iface(s interface{ M() }) { s.M() }

type t struct{ b strings.Builder }

func (x *t) method() { x.b.WriteString("a") }
func (x *t) again()  { x.method(); x.again() }
`
	c := load.Config{Dir: testkit.Module(t, map[string]string{"p.go": src}), Patterns: []string{"."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}
	prog, err := load.Packages(c)
	if err != nil {
		t.Fatal(err)
	}
	cyclic := cycles(prog)
	got := map[string]bool{}
	for f := range prog.Funcs() {
		if cyclic(f.Obj) {
			got[f.Obj.Name()] = true
		}
	}
	if names := strings.Join(slices.Sorted(maps.Keys(got)), " "); names != "again even iface odd self sorts value" {
		t.Errorf("cyclic: %s", names)
	}
}

// Tarjan's algorithm finds the same functions as a search from each function
// alone.
func TestCircular(t *testing.T) {
	r := uint32(1)
	next := func(n int) int { r = r*1664525 + 1013904223; return int(r>>8) % n }
	for range 300 {
		g := calls{}
		n := 2 + next(9)
		name := func(i int) string { return string(rune('a' + i)) }
		for i := range n {
			g[name(i)] = nil
			for range next(3) {
				g[name(i)] = append(g[name(i)], name(next(n+1))) // one name is not in the graph
			}
		}
		fast := g.circular()
		for i := range n {
			if slow := g.leads(name(i), name(i), map[string]bool{}); slow != fast[name(i)] {
				t.Fatalf("%v: %s on a circle: %v", g, name(i), slow)
			}
		}
	}
}

func (g calls) leads(from, to string, seen map[string]bool) bool {
	for _, next := range g[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if g.leads(next, to, seen) {
				return true
			}
		}
	}
	return false
}
