// Package operand turns what a program compared its input with into inputs.
//
// A search that changes numbers by chance does not guess 0x1badb002. But the
// program knows it: when the input is compared with it, both sides go by. If one
// side is found in the input, the other side is worth a try in its place:
//
//	r.Begin()                      // operand process: record a run
//	...                            // the property runs
//	cs := r.End()                  // 41 was compared with 0x1badb002
//	ts := Candidates(s, now, cs, 8) // search: now is 41, so try 0x1badb002
//
// Constants that stand in the source need no run; Literals gives those of a type.
//
// Comparisons come from a second build of the program, in a process of its own,
// and go to the search as bytes: see wire.go.
package operand

import (
	"bytes"
	"reflect"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Compared is two different things that a program compared: numbers of so many
// bytes, extended with zeros, or texts.
type Compared struct {
	A, B  uint64
	Width uint8 // 1, 2, 4 or 8; 0 for texts
	Text  bool
	X, Y  string
}

// Candidates gives at most max terms of s, a scalar or text, to put in place of
// now: where now is one side of a comparison, the other side and its neighbours.
// Each comes once, in the order of the comparisons, and now not at all.
//
// A number may have been converted before it was compared, so it counts as a side
// if any conversion of integers makes it one. A text counts if it is a side, or
// holds one; then that part is replaced.
func Candidates(s *schema.Schema, now term.Term, cs []Compared, max int) []term.Term {
	p := proposer{s: s, now: now, max: max}
	switch {
	case s.Kind == schema.Scalar && isInteger(s.Type):
		for _, c := range cs {
			if !c.Text {
				p.number(c.A, c.B, int(c.Width))
				p.number(c.B, c.A, int(c.Width))
			}
		}
	case s.Kind == schema.String || s.Kind == schema.Bytes:
		for _, c := range cs {
			if c.Text {
				p.text(c.X, c.Y)
				p.text(c.Y, c.X)
			}
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

// text proposes other where the text is side, or holds it. A prefix is found in
// the first place, a suffix in the last.
func (p *proposer) text(side, other string) {
	now := p.now.Bytes(0)
	switch {
	case p.full():
		return
	case string(now) == side:
		p.offerText(other)
		return
	case side == "":
		return // it is everywhere
	}
	for _, i := range []int{bytes.Index(now, []byte(side)), bytes.LastIndex(now, []byte(side))} {
		if i >= 0 {
			p.offerText(string(now[:i]) + other + string(now[i+len(side):]))
		}
	}
}

func (p *proposer) offerText(text string) {
	if text != string(p.now.Bytes(0)) { // no bytes and nil are one text
		p.offer(term.AppendRaw(nil, p.s.ID, text))
	}
}
