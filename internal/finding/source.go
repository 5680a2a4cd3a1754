//go:build go1.25

package finding

import (
	"fmt"

	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// Source is how the bytes of a finding were made, if its property has an encoder: from which
// value, with which fault in the encoder, and whether they were changed afterwards. A bug lies
// at the highest of these levels that shows it, because that is the simplest explanation.
type Source struct {
	Value   term.Term // the encoded value
	Fault   string    // the fault in the encoder; empty if there was none
	Changed bool      // the bytes were changed afterwards

	// Encode returns the bytes that the encoder makes of another value with the same fault.
	Encode func(value term.Term) (bytes term.Term, ok bool)
}

// lift moves a finding to the highest level that shows the same failure. If that is the level
// of the encoder, lift also shrinks the value, and reports true. Otherwise the term of the
// finding is still to be shrunk.
func lift(h *Handler, f *Finding, stop func() bool) (shrunk bool) {
	s := f.History.Source
	if s == nil {
		return false
	}
	sign, runs := Sign(f.Outcome), 0
	var last property.Outcome
	fails := func(x term.Term) bool {
		runs++
		last = h.Runner.One(x, true)
		return last.Failed() && Sign(last) == sign
	}
	if fails(s.Value) {
		h.replace(f, smaller{term: s.Value.Clone(), outcome: last, runs: runs})
		f.History.Source, f.Cells = nil, h.Prop.World.Cells(f.Term)
		return false
	}
	if s.Fault == "" {
		return false
	}
	var best smaller
	made := func(value term.Term) bool {
		x, ok := s.Encode(value)
		if !ok || !fails(x) {
			return false
		}
		best = smaller{term: x.Clone(), outcome: last}
		return true
	}
	if !made(s.Value) {
		return false
	}
	s.Value, _ = shrink.Minimise(shrink.Config{World: h.Prop.World, Stop: stop, Fails: made}, s.Value)
	s.Changed, best.runs = false, runs
	h.replace(f, best)
	return true
}

// text describes the source in one line.
func (s *Source) text(p *property.Property) string {
	style := p.Place.Style()
	style.Case, style.Width = true, 1<<20
	text := words.Bounded(codec.Print(p.World, s.Value, style).Expr, messageMax)
	if s.Fault != "" {
		text = fmt.Sprintf("%s, with a fault in the encoder: %s", text, s.Fault)
	}
	if s.Changed {
		text += "; then the bytes were changed"
	}
	return text
}
