//go:build go1.25

package gen_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Expr has one constructor that uses a budget, and it needs several cells.
type (
	Expr  any
	Zero  struct{}
	One   struct{ B bool }
	Large struct{ X, Y, Z Expr }
)

const zero, one, large = 1, 2, 3 // constructors

func exprWorld(t *testing.T) *schema.World {
	of := []reflect.Type{reflect.TypeFor[Zero](), reflect.TypeFor[One](), reflect.TypeFor[Large]()}
	w, err := schema.Derive(reflect.TypeFor[Expr](), []schema.Decl{{Type: reflect.TypeFor[Expr](), What: schema.Variants(of), Tier: schema.Global}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A constructor that can use the budget is preferred if it fits. Otherwise the others are equally
// likely.
func TestPreferLarge(t *testing.T) {
	g := gen.New(exprWorld(t))
	for _, c := range []struct {
		size        int
		zeros, ones [2]int // at least, and at most, of 3,000 terms
		large       bool
	}{
		{1, [2]int{1350, 1650}, [2]int{1350, 1650}, false},
		{2, [2]int{1350, 1650}, [2]int{1350, 1650}, false},
		{3, [2]int{1350, 1650}, [2]int{1350, 1650}, false}, // Large needs four cells
		{4, [2]int{10, 100}, [2]int{10, 100}, true},
		{20, [2]int{0, 20}, [2]int{0, 20}, true},
	} {
		count := [4]int{}
		for run := range uint64(3000) {
			count[g.Term(rng.At(1, run), c.size)[0].C]++
		}
		in := func(n int, limits [2]int) bool { return limits[0] <= n && n <= limits[1] }
		if !in(count[zero], c.zeros) || !in(count[one], c.ones) || count[0] > 0 || (count[large] > 0) != c.large {
			t.Errorf("size %d: %v terms of each constructor", c.size, count)
		}
	}
}

// A single pattern is used in some terms, and there as often as each constructor that fits.
func TestOnePattern(t *testing.T) {
	w := exprWorld(t)
	w.Root.Patterns = []schema.Pattern{{Name: "p", Shape: &schema.Shape{S: w.Root, C: one, Fields: []*schema.Shape{nil}}}}
	g := gen.New(w)
	got := g.Observe()[w.Root.ID]
	with := 0
	const terms = 4000
	for run := range uint64(terms) {
		before := got[4]
		if g.Term(rng.At(1, run), 20); got[4] > before {
			with++
		}
	}
	if with < terms/8 || with > terms/4 { // one in four may have patterns, and most of these do
		t.Errorf("%d of %d terms have the pattern", with, terms)
	}
}

// A pattern takes as many levels as it has. After the last level there is one more choice, which
// may be a pattern too.
func TestDepthOfPatterns(t *testing.T) {
	for depth := 1; depth < 7; depth++ {
		w := htmlWorld(t)
		simplify(w)
		w.Depth = depth
		g := gen.New(w)
		deepest := 0
		for run := range uint64(3000) {
			deepest = max(deepest, levels(w, g.Term(rng.At(1, run), 20), 0))
		}
		if deepest <= depth || deepest > 2*(depth+1) {
			t.Errorf("depth %d: the deepest term has %d levels", depth, deepest)
		}
	}
}

// Scalars have one constructor, with and without levels.
func TestConstructorsExist(t *testing.T) {
	for _, a := range zoo.All() {
		for _, depth := range []int{0, 3} {
			w := derive(t, a)
			w.Depth = depth
			g := gen.New(w)
			for run := range uint64(50) {
				x := g.Term(rng.At(1, run), 10)
				for p := range x.Nodes() {
					s := w.Schemas[x[p].S]
					if c := x[p].C; s.Kind == schema.Scalar && c != 0 || len(s.Ctors) > 0 && c != term.Raw && int(c) >= len(s.Ctors) {
						t.Fatalf("%s, depth %d: constructor %d of a %v", a.Name, depth, c, s.Kind)
					}
				}
			}
		}
	}
}
