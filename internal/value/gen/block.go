//go:build go1.25

package gen

import (
	"cmp"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	// blockDense is the length of the longest array all of whose elements are drawn. A longer
	// one is mostly zero, because to draw a page of 64 KiB takes longer than most properties.
	blockDense = 64
	// blockParts is the maximal number of parts of a longer array that are drawn, each of at
	// most blockDense elements.
	blockParts = 4
	// blocksSeen is how many arrays of the current term are remembered, to be used again.
	blocksSeen = 8
)

// seenBlock is an array of the current term.
type seenBlock struct {
	s      uint16
	memory []byte
}

// block draws a long array of scalars. Code that looks up IDs does nothing unless two of them
// are equal, so about one array in eight is a copy of an earlier one in this term.
func (g *Gen) block(s *schema.Schema) {
	at := len(g.out)
	g.out = append(g.out, s.Least...)
	memory := g.out.Bytes(at)
	switch d := g.r.Below(32); {
	case d == 0: // zero
	case d == 1:
		x := g.item(s.Elem)
		for i := range s.Len {
			s.SetItem(memory, i, x)
		}
	case d < 6 && g.again(s, memory):
		return
	case d == 6 || s.Len <= blockDense:
		g.items(s, memory, stretch{0, s.Len})
	default:
		for range 1 + g.r.Below(blockParts) {
			g.items(s, memory, g.stretch(s, memory))
		}
	}
	if s.Len <= blockDense {
		seen := &g.blocks[g.held%blocksSeen]
		seen.s, seen.memory = s.ID, append(seen.memory[:0], memory...)
		g.held++
	}
}

// again copies an earlier array. It returns false if the one that it draws has another type.
func (g *Gen) again(s *schema.Schema, memory []byte) bool {
	if g.held == 0 {
		return false
	}
	seen := &g.blocks[g.r.Below(min(g.held, blocksSeen))]
	return seen.s == s.ID && copy(memory, seen.memory) > 0
}

// blockLike draws an array with the elements that a pattern fixes.
func (g *Gen) blockLike(s *schema.Schema, shape *schema.Shape) {
	at := len(g.out)
	g.block(s)
	for i, item := range shape.Fields {
		if item != nil {
			s.SetItem(g.out.Bytes(at), i, item.X)
		}
	}
}

// stretch is a range of elements.
type stretch struct{ from, to int }

// stretch draws a range of at most blockDense elements. Half of the ranges begin at an element
// that is not zero, if there is one.
func (g *Gen) stretch(s *schema.Schema, memory []byte) stretch {
	from := g.r.Below(s.Len)
	if g.r.OneIn(2) {
		if at := s.ItemFrom(memory, from); at < s.Len {
			from = at
		} else if at = s.ItemFrom(memory, 0); at < s.Len {
			from = at
		}
	}
	return stretch{from, from + 1 + g.r.Below(min(blockDense, s.Len-from))}
}

func (g *Gen) items(s *schema.Schema, memory []byte, at stretch) {
	for i := at.from; i < at.to; i++ {
		s.SetItem(memory, i, g.item(s.Elem))
	}
}

// item draws an element. Bytes are drawn as those of a byte slice are.
func (g *Gen) item(s *schema.Schema) uint64 {
	if s.Bits != 8 || s.Hi != 255 || len(s.Consts) > 0 {
		return g.scalar(s)
	}
	u := g.r.Uint64()
	if u&1 == 0 {
		return u >> 8 & 255
	}
	return u >> 8 & 7
}

// Vary returns a long array of schema s that differs from now in an element or in a range of
// elements. It may also be equal to now. It is valid until the next call.
func (g *Gen) Vary(r rng.Rand, s *schema.Schema, now term.Term, size int) term.Term {
	g.r, g.reach, g.out, g.held = r, cmp.Or(g.Reach, size), append(g.out[:0], now...), 0
	memory := g.out.Bytes(0)
	at := g.stretch(s, memory)
	width := s.Elem.Bits / 8
	part := memory[at.from*width : at.to*width]
	switch g.r.Below(8) {
	case 0:
		g.items(s, memory, at)
	case 1:
		clear(part)
	case 2: // copy the range to another place
		copy(memory[width*g.r.Below(s.Len):], part)
	case 3: // exchange two elements
		i := g.r.Below(s.Len)
		x, y := s.Item(memory, i), s.Item(memory, at.from)
		s.SetItem(memory, i, y)
		s.SetItem(memory, at.from, x)
	case 4:
		if x := fit(s.Elem, s.Item(memory, at.from)+1-2*(g.r.Uint64()&1)); s.Elem.In(x) && !s.Elem.IsFloat() {
			s.SetItem(memory, at.from, x)
			break
		}
		fallthrough
	default:
		s.SetItem(memory, at.from, g.item(s.Elem))
	}
	return g.out
}
