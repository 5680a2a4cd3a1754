//go:build go1.25

// Package operand turns the values that a program compared its input with into new
// inputs.
//
// A search that changes numbers at random does not guess 0x1badb002. But when the
// program compares its input with that number, both sides can be recorded. If one
// side occurs in the input, the other side is worth trying in its place:
//
//	r.Begin()                      // operand process: record a run
//	...                            // the property runs
//	cs := r.End()                  // 41 was compared with 0x1badb002
//	ts := Candidates(s, now, cs, 8) // search: now is 41, so try 0x1badb002
//
// Constants in the source need no run; Literals returns those of a type.
//
// Comparisons are recorded by a second build of the program, in a separate process,
// and sent to the search as bytes: see wire.go.
package operand

import (
	"reflect"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Compared is a pair of different values that a program compared: numbers of Width
// bytes, extended with zeros, or texts.
type Compared struct {
	A, B  uint64
	Width uint8 // 1, 2, 4 or 8; 0 for texts
	Text  bool
	X, Y  string
}

// Candidates returns at most max terms of s, a scalar, a text, a derivation of a text or a
// long array, or a list, that could replace now. If now is one side of a comparison, the candidates are the other side and its
// neighbours. Each is returned once, in the order of the comparisons. now itself is
// not returned.
//
// A number may have been converted before it was compared, so it counts as a side if any
// conversion of integers turns it into that side. A text counts as a side if it equals
// that side or contains it, also in other letter case; only the part that equals the side is
// replaced. A number counts as part of a text that it is written in: see written.go. The elements
// of a long array count like numbers, and its memory like a text of which the length stays: see
// block.go. A number that is the length of a text or list is one side too: see lengths.go.
func Candidates(s *schema.Schema, now term.Term, cs []Compared, max int) []term.Term {
	p := proposer{s: s, now: now, max: max}
	switch {
	case s.Class != nil:
		for _, c := range cs {
			if !c.Text {
				p.letter(c.A, c.B)
				p.letter(c.B, c.A)
			}
		}
	case s.Kind == schema.Scalar && isInteger(s.Type):
		for _, c := range cs {
			if !c.Text {
				p.number(c.A, c.B, int(c.Width))
				p.number(c.B, c.A, int(c.Width))
			}
		}
	case s.Kind == schema.Block:
		p.block(cs)
	case s.Kind == schema.Slice || s.Kind == schema.Map:
		for _, c := range cs {
			if !c.Text {
				p.listLength(c.A, c.B, int(c.Width))
				p.listLength(c.B, c.A, int(c.Width))
			}
		}
	case s.IsText() || s.IsMatch():
		p.plain = plainText(s, now)
		for _, c := range cs {
			if !c.Text {
				p.written(c.A, c.B, int(c.Width))
				p.written(c.B, c.A, int(c.Width))
				p.textLength(c.A, c.B, int(c.Width))
				p.textLength(c.B, c.A, int(c.Width))
				continue
			}
			p.text(c.X, c.Y)
			p.text(c.Y, c.X)
			p.folded(c.X, c.Y)
			p.folded(c.Y, c.X)
		}
	}
	return p.found
}

func isInteger(t reflect.Type) bool {
	k := t.Kind()
	return k >= reflect.Int && k <= reflect.Uintptr
}
