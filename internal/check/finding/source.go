//go:build go1.25

package finding

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
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
	sign, best := Sign(f.Outcome), smaller{}
	x := s.raise(h.Prop.World, stop, func(x term.Term) bool {
		best.runs++
		o := h.Runner.One(x, true)
		if !o.Failed() || Sign(o) != sign {
			return false
		}
		best.outcome = o
		return true
	})
	if x == nil {
		return false
	}
	best.term = x
	h.replace(f, best)
	if x[0].C == schema.GivenBytes {
		return true
	}
	f.History.Source, f.Cells = nil, h.Prop.World.Cells(f.Term)
	return false
}

// raise returns the term of the highest level that fails: the encoded value or, with the smallest value, the bytes that the
// encoder makes with the fault. It returns nil if only the changed bytes fail.
func (s *Source) raise(w *schema.World, stop func() bool, fails func(term.Term) bool) (best term.Term) {
	if fails(s.Value) {
		return s.Value.Clone()
	}
	if s.Fault == "" {
		return nil
	}
	made := func(value term.Term) bool {
		x, ok := s.Encode(value)
		if !ok || !fails(x) {
			return false
		}
		best = x.Clone()
		return true
	}
	if !made(s.Value) {
		return nil
	}
	s.Value, _ = shrink.Minimise(shrink.Config{World: w, Stop: stop, Fails: made}, s.Value)
	s.Changed = false
	return best
}

// text describes the source in one line.
func (s *Source) text(p *property.Property) string {
	style := p.Place.Style()
	style.Case, style.Width = true, 1<<20
	text := words.Bounded(codec.Print(p.World, s.Value, style).Expr, messageMax)
	if _, value, ok := strings.Cut(text, "("); ok && !p.World.Encoder().Named {
		text = "encode(" + value // a function literal has no name that a user knows
	}
	if s.Fault != "" {
		text = fmt.Sprintf("%s, with a fault in the encoder: %s", text, s.Fault)
	}
	if s.Changed {
		text += "; then the bytes were changed"
	}
	return text
}
