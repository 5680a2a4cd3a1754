//go:build go1.25

package gen

import (
	"fmt"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	trials    = 32
	trialSize = 8
)

// Trial calls each builder function that was found in the source a few times with
// random arguments, and lowers the odds of functions that reject many arguments. A
// function that rejects all its arguments is not called again, unless all functions
// of the type do so. The trial is needed because the user did not declare these
// functions, so it is not known which arguments they accept.
func Trial(w *schema.World) {
	TrialWithin(w, func(calls func()) bool { calls(); return true })
}

// TrialWithin is like Trial, for functions that may take long. It passes the calls of each
// function to within, which reports false if they have not ended yet. Then the odds of the function
// stay as they are.
func TrialWithin(w *schema.World, within func(calls func()) bool) {
	var g *Gen
	var b *schema.Builder
	for _, s := range w.Schemas {
		if s.Kind != schema.Made || !s.IsFound() {
			continue
		}
		if g == nil {
			g, b = New(w), schema.NewBuilder(w)
		}
		took := make([]float64, len(s.Ctors))
		rare, any := false, false
		for c := s.First(); c < len(s.Ctors); c++ { // hidden ones are never called
			took[c] = 1
			if !s.Ctors[c].Weighed { // otherwise the user has declared its odds
				share := new(float64)
				mine, built := g, b
				if within(func() { *share = mine.trial(built, s, c) }) {
					took[c] = *share
				} else {
					g, b = New(w), schema.NewBuilder(w) // the calls still use the others
					w.Notes = append(w.Notes, s.Ctors[c].Name+" takes very long with some arguments; "+
						"list them in Small: go doc github.com/allele-go/allele.Partial")
				}
			}
			rare, any = rare || took[c] < 0.5, any || took[c] > 0
		}
		if !rare || !any {
			continue
		}
		for c := range took {
			if took[c] == 0 && c >= s.First() {
				note := fmt.Sprintf("%s rejected all %d trial inputs, so it is not called", s.Ctors[c].Name, trials)
				if !slices.Contains(w.Notes, note) { // the function may make values of two types, T and *T
					w.Notes = append(w.Notes, note)
				}
			}
			if s.Odds != nil {
				took[c] *= s.Odds[c]
			}
		}
		s.Odds = took
	}
}

// trial returns the share of random arguments that a function accepts.
func (g *Gen) trial(b *schema.Builder, s *schema.Schema, c int) float64 {
	ok := 0
	var t term.Term
	for i := range uint64(trials) {
		t = append(t[:0], term.Node{S: s.ID, C: uint16(c)})
		for j, f := range s.Ctors[c].Fields {
			t = append(t, g.Part(rng.At(uint64(j), i), f.S, max(f.S.MinCells, int(i)%trialSize))...)
		}
		t[0].N = uint32(len(t))
		if b.Try(s, t) {
			ok++
		}
	}
	return float64(ok) / trials
}
