//go:build go1.25

package operand

import (
	"bytes"
	"encoding/binary"

	"github.com/allele-go/allele/internal/value/term"
)

// block handles comparisons if the current value is a long array. If an element is a side of a
// comparison, it proposes the other side in its place. If the memory of the array contains a
// side, as a text or as a number of several bytes, it proposes the other side at that place. The
// array keeps its length.
func (p *proposer) block(cs []Compared) {
	if !isInteger(p.s.Elem.Type) {
		return
	}
	p.plain = p.now.Bytes(0)
	for _, c := range cs {
		switch {
		case p.full():
			return
		case c.Text:
			p.overlay([]byte(c.X), []byte(c.Y))
			p.overlay([]byte(c.Y), []byte(c.X))
		default:
			p.element(c.A, c.B, int(c.Width))
			p.element(c.B, c.A, int(c.Width))
			p.encoded(c.A, c.B, int(c.Width))
			p.encoded(c.B, c.A, int(c.Width))
		}
	}
}

// element proposes other in place of the first element that is side, and of the last one.
func (p *proposer) element(side, other uint64, width int) {
	first, last := -1, -1
	for i := range p.s.Len {
		x := p.s.Item(p.plain, i)
		for _, signed := range []bool{true, false} {
			if (conversion{bits: p.s.Elem.Bits, signed: signed, width: 8 * width}).to(x) == side {
				if last = i; first < 0 {
					first = i
				}
			}
		}
	}
	for _, i := range []int{first, last} {
		if i < 0 || p.full() {
			return
		}
		q := proposer{s: p.s.Elem, now: term.Term{{S: p.s.Elem.ID, N: 1, X: p.s.Item(p.plain, i)}}, max: p.max}
		q.number(side, other, width)
		for _, t := range q.found {
			u := p.now.Clone()
			p.s.SetItem(u.Bytes(0), i, t[0].X)
			p.offer(u)
		}
	}
}

// encoded proposes other where the memory has side as a number of several bytes, in either
// byte order.
func (p *proposer) encoded(side, other uint64, width int) {
	for ; width > 1 && narrow(side, width) && narrow(other, width); width /= 2 {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			p.overlay(ordered(order, side, width), ordered(order, other, width))
		}
	}
}

// overlay writes other over the first occurrence of side, and over the last one. It does
// nothing if side is nothing but zeros: most of a long array may be zero.
func (p *proposer) overlay(side, other []byte) {
	if zeros := len(bytes.Trim(side, "\x00")) == 0; zeros && len(side) < len(p.plain) {
		return
	}
	for _, i := range []int{bytes.Index(p.plain, side), bytes.LastIndex(p.plain, side)} {
		if i < 0 || p.full() {
			return
		}
		u := p.now.Clone()
		copy(u.Bytes(0)[i:], other)
		p.offer(u)
	}
}
