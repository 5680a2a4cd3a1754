//go:build go1.25

package mutate

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// parents returns terms of a type, all of about the same size.
func parents(w *schema.World, n, size int) (ts []term.Term) {
	g := gen.New(w)
	for run := uint64(0); len(ts) < n; run++ {
		if t := g.Term(rng.At(1, run), size); w.Cells(t) >= size-2 || run > 1000 {
			ts = append(ts, t.Clone())
		}
	}
	return ts
}

// One mutant of a small tree, from whole batches, with all kinds that the search
// uses.
func BenchmarkNext(b *testing.B) {
	strategies := map[string]Config{
		"mutagen": {Kinds: Pure | Sampled, Samples: 1, Size: 10},
		"E":       {Kinds: Pure | Lists | Sampled | Mirror, Samples: 2, Size: 10},
		"U":       {Kinds: Pure | Lists | Sampled | Filled | Fragments | Mirror, Samples: 1, Size: 10, NeighboursMax: 3, FragmentsMax: 2, UnitsMax: 50},
	}
	types := map[string]reflect.Type{
		"tree15": reflect.TypeFor[*zoo.Tree](), "expr15": reflect.TypeFor[zoo.Expr](), "ints15": reflect.TypeFor[[]int](),
		"pair": reflect.TypeFor[zoo.Pair[*zoo.RB, *zoo.RB]](), "pod": reflect.TypeFor[zoo.Pod](),
	}
	for tname, typ := range types {
		w := derive(b, typ, zoo.Decls())
		ps := parents(w, 64, 15)
		for sname, c := range strategies {
			m := New(w, c)
			m.Fragments = fragmentsOf(w, ps[0], 1)
			b.Run(tname+"/"+sname, func(b *testing.B) {
				b.ReportAllocs()
				units, batches := 0, 0
				for n := 0; n < b.N; batches++ {
					batch := m.Batch(ps[batches%len(ps)], uint64(batches))
					for n < b.N {
						u, ok := m.Next(&batch)
						if !ok {
							break
						}
						n++
						units += len(u.Term)
					}
				}
				b.ReportMetric(float64(units)/float64(b.N), "units/mutant")
				b.ReportMetric(float64(b.N)/float64(batches), "mutants/batch")
			})
		}
	}
}

// One random mutant, as the search makes from fresh inputs that passed and in
// havoc.
func BenchmarkRandom(b *testing.B) {
	w := derive(b, reflect.TypeFor[*zoo.Tree](), nil)
	ps := parents(w, 64, 15)
	m := New(w, Config{Kinds: Pure | Lists | Sampled | Filled | Mirror, Samples: 1, Size: 10, NeighboursMax: 3})
	r := rng.New(1)
	b.ReportAllocs()
	for i := range b.N {
		m.Random(ps[i%len(ps)], &r)
	}
}

// One mutant of a batch that was interrupted by another batch: the worst case for
// a queue, which changes the batch after each mutant.
func BenchmarkResume(b *testing.B) {
	w := derive(b, reflect.TypeFor[*zoo.Tree](), nil)
	ps := parents(w, 64, 15)
	m := New(w, Config{Kinds: Pure | Sampled, Samples: 1, Size: 10})
	batches := make([]Batch, len(ps))
	for i := range batches {
		batches[i] = m.Batch(ps[i], uint64(i))
	}
	b.ReportAllocs()
	for i := range b.N {
		k := i % len(batches)
		if _, ok := m.Next(&batches[k]); !ok {
			batches[k] = m.Batch(ps[k], uint64(i))
		}
	}
}
