//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// candidate is a term that may replace a subterm of the parent. It is a list of pieces:
// either a node for the new constructor, followed by parts of the parent, or a single
// piece that was made as a whole or supplied by the caller. So a candidate can be
// measured and compared before it is copied.
type candidate struct {
	pieces []term.Term
	head   [1]term.Node // the first piece, if there are several
	size   int          // in units of package term
	kind   Kind
	single int          // the first field that changes, if only one or two fields change, or -1
	second int          // the second field that changes, if two fields change, or -1
	to     [2]term.Term // the new terms of the fields single and second
	whole  bool         // the candidate is a single piece
	void   bool         // there is no candidate of this number
	late   bool         // the candidate comes from a source that frame.has does not search
}

// whole is a candidate of a single piece.
type whole struct {
	kind Kind
	t    term.Term
}

func among(all []whole, t term.Term) bool {
	return slices.ContainsFunc(all, func(w whole) bool { return equal(w.t, t) })
}

// take makes c a candidate of a single piece.
func (c *candidate) take(w whole) {
	c.pieces = append(c.pieces[:0], w.t)
	c.size, c.kind, c.single, c.second, c.whole, c.void, c.late = len(w.t), w.kind, -1, -1, true, false, false
}

// put begins a candidate of several pieces, add adds a piece, and seal ends it.
func (c *candidate) put(s *schema.Schema, ctor uint16, x uint64) {
	c.head[0] = term.Node{S: s.ID, C: ctor, X: x}
	c.pieces = append(c.pieces[:0], c.head[:])
	c.size, c.single, c.second, c.whole, c.void, c.late = 1, -1, -1, false, false, false
}

func (c *candidate) add(t term.Term) {
	if len(t) > 0 {
		c.pieces = append(c.pieces, t)
		c.size += len(t)
	}
}

func (c *candidate) seal(k Kind) {
	c.head[0].N = uint32(c.size)
	c.kind = k
}

// is reports whether the candidate equals t.
func (c *candidate) is(t term.Term) bool {
	if c.size != len(t) || c.pieces[0][0] != t[0] {
		return false
	}
	for _, p := range c.pieces {
		if !term.Equal(p, t[:len(p)]) {
			return false
		}
		t = t[len(p):]
	}
	return true
}

// memory is where a frame makes terms.
type memory struct{ units term.Term }

// node makes a scalar.
func (m *memory) node(s *schema.Schema, x uint64) term.Term {
	return m.keep(append(m.units, term.Node{S: s.ID, N: 1, X: x}))
}

// ctor makes a constructor without fields.
func (m *memory) ctor(s *schema.Schema, c int) term.Term {
	return m.keep(append(m.units, term.Node{S: s.ID, C: uint16(c), N: 1}))
}

// keep returns what was appended to the units of the memory. If the memory is
// reallocated, earlier results stay valid.
func (m *memory) keep(grown term.Term) term.Term {
	from := len(m.units)
	m.units = grown
	return grown[from:len(grown):len(grown)]
}

// lend is like keep, but the memory is used again for the next term.
func (m *memory) lend(grown term.Term) term.Term {
	t := m.keep(grown)
	m.units = grown[:len(grown)-len(t)]
	return t
}
