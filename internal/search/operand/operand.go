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
	"bytes"
	"reflect"
	"unicode"

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
// long array, that could replace now. If now is one side of a comparison, the candidates are the other side and its
// neighbours. Each is returned once, in the order of the comparisons. now itself is
// not returned.
//
// A number may have been converted before it was compared, so it counts as a side if any
// conversion of integers turns it into that side. A text counts as a side if it equals
// that side or contains it, also in other letter case; only the part that equals the side is
// replaced. A number counts as part of a text that it is written in: see written.go. The elements
// of a long array count like numbers, and its memory like a text of which the length stays: see
// block.go.
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
	case s.IsText() || s.IsMatch():
		p.plain = plainText(s, now)
		for _, c := range cs {
			if !c.Text {
				p.written(c.A, c.B, int(c.Width))
				p.written(c.B, c.A, int(c.Width))
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

type proposer struct {
	s     *schema.Schema
	now   term.Term
	plain []byte // the text of now
	max   int
	found []term.Term
}

func (p *proposer) full() bool { return len(p.found) >= p.max }

func (p *proposer) offer(t term.Term) {
	if p.full() || term.Equal(t, p.now) {
		return
	}
	for _, old := range p.found {
		if term.Equal(t, old) {
			return
		}
	}
	p.found = append(p.found, t)
}

// text proposes other if the current text equals side or contains it. One proposal
// replaces the first occurrence of side, in case a prefix was compared. Another replaces
// the last occurrence, in case a suffix was compared.
func (p *proposer) text(side, other string) {
	now := p.plain
	switch {
	case p.full():
		return
	case string(now) == side:
		p.offerText(other)
		return
	case side == "":
		return // every text contains the empty one, so nothing can be concluded
	}
	for _, i := range []int{bytes.Index(now, []byte(side)), bytes.LastIndex(now, []byte(side))} {
		if i >= 0 {
			p.offerText(string(now[:i]) + other + string(now[i+len(side):]))
		}
	}
}

func (p *proposer) offerText(text string) {
	if text != string(p.plain) { // nil and an empty slice are the same text
		p.offerTerm(text)
	}
}

// offerTerm proposes a text. It does nothing if the text does not match the expression of
// the schema.
func (p *proposer) offerTerm(text string) {
	if !p.s.IsMatch() {
		p.offer(term.AppendRaw(nil, p.s.ID, text))
		return
	}
	if t, err := p.s.Parse(text); !p.full() && err == nil {
		p.offer(t)
	}
}

// plainText returns the text of a term of s.
func plainText(s *schema.Schema, t term.Term) []byte {
	if s.IsMatch() {
		return s.Text(t)
	}
	return t.Bytes(0)
}

// letter proposes the character other if the current one is side.
func (p *proposer) letter(side, other uint64) {
	if uint64(p.s.Class.Rune(p.now[0].X)) != side || other > unicode.MaxRune {
		return
	}
	if x, ok := p.s.Class.Index(rune(other)); ok {
		p.offer(term.Term{{S: p.s.ID, N: 1, X: x}})
	}
}
