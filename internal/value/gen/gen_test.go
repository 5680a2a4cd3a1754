//go:build go1.25

package gen_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

func derive(t testing.TB, a zoo.Animal) *schema.World {
	t.Helper()
	w, err := schema.Derive(a.Type, a.Decls)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	return w
}

// Terms are finite, none exceeds the bound, and few are trivial: at size 20 most
// terms of each type have five cells or more.
func TestSizes(t *testing.T) {
	for _, a := range zoo.All() {
		w := derive(t, a)
		g := gen.New(w)
		var cells []int
		for run := range uint64(2000) {
			cells = append(cells, w.Cells(g.Term(rng.At(1, run), 20)))
		}
		slices.Sort(cells)
		if top := cells[len(cells)-1]; top > g.Bound(20) {
			t.Errorf("%s: a term of %d cells, above the bound of %d", a.Name, top, g.Bound(20))
		}
		small := 0
		for _, c := range cells {
			if c < 5 {
				small++
			}
		}
		t.Logf("%-15s least %d, p10 %d p50 %d p90 %d, %d%% small", a.Name, w.Root.MinCells, cells[200], cells[1000], cells[1800], small*100/len(cells))
		if w.Root.MaxCells >= schema.Unbounded && small*10 > len(cells)*4 {
			t.Errorf("%s: %d of %d terms have fewer than 5 cells", a.Name, small, len(cells))
		}
	}
}

// A term depends only on the stream and the size.
func TestSameStreamSameTerm(t *testing.T) {
	for _, a := range zoo.All() {
		g, h := gen.New(derive(t, a)), gen.New(derive(t, a))
		for run := range uint64(200) {
			x := g.Term(rng.At(3, run), int(run)%25).Clone()
			g.Term(rng.At(4, run), 9)
			h.Term(rng.At(5, 1), 30)
			if y := h.Term(rng.At(3, run), int(run)%25); !term.Equal(x, y) {
				t.Fatalf("%s, run %d: two terms from one stream", a.Name, run)
			}
		}
	}
}

// Large budgets are used: a fixed probability to stop at each node would give
// mostly small terms.
func TestLargeTermsAreLarge(t *testing.T) {
	for _, name := range []string{"recursive", "sum", "mutual"} {
		i := slices.IndexFunc(zoo.All(), func(a zoo.Animal) bool { return a.Name == name })
		w := derive(t, zoo.All()[i])
		g := gen.New(w)
		sum := 0
		const size, terms = 5000, 100
		for run := range uint64(terms) {
			sum += w.Cells(g.Term(rng.At(1, run), size))
		}
		if mean := sum / terms; mean < size/2 {
			t.Errorf("%s: mean of %d cells at size %d", name, mean, size)
		}
	}
}

func TestNthCountsEveryTermOnce(t *testing.T) {
	type small struct {
		A, B bool
		C    *zoo.Color
		D    [2]zoo.Level
		E    zoo.Percent
	}
	w := derive(t, zoo.Animal{Name: "small", Type: typeFor[small](), Decls: zoo.Decls()})
	want := uint64(2 * 2 * 257 * 4 * 101)
	if w.Root.Count != want {
		t.Fatalf("Count = %d, want %d", w.Root.Count, want)
	}
	g := gen.New(w)
	seen := map[uint64]bool{}
	for i := range want {
		seen[term.Hash(g.Nth(i))] = true
	}
	if len(seen) != int(want) {
		t.Errorf("%d different terms of %d", len(seen), want)
	}
}

func BenchmarkTerm(b *testing.B) {
	for _, a := range zoo.All()[:8] {
		b.Run(a.Name, func(b *testing.B) {
			g := gen.New(derive(b, a))
			units, run := 0, uint64(0)
			for b.Loop() {
				units += len(g.Term(rng.At(1, run), 20))
				run++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(units), "ns/unit")
		})
	}
}

func typeFor[T any]() reflect.Type { return reflect.TypeFor[T]() }
