//go:build go1.25

package operand

import (
	"bytes"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A program that takes texts of 32 or 36 letters compares 32 and 36 with the length of its input. If the side of a
// comparison is the length of a text, a list or a map, it is cut to the other side, or filled with its own parts.

const (
	lengthMax = 1 << 12 // bytes of a text
	elemsMax  = 1 << 8  // elements of a list
	filler    = '0'     // fills an empty text: a digit, also of a hexadecimal number
)

// textLength handles a comparison of side with other, which are width bytes wide, if the current value is a text.
func (p *proposer) textLength(side, other uint64, width int) {
	if width < 4 || side != uint64(len(p.plain)) {
		return
	}
	for _, n := range []uint64{other, other + 1} { // the length may have to be larger
		if n > lengthMax || n == side || p.full() {
			continue
		}
		if n < side {
			p.offerText(string(p.plain[:n]))
			continue
		}
		part := p.plain
		if len(part) == 0 {
			part = []byte{filler}
		}
		p.offerText(string(bytes.Repeat(part, int(n)/len(part)+1)[:n]))
		last := part[len(part)-1:]
		p.offerText(string(p.plain) + string(bytes.Repeat(last, int(n-side))))
	}
}

// listLength is like textLength, for lists and maps. A map is not filled, because its keys differ.
func (p *proposer) listLength(side, other uint64, width int) {
	n := p.now[0].X
	if width < 4 || side != n || p.s.Kind == schema.Array {
		return
	}
	for _, to := range []uint64{other, other + 1} {
		if to > elemsMax || to == n || p.full() || p.s.LenMax > 0 && !p.s.FitsLen(int(to)) {
			continue
		}
		if t := p.resized(int(to)); t != nil {
			p.offer(t)
		}
	}
}

// resized returns the current list with n elements, or nil if there is none: the first ones, or all and then the same again.
func (p *proposer) resized(n int) term.Term {
	var parts []term.Term
	per := 1
	if p.s.Kind == schema.Map {
		per = 2
	}
	for k := range p.now.Kids(0) {
		parts = append(parts, p.now.Sub(k))
	}
	if len(parts) == 0 && n > 0 {
		if p.s.Kind == schema.Map {
			return nil
		}
		parts = append(parts, p.s.Elem.Least)
	}
	if n*per > len(parts) && p.s.Kind == schema.Map {
		return nil
	}
	t := term.Term{{S: p.s.ID, C: 1, X: uint64(n)}}
	for i := range n * per {
		t = append(t, parts[i%len(parts)]...)
	}
	t[0].N = uint32(len(t))
	return t
}
