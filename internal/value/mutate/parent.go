//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// parent is the term whose mutants are made, and what is computed from it.
type parent struct {
	world  *schema.World
	cyclic []bool // by schema: whether a term of it can contain another term of it
	texts  bool   // there are nodes of several units

	t     term.Term
	order []int32 // see levels; empty if it is not computed yet
	up    []int32 // by position: the position of the node around it, -1 for the root; see levels and reach
	pair  pair
}

func newParent(w *schema.World) parent {
	texts := slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return s.IsScalar() && s.Kind != schema.Scalar })
	return parent{world: w, cyclic: w.Cyclic(), texts: texts}
}

// load makes t the parent. Call levels or reach next.
func (p *parent) load(t term.Term, mirror bool) {
	p.t, p.pair.at, p.order = t, -1, p.order[:0]
	p.up = resize(p.up, len(t))
	p.up[0] = -1
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

// levels lists the positions of all nodes level by level, so large subterms are changed before small
// ones. It computes up for all of them.
func (p *parent) levels() []int32 {
	if len(p.order) == 0 {
		p.sort()
	}
	return p.order
}

func (p *parent) sort() {
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

// reach computes up for pos and the nodes around it only, which takes less time than levels. The position is of a node.
func (p *parent) reach(pos int) {
	for at := 0; at != pos; {
		k := at + 1
		for k+int(p.t[k].N) <= pos {
			k += int(p.t[k].N)
		}
		p.up[k] = int32(at)
		at = k
	}
}

// someNode returns the position of a random node.
func (p *parent) someNode(r *rng.Rand) (pos int) {
	if !p.texts {
		return r.Below(len(p.t)) // each unit is a node
	}
	n := 0
	for range p.t.Nodes() {
		n++
	}
	n = r.Below(n)
	for pos = range p.t.Nodes() {
		if n--; n < 0 {
			break
		}
	}
	return pos
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

// someScalar finds a scalar of schema s: the first one after a random unit, or the first one.
func (p *parent) someScalar(r *rng.Rand, s *schema.Schema) (found term.Term) {
	from := r.Below(len(p.t))
	for pos := range p.t.Nodes() {
		if p.t[pos].S != s.ID || found != nil && pos < from {
			continue
		}
		if found = p.t.Sub(pos); pos >= from {
			break
		}
	}
	return found
}

// kid reports whether the node at pos has a kid of the same schema as t, and one that equals t.
func (p *parent) kid(pos int, t term.Term) (same, found bool) {
	for k, end := pos+1, pos+int(p.t[pos].N); k < end; k += int(p.t[k].N) {
		if p.t[k].S == t[0].S {
			if same = true; equal(p.t.Sub(k), t) {
				return true, true
			}
		}
	}
	return same, false
}

// swapped reports whether t is the list at pos with other elements at no place or at several places.
func (p *parent) swapped(pos int, t term.Term) bool {
	n := 0
	for i, j := pos+1, 1; j < len(t); {
		if !equal(p.t.Sub(i), t.Sub(j)) {
			n++
		}
		i, j = i+int(p.t[i].N), j+int(t[j].N)
	}
	return n != 1
}

// mayBeWay is a quick check whether t may be one of the ways for the node at pos. It returns false if t
// has a field that is certainly not an item.
func mayBeWay(p *parent, pos int, t term.Term) bool {
	for k := 1; k < len(t); k += int(t[k].N) {
		if same, found := p.kid(pos, t.Sub(k)); same {
			if !found {
				return false
			}
		} else if s := p.world.Of(t[k]); rigid(s) && !equal(t.Sub(k), s.Least) {
			return false
		}
	}
	return true
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
