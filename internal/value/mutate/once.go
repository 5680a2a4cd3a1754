//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// This file ensures that each mutant is made once.
//
// Candidates of one position differ from each other. Mutants at two positions differ
// too if neither position contains the other, because each mutant leaves unchanged
// what the other changes. But if a pair (a, b) becomes (b, b), this may also be a
// mutant at its first field. All positions that have a given mutant as a candidate
// lie on one path from the root down. If some of them derive the mutant from the
// parent alone, the deepest of these makes it. Otherwise the mutant is only supplied
// by the caller, and the topmost position makes it.
//
// So a candidate is dropped if a deeper position makes the same mutant (see below).
// A candidate supplied by the caller is also dropped if a higher position has it
// (see offers). Candidates that the caller supplies for deeper positions are not
// considered: the caller may no longer supply them when the enumeration gets there,
// and then the mutant would be lost.

// changes lists the kids (fields or elements) in which a term differs from the
// parent. It has the first two only.
type changes struct {
	n   int // number of different kids; more than 2 means many
	pos [2]int
	to  [2]term.Term
}

func (c *changes) add(pos int, to term.Term) {
	if c.n < 2 {
		c.pos[c.n], c.to[c.n] = pos, to
	}
	c.n++
}

// below reports whether a position below that of the frame makes the same mutant as
// the current candidate.
func (m *Mutator) below(f *frame) bool {
	var c changes
	switch {
	case f.whole && !f.s.IsScalar():
		c = m.changes(f.pos, f.pieces[0])
	case f.whole || f.single < 0:
		return false
	default:
		c.add(int(f.kidPos[f.single]), f.to[0])
		if f.second >= 0 {
			c.add(int(f.kidPos[f.second]), f.to[1])
		}
	}
	probe := f.probed()
	for pos := f.pos; ; {
		if pos == m.pair && c.n == 2 && c.pos == m.halves {
			return m.mirroredBelow(probe, c)
		}
		if c.n != 1 {
			return false
		}
		if probe.has(c.pos[0], false, c.to[0]) {
			return true
		}
		pos = c.pos[0]
		c = m.changes(pos, c.to[0])
	}
}

// mirroredBelow is like below, for a candidate that changes both halves.
func (m *Mutator) mirroredBelow(probe *frame, c changes) bool {
	for {
		if m.mirrors(c.pos[0]) && equal(c.to[0], c.to[1]) && probe.has(c.pos[0], false, c.to[0]) {
			return true
		}
		a, b := m.changes(c.pos[0], c.to[0]), m.changes(c.pos[1], c.to[1])
		if a.n != 1 || b.n != 1 || int(m.twin[a.pos[0]]) != b.pos[0] {
			return false
		}
		c.pos, c.to = [2]int{a.pos[0], b.pos[0]}, [2]term.Term{a.to[0], b.to[0]}
	}
}

// changes finds the kids in which u differs from the subterm at pos. It finds none
// if the root nodes differ.
func (m *Mutator) changes(pos int, u term.Term) (c changes) {
	t := m.t
	if t[pos].C != u[0].C || t[pos].X != u[0].X || u[0].C == term.Raw {
		return c
	}
	if m.world.Of(u[0]).Kind == schema.Map {
		return m.mapChanges(pos, u)
	}
	for i, j := pos+1, 1; j < len(u) && c.n <= 2; {
		if a, b := t.Sub(i), u.Sub(j); !equal(a, b) {
			c.add(i, b)
		}
		i, j = i+int(t[i].N), j+int(u[j].N)
	}
	return c
}

// mapChanges is like changes, for maps. It matches entries by their keys. If one
// entry was removed and another with the same value was added, the key counts as
// changed.
func (m *Mutator) mapChanges(pos int, u term.Term) (c changes) {
	t, end := m.t, pos+len(m.t.Sub(pos))
	var gone, came changes // keys that were removed, and keys that were added
	var kept [2]term.Term  // the value of a removed key, and of an added key
	for i, j := pos+1, 1; i < end || j < len(u); {
		order := 0
		switch {
		case i >= end:
			order = 1
		case j >= len(u):
			order = -1
		default:
			order = m.world.Compare(t.Sub(i), u.Sub(j))
		}
		if order <= 0 {
			v := t.Sub(i + int(t[i].N))
			if order < 0 {
				gone.add(i, nil)
				kept[0] = v
			} else if w := u.Sub(j + int(u[j].N)); !equal(v, w) {
				c.add(i+int(t[i].N), w)
			}
			i += int(t[i].N) + len(v)
		}
		if order >= 0 {
			w := u.Sub(j + int(u[j].N))
			if order > 0 {
				came.add(0, u.Sub(j))
				kept[1] = w
			}
			j += int(u[j].N) + len(w)
		}
	}
	switch {
	case gone.n == 0:
	case gone.n == 1 && c.n == 0 && equal(kept[0], kept[1]):
		c.add(gone.pos[0], came.to[0])
	default:
		c.n = 3
	}
	return c
}

