//go:build go1.25

package gen_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Html is the example of the thesis.
type (
	Html   any
	Text   struct{ S string }
	Single struct{ Tag string }
	Tag    struct {
		Name string
		In   Html
	}
	Join struct{ L, R Html }
)

const text, single, tag, join = 1, 2, 3, 4 // constructors

func htmlWorld(t testing.TB) *schema.World {
	t.Helper()
	of := []reflect.Type{reflect.TypeFor[Text](), reflect.TypeFor[Single](), reflect.TypeFor[Tag](), reflect.TypeFor[Join]()}
	w, err := schema.Derive(reflect.TypeFor[Html](), []schema.Decl{{Type: reflect.TypeFor[Html](), What: schema.Variants(of), Tier: schema.Global}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// simplify adds the patterns of the thesis: Join (Text _) (Text _), and
// Join (Join (Text _) _) _.
func simplify(w *schema.World) {
	s := w.Root
	plain := func() *schema.Shape { return &schema.Shape{S: s, C: text, Fields: []*schema.Shape{nil}} }
	pair := func(l, r *schema.Shape) *schema.Shape {
		return &schema.Shape{S: s, C: join, Fields: []*schema.Shape{l, r}}
	}
	s.Patterns = []schema.Pattern{
		{Name: "simplify#1", Shape: pair(plain(), plain())},
		{Name: "simplify#2", Shape: pair(pair(plain(), nil), nil)},
	}
}

// levels returns how many choices of the root's type lie on the longest path
// down.
func levels(w *schema.World, t term.Term, at int) int {
	deepest := 0
	for k := range t.Kids(at) {
		deepest = max(deepest, levels(w, t, k))
	}
	if t[at].S == w.Root.ID {
		deepest++
	}
	return deepest
}

// Terms are finite and not too deep: each choice takes a level, and after the
// last level there is one choice at level 0.
func TestDepth(t *testing.T) {
	for _, depth := range []int{1, 2, 5} {
		w := htmlWorld(t)
		w.Depth = depth
		g := gen.New(w)
		deepest := 0
		for run := range uint64(20_000) {
			deepest = max(deepest, levels(w, g.Term(rng.At(1, run), 10), 0))
		}
		if deepest != depth+1 {
			t.Errorf("depth %d: the deepest of 20,000 terms has %d levels, want %d", depth, deepest, depth+1)
		}
	}
}

// Terms of all types are finite and valid, even with odds of zero, or with odds
// that would let them grow without bound.
func TestDepthEnds(t *testing.T) {
	for _, a := range zoo.All() {
		for _, odds := range []string{"even", "random", "zero", "large"} {
			w := derive(t, a)
			w.Depth = 6
			r := rng.New(3)
			for _, s := range w.Schemas {
				if odds == "even" {
					continue
				}
				s.Odds = make([]float64, s.Ways())
				for k := range s.Odds {
					switch {
					case odds == "random":
						s.Odds[k] = float64(r.Below(4))
					case odds == "large" && k < len(s.Ctors):
						s.Odds[k] = math.Pow(100, float64(len(s.Ctors[k].Fields)))
					}
				}
			}
			if odds == "large" {
				w.Depth = 40
			}
			g, b := gen.New(w), schema.NewBuilder(w)
			runs := uint64(300)
			if odds == "large" {
				runs = 5
			}
			for run := range runs {
				x := g.Term(rng.At(1, run), 10)
				if len(x) > 1<<21 {
					t.Fatalf("%s, %s odds: a term of %d units", a.Name, odds, len(x))
				}
				b.Build(x, reflect.New(a.Type).UnsafePointer())
				if int(x[0].N) != len(x) {
					t.Fatalf("%s, %s odds: run %d is %d units, %d by its root", a.Name, odds, run, len(x), x[0].N)
				}
			}
		}
	}
}

// Without odds and patterns the generator makes the same terms as before odds
// existed. The sum is a checksum of 300 terms of every type, as made then. It was changed
// twice: when time.Time got a hidden builder, and when arrays no longer counted a cell for
// each element.
func TestDrawsAreTheSame(t *testing.T) {
	sum := uint64(0)
	for _, a := range zoo.All()[:24] { // later types have odds
		g := gen.New(derive(t, a))
		for run := range uint64(300) {
			sum = sum*31 + term.Hash(g.Term(rng.At(1, run), int(run)%40))
		}
	}
	if want := uint64(0x58507d2eb361ed51); sum != want {
		t.Errorf("terms differ from earlier versions: %#x, want %#x", sum, want)
	}
}

// The size split uses odds too, among the constructors that can use the budget:
// at the root of a term of 30 cells these are Tag and Join, at its end Text and
// Single.
func TestSplitWithOdds(t *testing.T) {
	w := htmlWorld(t)
	w.Root.Odds = []float64{0, 3, 1, 1, 4}
	g := gen.New(w)
	ends, roots := g.Observe()[w.Root.ID], make([]int, 5)
	for run := range uint64(4000) {
		x := g.Term(rng.At(1, run), 30)
		roots[x[0].C]++
		if cells := w.Cells(x); cells > g.Bound(30) {
			t.Fatalf("%d cells, above the bound", cells)
		}
	}
	if ratio := float64(ends[text]) / float64(ends[single]); math.Abs(ratio-3) > 0.2 {
		t.Errorf("%.2f Text for a Single, want 3", ratio)
	}
	if ratio := float64(roots[join]) / float64(roots[tag]); math.Abs(ratio-4) > 0.4 {
		t.Errorf("%.2f roots are Join for a Tag, want 4", ratio)
	}
}

// Observe does not change the generated terms.
func TestObserveChangesNothing(t *testing.T) {
	for _, a := range zoo.All() {
		g, h := gen.New(derive(t, a)), gen.New(derive(t, a))
		h.Observe()
		for run := range uint64(100) {
			if !term.Equal(g.Term(rng.At(2, run), 15), h.Term(rng.At(2, run), 15)) {
				t.Fatalf("%s: run %d differs", a.Name, run)
			}
		}
	}
}

// Both generation methods use patterns, within their bounds, and fill the holes
// of patterns with generated terms.
func TestPatternsAreMade(t *testing.T) {
	for _, depth := range []int{0, 4} {
		w := htmlWorld(t)
		simplify(w)
		w.Depth = depth
		g := gen.New(w)
		got := g.Observe()[w.Root.ID]
		const terms = 3000
		for run := range uint64(terms) {
			x := g.Term(rng.At(1, run), 20)
			if cells := w.Cells(x); depth == 0 && cells > g.Bound(20) {
				t.Fatalf("%d cells, above the bound", cells)
			}
		}
		t.Logf("depth %d: Text, Single, Tag, Join, simplify#1, simplify#2: %v", depth, got[1:])
		for k, n := range got[5:] {
			if n < terms/20 {
				t.Errorf("depth %d: pattern %d was chosen %d times in %d terms", depth, k+1, n, terms)
			}
		}
	}
}

// A pattern can fix scalars, texts, lists and their elements.
func TestShapes(t *testing.T) {
	type in struct {
		N     int
		S     string
		B     []byte
		L     []*int
		A     [2]bool
		M     map[string]int
		Again *in
	}
	w, err := schema.Derive(reflect.TypeFor[in](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := w.Root
	field := func(i int) *schema.Schema { return s.Ctors[0].Fields[i].S }
	number := func(x uint64) *schema.Shape { return &schema.Shape{S: field(0), X: x} }
	word := func(x string) *schema.Shape { return &schema.Shape{S: field(1), Text: x} }
	s.Patterns = []schema.Pattern{{Name: "all", Shape: &schema.Shape{S: s, Fields: []*schema.Shape{
		number(7), word("seven"), {S: field(2), C: term.Raw, Text: "raw"},
		{S: field(3), C: 1, Fields: []*schema.Shape{{S: field(3).Elem}, {S: field(3).Elem, C: 1, Fields: []*schema.Shape{number(9)}}}},
		{S: field(4), Fields: []*schema.Shape{{S: field(4).Elem, X: 1}}},
		{S: field(5), C: 1, Fields: []*schema.Shape{word("z"), number(1), word("a"), number(2)}},
		{S: field(6)},
	}}}}
	s.Odds = []float64{0, 1}
	for _, depth := range []int{0, 3} {
		w.Depth = depth
		x := gen.New(w).Term(rng.At(1, 1), 10)
		var v in
		if !schema.NewBuilder(w).Build(x, reflect.ValueOf(&v).UnsafePointer()) {
			t.Fatal("the term cannot be built")
		}
		got := fmt.Sprintf("%d %s %s %v %d %t %v %v", v.N, v.S, v.B, v.L[0], *v.L[1], v.A[0], v.M, v.Again)
		if want := "7 seven raw <nil> 9 true map[a:2 z:1] <nil>"; got != want {
			t.Errorf("depth %d: got %s, want %s", depth, got, want)
		}
	}
}

// An alias table draws exactly with the odds it was made from.
func TestAlias(t *testing.T) {
	for _, odds := range [][]float64{{1}, {0, 1}, {.5, .5}, {.2, .5, .3}, {0, .001, .999}, {.1, 0, .2, 0, .3, .4, 0}, {1e-12, 1 - 1e-12}} {
		for k, got := range gen.Chances(odds) {
			if math.Abs(got-odds[k]) > 1e-15 {
				t.Errorf("%v: %d comes out with %v", odds, k, got)
			}
		}
	}
}

// Neither generation method allocates after the first terms, with or without
// patterns.
func TestNoAllocation(t *testing.T) {
	for _, depth := range []int{0, 4} {
		w := htmlWorld(t)
		simplify(w)
		w.Depth = depth
		g := gen.New(w)
		for run := range uint64(2000) {
			g.Term(rng.At(1, run), 20)
		}
		run := uint64(0)
		if n := testing.AllocsPerRun(1000, func() { g.Term(rng.At(1, run), 20); run++ }); n > 0 {
			t.Errorf("depth %d: %v allocations a term", depth, n)
		}
	}
}

func BenchmarkDepth(b *testing.B) {
	for _, name := range []string{"recursive", "sum", "mutual"} {
		for _, a := range zoo.All() {
			if a.Name != name {
				continue
			}
			b.Run(name, func(b *testing.B) {
				w := derive(b, a)
				w.Depth = 8
				for _, s := range w.Schemas { // even odds instead of nil, to use the code for odds
					s.Odds = make([]float64, s.Ways())
					for k := range s.Odds {
						s.Odds[k] = 1
					}
				}
				g := gen.New(w)
				units, run := 0, uint64(0)
				for b.Loop() {
					units += len(g.Term(rng.At(1, run), 20))
					run++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(units), "ns/unit")
			})
		}
	}
}
