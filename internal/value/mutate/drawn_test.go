//go:build go1.25

package mutate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A random candidate is drawn from slots. The slow twin lists all candidates. Each of them must be drawn, none of the
// others, and all equally often: for every type, the squared deviations add up to what chance gives.
func TestDrawnLikeListed(t *testing.T) {
	const each = 25 // expected draws of a candidate
	kinds := []Kind{^Text, ^Text &^ Filled, Pure | Lists | Sampled, Fragments | Dictionary}
	for _, a := range animals() {
		w := derive(t, a.Type, a.Decls)
		g := gen.New(w)
		squares, freedom := 0.0, 0.0
		for seed := range uint64(8) {
			parent := g.Term(rng.At(seed, 9), int(seed)).Clone()
			m := New(w, Config{Kinds: kinds[seed%4], Samples: 1 + int(seed%3), Size: 5, NeighboursMax: 2, FragmentsMax: 2, DictionaryMax: 3})
			m.Fragments = fragmentsOf(w, parent, seed)
			m.Dictionary = func(s *schema.Schema, now term.Term) []term.Term { return []term.Term{s.Least, now, s.Least} }
			m.look(parent, draw{m.Samples, m.Size, rng.From(seed)})
			r := rng.New(seed)
			for range 4 {
				pos := m.maker.scene.parent.someNode(&r)
				want := listedAt(m, pos)
				if len(want) > 400 {
					continue
				}
				got := map[string]int{}
				for range each * len(want) {
					if !m.maker.frame.draw(pos, &r) {
						t.Fatalf("%s: nothing drawn of %d candidates", a.Name, len(want))
					}
					key := described(&m.maker.frame.candidate)
					if !slices.Contains(want, key) {
						t.Fatalf("%s: drawn at %d, but not listed: %s, listed: %v", a.Name, pos, key, want)
					}
					got[key]++
				}
				if len(want) == 0 && m.maker.frame.draw(pos, &r) {
					t.Fatalf("%s: a candidate was drawn where none is", a.Name)
				}
				for _, key := range want {
					squares += math.Pow(float64(got[key]-each), 2) / each
				}
				freedom += math.Max(0, float64(len(want)-1))
			}
		}
		// The sum has this mean, and a variance of twice as much.
		if z := (squares - freedom) / math.Sqrt(2*max(1, freedom)); z > 4 {
			t.Errorf("%s: deviations of %.0f, %.0f expected: %.1f standard deviations", a.Name, squares, freedom, z)
		}
	}
}

// listedAt lists the candidates at a position.
func listedAt(m *Mutator, pos int) (all []string) {
	f := m.maker.frame
	f.start(pos, given)
	for f.next() {
		all = append(all, described(&f.candidate))
	}
	return all
}

func described(c *candidate) string { return fmt.Sprint(c.kind, slices.Concat(c.pieces...)) }
