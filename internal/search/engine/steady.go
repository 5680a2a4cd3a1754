//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// steady watches the parts of the input that the user has declared something about. A part
// that had the same value in all runs that passed has checked almost nothing, and the rest of
// the input, which varied, hides that.
//
// Nearly every part varies within a few runs. It is then no longer watched, so later runs
// cost nothing.
type steady struct {
	parts []watchedPart
	runs  int // passed runs
}

type watchedPart struct {
	schema.Declared
	value term.Term // the only value so far, nil if there is none
	runs  int       // passed runs with the part
}

// steadyMin is the number of passed runs from which it is no chance that a part never varied.
const steadyMin = 100

func newSteady(w *schema.World) (s steady) {
	for _, d := range w.Declared() {
		s.parts = append(s.parts, watchedPart{Declared: d})
	}
	return s
}

// pass looks at a term that passed.
func (s *steady) pass(t term.Term) {
	s.runs++
	for i := 0; i < len(s.parts); i++ {
		if p := &s.parts[i]; p.varied(t) {
			*p = s.parts[len(s.parts)-1]
			s.parts = s.parts[:len(s.parts)-1]
			i--
		}
	}
}

// varied reports whether the part has another value in t than before.
func (p *watchedPart) varied(t term.Term) bool {
	met := false
	for at := range t.Nodes() {
		if t[at].S != p.S.ID {
			continue
		}
		met = true
		x := t.Sub(at)
		if p.value == nil {
			p.value = x.Clone()
		} else if !term.Equal(p.value, x) {
			return true
		}
	}
	if met {
		p.runs++
	}
	return false
}

// Steady is a declared part that never varied: see Inputs.Steady.
type Steady struct {
	schema.Declared
	Value term.Term // nil if no term that passed had the part
	Runs  int       // passed runs
}
