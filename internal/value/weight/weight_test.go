//go:build go1.25

package weight_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// The types of the thesis: data Tree = LeafA | LeafB | LeafC | Node Tree Tree, and
// data Tree' = Leaf | NodeA Tree' Tree' | NodeB Tree'.
type (
	Tree  any
	LeafA struct{}
	LeafB struct{}
	LeafC struct{}
	Node  struct{ L, R Tree }

	Tree2 any
	Leaf  struct{}
	NodeA struct{ L, R Tree2 }
	NodeB struct{ Next Tree2 }

	// T1 = A | B T1 T2, T2 = C | D T1: mutually recursive, and a composite type.
	T1 any
	A  struct{ Flag *bool }
	B  struct {
		L T1
		R T2
	}
	T2 any
	C  struct{}
	D  struct{ Up T1 }
)

func sum[I any](t testing.TB, more []schema.Decl, variants ...any) *schema.World {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[I](), append(more, variantsOf[I](variants...)))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func variantsOf[I any](variants ...any) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[I](), What: schema.VariantsOf(variants...), Tier: schema.Global}
}

func treeWorld(t testing.TB) *schema.World {
	return sum[Tree](t, nil, LeafA{}, LeafB{}, LeafC{}, Node{})
}

// observed counts constructors of the root's type in terms.
func observed(w *schema.World, terms int) []float64 {
	g := gen.New(w)
	count := make([]float64, len(w.Root.Ctors))
	for run := range uint64(terms) {
		t := g.Term(rng.At(1, run), 10)
		for i := range t.Nodes() {
			if t[i].S == w.Root.ID {
				count[t[i].C] += 1 / float64(terms)
			}
		}
	}
	return count
}

