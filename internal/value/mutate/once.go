package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Each mutant once.
//
// Candidates of one position differ, and mutants of positions side by side do:
// each leaves alone what the other changes. But a pair (a, b) that becomes
// (b, b) may equal a mutant at its first field. Let u be a mutant, and look at
// all positions that have it as a candidate; they lie on one way down. If some
// have it from the parent alone, the deepest of these makes it. Otherwise only
// the caller gives it, and the topmost makes it.
//
// So a candidate is dropped if a position below makes the same (below), and one
// that the caller gave also if a position above has it (offers). What the
// caller gives is not looked for below: it may be gone when we get there, and
// then the mutant would be lost.

// changes is where a term differs from the parent: which kids, if few.
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

// below reports whether the present candidate is made at a position below.
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

// mirroredBelow does the same for a change of both halves.
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

// changes finds the kids that differ between the subterm at pos and u. There
// are none if the node itself differs.
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

// mapChanges pairs entries by their keys. Where one key went and another came
// with the same value, that key was changed.
func (m *Mutator) mapChanges(pos int, u term.Term) (c changes) {
	t, end := m.t, pos+len(m.t.Sub(pos))
	var gone, came changes // the keys
	var kept [2]term.Term  // the values of the first of either
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

// write splices the present candidate into m.out, at the twin as well if it is
// mirrored. It reports false if a map would get the same key twice, or if the
// caller gave the candidate and a position above has it too.
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
		m.mend(pos, grown, 0)
		if mirrored {
			m.mend(int(m.twin[pos]), grown, grown)
		}
	}
	return m.settle(mirrored, grown, once && f.kind&(Fragments|Dictionary) != 0)
}

// mend adds to the sizes of the nodes around pos. Those in the second half were
// shifted when the first grew.
func (m *Mutator) mend(pos, grown, shift int) {
	for a := int(m.parent[pos]); a >= 0; a = int(m.parent[a]) {
		if shift != 0 && a <= m.pair {
			shift = 0
		}
		m.out[a+shift].N += uint32(grown)
	}
}

// settle moves entries of maps whose keys changed, and looks above for gifts.
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

// ascent is a way up from a change.
type ascent struct {
	from, top int
	shift     int  // from a position of the parent to that of the mutant
	gift      bool // look for the same mutant on the way,
	mirrored  bool // where it would be mirrored too
}

// climb settles what lies on the way.
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

// offers reports whether what the mutant has at pos, different in one kid or in
// both halves, is a candidate there.
func (m *Mutator) offers(pos int) bool { return m.frame.probed().has(pos, true, m.out.Sub(pos)) }

// isKey reports whether the kid of p at pos is a key of a map.
func (m *Mutator) isKey(p, pos int) bool {
	return m.maps && m.world.Of(m.t[p]).Kind == schema.Map && m.field(pos) == 0
}

// moveEntry puts the entry of a map in m.out whose key changed where it belongs.
// It reports false if the key is there already, or can be none.
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