// write writes the parent to m.out, with the current candidate in place of its
// subterm, and also in the other half if mirrored is set. It returns false if a map
// would get the same key twice. If once is set, it also returns false if the caller
// supplied the candidate and a higher position has the same mutant.
func (m *Mutator) write(mirrored, once bool) bool {
	f, t := &m.frame, m.t
	pos, end, grown := f.pos, f.pos+len(f.sub), f.size-len(f.sub)
	out := append(m.out[:0], t[:pos]...)
	for _, p := range f.pieces {
		out = append(out, p...)
	}
	if mirrored {
		twin := int(m.twin[pos])
		out = append(out, t[end:twin]...)
		for _, p := range f.pieces {
			out = append(out, p...)
		}
		end = twin + len(f.sub)
	}
	m.out = append(out, t[end:]...)
	if grown != 0 {
		m.growAround(pos, grown, 0)
		if mirrored {
			m.growAround(int(m.twin[pos]), grown, grown)
		}
	}
	return m.settle(mirrored, grown, once && (f.late || f.kind&(Fragments|Dictionary) != 0))
}

// growAround adds grown to the sizes of the nodes that contain pos. Nodes in the
// second half are at shifted positions in m.out, because the first half has grown.
func (m *Mutator) growAround(pos, grown, shift int) {
	for a := int(m.parent[pos]); a >= 0; a = int(m.parent[a]) {
		if shift != 0 && a <= m.pair {
			shift = 0
		}
		m.out[a+shift].N += uint32(grown)
	}
}

// settle moves map entries whose keys changed to their sorted positions. If gift is
// set, which means that the caller supplied the candidate, settle also checks whether
// a higher position has the same mutant. It returns the result of write.
func (m *Mutator) settle(mirrored bool, grown int, gift bool) bool {
	if !m.maps && !gift {
		return true
	}
	if !mirrored {
		return m.climb(ascent{from: m.frame.pos, gift: gift})
	}
	twin := int(m.twin[m.frame.pos])
	return m.climb(ascent{from: m.frame.pos, top: m.halves[0], gift: gift, mirrored: true}) &&
		m.climb(ascent{from: twin, top: m.halves[1], shift: grown}) &&
		m.climb(ascent{from: m.halves[0], gift: gift})
}

// ascent describes a walk from a changed position up to the position top.
type ascent struct {
	from, top int
	shift     int  // is added to a position in the parent to get the position in the mutant
	gift      bool // check whether a position on the walk has the same mutant
	mirrored  bool // check only positions where the mutant would be mirrored too
}

// climb does the work of settle for the positions of an ascent.
func (m *Mutator) climb(a ascent) bool {
	for pos := a.from; pos != a.top; {
		p := int(m.parent[pos])
		if m.isKey(p, pos) && !m.moveEntry(p+a.shift, pos+a.shift) {
			return false
		}
		if a.gift && (!a.mirrored || m.mirrors(p)) && m.offers(p) {
			return false
		}
		pos = p
	}
	return true
}

// offers reports whether the mutant in m.out is also a mutant at pos: its subterm at
// pos is one of the candidates for pos.
func (m *Mutator) offers(pos int) bool { return m.frame.probed().has(pos, true, m.out.Sub(pos)) }

// isKey reports whether the kid of p at pos is a key of a map.
func (m *Mutator) isKey(p, pos int) bool {
	return m.maps && m.world.Of(m.t[p]).Kind == schema.Map && m.field(pos) == 0
}

// moveEntry moves a map entry in m.out whose key has changed to its sorted position.
// It returns false if the map has the key already, or if the key is not allowed.
func (m *Mutator) moveEntry(at, key int) bool {
	out := m.out
	if !plainKey(m.world, out.Sub(key)) {
		return false
	}
	end := at + int(out[at].N)
	size := int(out[key].N)
	size += int(out[key+size].N)
	dest := end
	for k := at + 1; k < end; {
		next := k + int(out[k].N)
		next += int(out[next].N)
		if k != key {
			order := m.world.Compare(out.Sub(k), out.Sub(key))
			if order == 0 {
				return false
			}
			if order > 0 {
				dest = k
				break
			}
		}
		k = next
	}
	m.spare = append(m.spare[:0], out[key:key+size]...)
	if dest <= key {
		copy(out[dest+size:key+size], out[dest:key])
		copy(out[dest:], m.spare)
		return true
	}
	copy(out[key:], out[key+size:dest])
	copy(out[dest-size:], m.spare)
	return true
}
