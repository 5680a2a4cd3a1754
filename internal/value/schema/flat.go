//go:build go1.25

package schema

import (
	"unicode/utf8"
	"unsafe"

	"github.com/allele-go/allele/internal/value/term"
)

// matcher is what a Match needs beyond its schemas.
type matcher struct {
	*Match
	filter  bool  // some derivations have a text that does not match
	refusal *Func // is reported if a derivation is refused
	program lazyProgram
}

// IsMatch reports whether terms of s are derivations of a text that matches a regular
// expression. The text itself would be a term of s.Base.
func (s *Schema) IsMatch() bool { return s.match != nil }

// Filtered reports whether some terms of s have no value. See Accepts.
func (s *Schema) Filtered() bool { return s.match != nil && s.match.filter }

// Accepts reports whether a term of s, which must be a Match, has a value: no list in it
// is too long or too short, and the text matches the expression.
func (s *Schema) Accepts(t term.Term) bool {
	text, ok := s.text(nil, t)
	return ok && (!s.match.filter || s.match.full.Match(text))
}

// Text returns the text of a derivation.
func (s *Schema) Text(t term.Term) []byte {
	text, _ := s.text(nil, t)
	return text
}

// Flat returns the text of a derivation as a term of s.Base.
func (s *Schema) Flat(t term.Term) term.Term { return term.AppendRaw(nil, s.Base.ID, s.Text(t)) }

func (s *Schema) text(out []byte, t term.Term) (text []byte, ok bool) {
	f := flattener{out, t, false}
	f.append(s, 0)
	return f.out, !f.unfit
}

type flattener struct {
	out   []byte
	t     term.Term
	unfit bool // a list has a length that the expression does not allow
}

// append appends the text of the subterm of s at a position and returns where the subterm
// ends.
func (f *flattener) append(s *Schema, at int) (end int) {
	n := f.t[at]
	at++
	switch s.Kind {
	case Scalar:
		f.out = utf8.AppendRune(f.out, s.Class.Rune(n.X))
	case Slice, Array:
		f.unfit = f.unfit || s.Kind == Slice && !s.FitsLen(int(n.X))
		for range n.X {
			at = f.append(s.Elem, at)
		}
	default:
		c := &s.Ctors[n.C]
		for i := range c.Fields {
			f.out = append(f.out, c.texts[i]...)
			at = f.append(c.Fields[i].S, at)
		}
		f.out = append(f.out, c.texts[len(c.Fields)]...)
	}
	return at
}

// FitsLen reports whether a slice may have n elements.
func (s *Schema) FitsLen(n int) bool { return s.LenMax == 0 || n >= s.LenMin && n <= s.LenMax }

// rule builds the text of a derivation.
func (b *Builder) rule(c *cursor, s *Schema, q unsafe.Pointer) {
	at := c.at - 1
	c.at = at + int(c.t[at].N)
	text, ok := s.text(b.flat[:0], c.t[at:c.at])
	b.flat = text
	if !ok || s.match.filter && !s.match.full.Match(text) {
		b.refused = s.match.refusal
		panic(refused{s})
	}
	if s.Base.Kind == Bytes {
		*(*[]byte)(q) = append(make([]byte, 0, len(text)), text...)
		return
	}
	*(*string)(q) = b.copied(text)
}