// Table 1 of the thesis, at size 10. The wanted figures are those of the optimum
// where there is one. The published search came near them: 5.26 5.26 5.21 14.73;
// 30.07 9.76 10.15 48.96; 10.07 and 29.80 with two leaves that are free; 10.41
// 9.41; 6.95 6.95 12.91.
func TestTable1(t *testing.T) {
	for _, c := range []struct {
		name string
		goal weight.Goal
		want string
	}{
		{"uniform", weight.Goal{}, "5.25 5.25 5.25 14.75"},
		{"weighted 3 1 1", weight.Goal{Weights: map[string]float64{"LeafA": 3, "LeafB": 1, "LeafC": 1}}, "30.00 10.00 10.00 49.00"},
		{"weighted 1 3", weight.Goal{Weights: map[string]float64{"LeafA": 1, "Tree.Node": 3}}, "10.00 10.50 10.50 30.00"},
		{"only", weight.Goal{Only: []string{"LeafA", "Node"}}, "10.50 0.00 0.00 9.50"},
		{"without", weight.Goal{Without: []string{"LeafC"}}, "7.00 7.00 0.00 13.00"},
	} {
		w := treeWorld(t)
		r, err := weight.Tune(w, 10, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		expected := r.Expected.Counts[w.Root.ID][1:]
		if got := figures(expected); got != c.want {
			t.Errorf("%s: predicted %s, want %s", c.name, got, c.want)
		}
		t.Logf("%-15s %s, cost %.3f from %.3f in %d passes, %.2f cells", c.name, figures(expected), r.Cost, r.Before, r.Passes, r.Expected.Cells)
		w.Depth = 10
		for k, got := range observed(w, 40_000)[1:] {
			// The standard error of a count is about three times it, over 200.
			if math.Abs(got-expected[k]) > 0.06*max(1, expected[k]) {
				t.Errorf("%s: observed %.3f of constructor %d, want %.3f", c.name, got, k, expected[k])
			}
		}
	}
}

func figures(xs []float64) string {
	var all []string
	for _, x := range xs {
		all = append(all, fmt.Sprintf("%.2f", x))
	}
	return strings.Join(all, " ")
}

// The example of section 4: p = .2, .5, .3 at size 10. Equation 9 gives 0.5
// (1-1.3^10)/(1-1.3) = 21.310 NodeA and three fifths of it, 12.786, NodeB. The
// figures printed there, 21.322 and 12.813, are not in that proportion, so they
// cannot both follow from the equation; they are within 0.3 % of it.
func TestTwoKindsOfNodes(t *testing.T) {
	w := sum[Tree2](t, nil, Leaf{}, NodeA{}, NodeB{})
	w.Root.Odds = []float64{0, .2, .5, .3}
	e := weight.Predict(w, 10)
	if got, want := figures(e.Counts[w.Root.ID][2:]), "21.31 12.79"; got != want {
		t.Errorf("predicted %s, want %s", got, want)
	}
	for k, published := range []float64{21.322, 12.813} {
		if got := e.Counts[w.Root.ID][2+k]; !near(got, published, 0.003) {
			t.Errorf("predicted %.3f, published %.3f", got, published)
		}
	}
	if got, want := e.Named()["Tree2.Leaf"], e.Counts[w.Root.ID][2]+1; !near(got, want, 1e-9) {
		t.Errorf("%.3f leaves, want one more than binary nodes, %.3f", got, want)
	}
}

// Section 6: types that need each other share their levels, other types have
// their own.
func TestMutuallyRecursive(t *testing.T) {
	w := sum[T1](t, []schema.Decl{variantsOf[T2](C{}, D{})}, A{}, B{})
	e := weight.Predict(w, 2)
	// T1 at level 2 is B with 1/2; T1 and T2 at level 1 are B and D with 1/2 each;
	// at level 0 all are A and C.
	got := e.Named()
	for name, want := range map[string]float64{
		"T1.B": 0.5 + 0.5*0.5, "T2.D": 0.5 * 0.5, "T2.C": 0.5*0.5 + 0.25, "T1.A": 0.5 + 0.5*0.5 + 0.25 + 0.25,
		"*bool.&": (0.5 + 0.5*0.5 + 0.25 + 0.25) / 2,
	} {
		if !near(got[name], want, 1e-12) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
}

// Patterns are alternatives of their own, and constructors inside them count in
// E↓.
func TestPatternsCount(t *testing.T) {
	w := treeWorld(t)
	s := w.Root
	node := func(l, r *schema.Shape) *schema.Shape {
		return &schema.Shape{S: s, C: 4, Fields: []*schema.Shape{l, r}}
	}
	leaf := &schema.Shape{S: s, C: 1}
	s.Patterns = []schema.Pattern{{Name: "f#1", Shape: node(leaf, leaf)}, {Name: "f#2", Shape: node(node(leaf, nil), nil)}}
	e := weight.Predict(w, 3)
	n := e.Named()
	if want := n["Tree.LeafA"] + 2*n["Tree.f#1"] + n["Tree.f#2"]; !near(e.Down[s.ID][1], want, 1e-12) {
		t.Errorf("E↓[LeafA] = %v, want %v", e.Down[s.ID][1], want)
	}
	if want := n["Tree.Node"] + n["Tree.f#1"] + 2*n["Tree.f#2"]; !near(e.Down[s.ID][4], want, 1e-12) {
		t.Errorf("E↓[Node] = %v, want %v", e.Down[s.ID][4], want)
	}
	w.Depth = 3
	got := observed(w, 20_000)
	for c := 1; c <= 4; c++ {
		if math.Abs(got[c]-e.Down[s.ID][c]) > 0.06*max(1, e.Down[s.ID][c]) {
			t.Errorf("constructor %d: observed %.3f, E↓ is %.3f", c, got[c], e.Down[s.ID][c])
		}
	}
}

func TestGoals(t *testing.T) {
	t.Run("a mean size", func(t *testing.T) {
		for _, cells := range []float64{3, 20, 200} {
			w := treeWorld(t)
			r, err := weight.Tune(w, 10, weight.Goal{Cells: cells})
			if err != nil || !near(r.Expected.Cells, cells, 2e-3) {
				t.Errorf("wanted %v cells, got %v (%v)", cells, r.Expected.Cells, err)
			}
			w.Depth = 10
			g, sum := gen.New(w), 0
			const terms = 20_000
			for run := range uint64(terms) {
				sum += w.Cells(g.Term(rng.At(1, run), 10))
			}
			if got := float64(sum) / terms; !near(got, cells, 0.05) {
				t.Errorf("wanted %v cells, observed %v", cells, got)
			}
		}
	})
	t.Run("a cost function", func(t *testing.T) {
		w := treeWorld(t)
		r, err := weight.Tune(w, 10, weight.Goal{Cost: func(e map[string]float64) float64 {
			return math.Pow(e["Tree.Node"]-7, 2) + math.Pow(e["Tree.LeafA"]-2*e["Tree.LeafB"], 2)
		}})
		if n := r.Expected.Named(); err != nil || !near(n["Tree.Node"], 7, 1e-2) || !near(n["Tree.LeafA"], 2*n["Tree.LeafB"], 1e-2) {
			t.Errorf("got %v (%v)", n, err)
		}
	})
	for _, c := range []struct {
		name string
		goal weight.Goal
		want string // a part of the error
	}{
		{"an unknown constructor", weight.Goal{Only: []string{"Leaves"}}, "no constructor is named Leaves; the constructors are Tree.LeafA,"},
		{"a weight of zero", weight.Goal{Weights: map[string]float64{"Node": 0}}, "not positive; use Without to exclude it"},
		{"nothing left", weight.Goal{Only: []string{"Node"}, Without: []string{"Node"}}, "exclude every constructor of weight_test.Tree"},
	} {
		if _, err := weight.Tune(treeWorld(t), 10, c.goal); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Each list element is at least one cell, even if it is empty. A list has 15/8
// elements on average and is empty with probability 1/4, so a list of lists has
// 15/8 times (15/8 + 1/4) cells.
func TestCellsOfLists(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[][]int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := weight.Predict(w, 3).Cells, 15.0/8*(15.0/8+1.0/4); !near(got, want, 1e-12) {
		t.Errorf("%v cells, want %v", got, want)
	}
}

// The type may be left out of a constructor's name if the name is unambiguous.
func TestNames(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[struct {
		A *int
		B *string
	}](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		{"*int.&", "<nil>"},
		{"*string.nil", "<nil>"},
		{"&", "constructor & is ambiguous: *int.& or *string.&; write the full name"},
		{"cell", "no constructor is named cell; the constructors are struct { A *int; B *string }.0, *int.nil, *int.&, *string.nil, *string.&"},
	} {
		if _, err := weight.Tune(w, 3, weight.Goal{Without: []string{c.name}}); fmt.Sprint(err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Tune reaches the wanted size where odds can reach it, and otherwise the largest
// possible size.
func TestWantedSize(t *testing.T) {
	met := 0
	for seed := range uint64(60) {
		w := randomWorld(t, seed)
		const depth, cells = 5, 20
		r, err := weight.Tune(w, depth, weight.Goal{Cells: cells})
		if err != nil {
			t.Fatal(err)
		}
		got, want := r.Expected.Cells, min(cells, weight.Most(w, depth))
		if !near(got, want, 0.01) {
			t.Errorf("seed %d: %.2f cells, want %.2f", seed, got, want)
		}
		if want == cells {
			met++
		}
	}
	if met < 30 {
		t.Errorf("only %d of 60 worlds can have terms of the size", met)
	}
}

// No constructor is given up unless it was excluded: each way keeps three
// thousandths of an even share of the choices.
func TestNothingIsGivenUp(t *testing.T) {
	w := wide(t, 1, 200)
	if _, err := weight.Tune(w, 10, weight.Goal{}); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Schemas {
		for k := s.First(); k < len(s.Odds); k++ {
			if s.Odds[k]*float64(s.Ways()-s.First()) < 0.00299 {
				t.Errorf("%v: constructor %d of %d has a chance of %v", s.Type, k, s.Ways(), s.Odds[k])
			}
		}
	}
}

// The same world and goal give the same odds.
func TestTuneIsDeterministic(t *testing.T) {
	for seed := range uint64(10) {
		a, b := randomWorld(t, seed), randomWorld(t, seed)
		for _, w := range []*schema.World{a, b} {
			if _, err := weight.Tune(w, 4, weight.Goal{}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range a.Schemas {
			if fmt.Sprint(a.Schemas[i].Odds) != fmt.Sprint(b.Schemas[i].Odds) {
				t.Errorf("seed %d: %v: two sets of odds", seed, a.Schemas[i].Type)
			}
		}
	}
}
