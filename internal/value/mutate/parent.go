//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// parent is the term whose mutants are made, and what is computed from it.
type parent struct {
	world  *schema.World
	cyclic []bool // by schema: whether a term of it can contain another term of it

	t     term.Term
	order []int32 // the positions of all nodes, those near the root first
	up    []int32 // by position: the position of the node around it, -1 for the root
	pair  pair
}

// load makes t the parent.
func (p *parent) load(t term.Term, mirror bool) {
	p.t, p.pair.at = t, -1
	p.up = resize(p.up, len(t))
	p.up[0] = -1
	p.levels()
	if mirror {
		p.pair.find(p.world, t)
	}
}

// resize returns a slice of length n with undefined content.
func resize(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, 2*n)
	}
	return s[:n]
}

// levels lists the positions level by level, so large subterms are changed before small
// ones.
func (p *parent) levels() {
	t, up, order := p.t, p.up, append(p.order[:0], 0)
	for head := 0; head < len(order); head++ {
		pos := order[head]
		if t[pos].C == term.Raw {
			continue
		}
		for k, end := pos+1, pos+int32(t[pos].N); k < end; k += int32(t[k].N) {
			up[k] = pos
			order = append(order, k)
		}
	}
	p.order = order
}

// field returns the index of the field at pos: 0 in a list and for keys of a map,
// 1 for values of a map.
func (p *parent) field(pos int) (n uint64) {
	up := int(p.up[pos])
	if up < 0 {
		return 0
	}
	s := p.world.Of(p.t[up])
	if s.Kind == schema.Slice || s.Kind == schema.Array {
		return 0
	}
	for k := up + 1; k < pos; k += int(p.t[k].N) {
		n++
	}
	if s.Kind == schema.Map {
		n &= 1
	}
	return n
}

// isKey reports whether the kid of up at pos is a key of a map.
func (p *parent) isKey(up, pos int) bool {
	return p.world.Of(p.t[up]).Kind == schema.Map && p.field(pos) == 0
}

// someScalar finds a scalar of schema s: the first one after a random position.
func (p *parent) someScalar(r *rng.Rand, s *schema.Schema) term.Term {
	from := r.Below(len(p.order))
	for i := range p.order {
		i += from
		if i >= len(p.order) {
			i -= len(p.order)
		}
		if pos := p.order[i]; p.t[pos].S == s.ID {
			return p.t.Sub(int(pos))
		}
	}
	return nil
}

// node is one node of the parent.
type node struct {
	pos    int
	s      *schema.Schema
	sub    term.Term   // the subterm at pos
	kids   []term.Term // its fields or elements; a map entry is two kids
	kidPos []int32
}

// load moves to the node at pos.
func (n *node) load(p *parent, pos int) {
	n.pos, n.s, n.sub = pos, p.world.Of(p.t[pos]), p.t.Sub(pos)
	n.kids, n.kidPos = n.kids[:0], n.kidPos[:0]
	if n.s.IsScalar() {
		return
	}
	for k, end := pos+1, pos+len(n.sub); k < end; k += int(p.t[k].N) {
		n.kidPos = append(n.kidPos, int32(k))
		n.kids = append(n.kids, p.t.Sub(k))
	}
}

// perElem returns how many kids an element has: two for a map entry.
func (n *node) perElem() int {
	if n.s.Kind == schema.Map {
		return 2
	}
	return 1
}

// elems returns the elements i to j-1, one after another.
func (n *node) elems(i, j int) term.Term {
	if i >= j {
		return nil
	}
	per := n.perElem()
	from, to := int(n.kidPos[i*per])-n.pos, len(n.sub)
	if j*per < len(n.kidPos) {
		to = int(n.kidPos[j*per]) - n.pos
	}
	return n.sub[from:to]
}

// kid reports whether the node has a kid of the same schema as t, and one that equals t.
func (n *node) kid(t term.Term) (same, found bool) {
	for i := range n.kids {
		if n.kids[i][0].S == t[0].S {
			if same = true; equal(n.kids[i], t) {
				return true, true
			}
		}
	}
	return same, false
}

// equal compares subterms. It compares the first units first, because most different
// subterms differ there.
func equal(a, b term.Term) bool { return a[0] == b[0] && term.Equal(a, b) }

// indexOf returns the index of t in items, or -1.
func indexOf(items []term.Term, t term.Term) int {
	for i := range items {
		if equal(items[i], t) {
			return i
		}
	}
	return -1
}

// isEnum reports whether a schema has few values: declared values, constants, or a
// bool.
func isEnum(s *schema.Schema) bool {
	return s.Kind == schema.Choice || s.Kind == schema.Scalar && (len(s.Consts) > 0 || s.Lo == 0 && s.Hi == 1 && !s.IsFloat())
}
