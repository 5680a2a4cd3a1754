package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Each mutant is made once.
//
// Candidates of one position differ from each other. Mutants at positions side by
// side differ too, because each leaves unchanged what the other changes. But a
// pair (a, b) that becomes (b, b) may equal a mutant at its first field. All
// positions that have a given mutant as a candidate lie on one line from the root
// down. If some of them derive the mutant from the parent alone, the deepest of
// these makes it. Otherwise only the caller supplies it, and the topmost position
// makes it.
//
// So a candidate is dropped if a position below makes the same mutant (below). A
// candidate supplied by the caller is also dropped if a position above has it
// (offers). The caller's candidates are not looked up below: the caller may no
// longer supply them when the enumeration gets there, and then the mutant would
// be lost.

// changes lists the kids in which a term differs from the parent, if they are
// few.
type changes struct {
	n   int // 0, 1, 2, or more
	pos [2]int
	to  [2]term.Term
}

func (c *changes) add(pos int, to term.Term) {
	if c.n < 2 {
		c.pos[c.n], c.to[c.n] = pos, to
	}
	c.n++
}

// below reports whether the current candidate is made at a position below.
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

// mirroredBelow is below for a change of both halves.
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

// changes finds the kids that differ between the subterm at pos and u. It finds
// none if the node itself differs.
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

// mapChanges matches entries by their keys. If one key was removed and another
// added with the same value, that key was changed.
func (m *Mutator) mapChanges(pos int, u term.Term) (c changes) {
	t, end := m.t, pos+len(m.t.Sub(pos))
	var gone, came changes // the keys
	var kept [2]term.Term  // the values of the first key of each
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

// write splices the current candidate into m.out, and also at the twin if it is
// mirrored. It reports false if a map would get the same key twice, or if the
// caller supplied the candidate and a position above has it too.
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
	return m.settle(mirrored, grown, once && f.kind&(Fragments|Dictionary) != 0)
}

// growAround adds to the sizes of the nodes around pos. Nodes in the second half
// were shifted when the first half grew.
func (m *Mutator) growAround(pos, grown, shift int) {
	for a := int(m.parent[pos]); a >= 0; a = int(m.parent[a]) {
		if shift != 0 && a <= m.pair {
			shift = 0
		}
		m.out[a+shift].N += uint32(grown)
	}
}

// settle moves map entries whose keys changed, and looks for the caller's
// candidates at positions above.
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

// ascent goes up from a change.
type ascent struct {
	from, top int
	shift     int  // from a position in the parent to that in the mutant
	gift      bool // look for the same mutant at the positions above,
	mirrored  bool // if it would be mirrored there too
}

// climb settles all positions of an ascent.
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

// offers reports whether the mutant's subterm at pos, which differs in one kid or
// in both halves, is a candidate there.
func (m *Mutator) offers(pos int) bool { return m.frame.probed().has(pos, true, m.out.Sub(pos)) }

// isKey reports whether the kid of p at pos is a key of a map.
func (m *Mutator) isKey(p, pos int) bool {
	return m.maps && m.world.Of(m.t[p]).Kind == schema.Map && m.field(pos) == 0
}

// moveEntry moves the entry of a map in m.out whose key changed to its sorted
// place. It reports false if the map has the key already, or the key is not
// allowed.
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
