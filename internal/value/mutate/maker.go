//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Mutant is a term that differs from its parent in one place.
type Mutant struct {
	Term     term.Term // lies in the mutator's memory; valid until the next call of the mutator
	Pos      int       // position of the changed subterm in the parent
	Kind     Kind
	Mirrored bool // the same change was made in both halves of the input
	// Key is equal for similar positions. It is a hash of the types and fields on
	// the path from the root, where recursion counts once, of the constructor that
	// has the position as a field, and of the enum fields beside it.
	Key uint64
}

// maker makes the mutants at one position of the current parent, from the candidates of
// a frame.
type maker struct {
	scene    scene
	frame    *frame // candidates of the position
	mirrored bool   // make mirrored mutants
	keys     keys
	maps     bool // the world has maps

	out, spare, last term.Term // mutants are written here
}

func newMaker(w *schema.World, c *Config, by caller) *maker {
	m := &maker{}
	m.scene = scene{
		config: c, parent: newParent(w), sampler: newSampler(w), caller: by,
		plans: func() []plan { return newPlans(w) },
	}
	m.frame, m.keys.parent = newFrame(&m.scene), &m.scene.parent
	m.maps = slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return s.Kind == schema.Map })
	return m
}

// look makes t the current parent.
func (m *maker) look(t term.Term, d draw) {
	m.scene.parent.load(t, m.scene.config.Kinds&Mirror != 0)
	m.scene.sampler.draw = d
	m.keys.reset()
}

// key returns the Key of the mutants at pos.
func (m *maker) key(pos int) uint64 { return m.keys.of(pos, m.mirrored) }

// mutant describes the mutant that write has just written.
func (m *maker) mutant() Mutant {
	pos := m.frame.node.pos
	return Mutant{Term: m.out, Pos: pos, Kind: m.frame.candidate.kind, Mirrored: m.mirrored, Key: m.key(pos)}
}

// keep returns the mutant in m.out. It stays valid while another one is made.
func (m *maker) keep() term.Term {
	m.last, m.out = m.out, m.last
	return m.last
}

// tooLarge reports whether the mutant of the current candidate would exceed
// UnitsMax.
func (m *maker) tooLarge() bool {
	grown := m.frame.candidate.size - len(m.frame.node.sub)
	if m.mirrored {
		grown *= 2
	}
	most := m.scene.config.UnitsMax
	return grown > 0 && most > 0 && len(m.scene.parent.t)+grown > most
}

// write writes the parent to m.out, with the current candidate in place of its
// subterm, and also in the other half if the mutant is mirrored. It returns false if a map
// would get the same key twice. If once is set, it also returns false if the caller
// supplied the candidate and a higher position has the same mutant.
func (m *maker) write(once bool) bool {
	n, c, t := &m.frame.node, &m.frame.candidate, m.scene.parent.t
	end, grown := n.pos+len(n.sub), c.size-len(n.sub)
	out := append(m.out[:0], t[:n.pos]...)
	for _, p := range c.pieces {
		out = append(out, p...)
	}
	if m.mirrored {
		twin := m.scene.parent.pair.other(n.pos)
		out = append(out, t[end:twin]...)
		for _, p := range c.pieces {
			out = append(out, p...)
		}
		end = twin + len(n.sub)
	}
	m.out = append(out, t[end:]...)
	if grown != 0 {
		m.growAround(n.pos, grown, 0)
		if m.mirrored {
			m.growAround(m.scene.parent.pair.other(n.pos), grown, grown)
		}
	}
	return m.settle(grown, once && (c.late || c.kind&(Fragments|Dictionary) != 0))
}

// growAround adds grown to the sizes of the nodes that contain pos. Nodes in the
// second half are at shifted positions in m.out, because the first half has grown.
func (m *maker) growAround(pos, grown, shift int) {
	p := &m.scene.parent
	for a := int(p.up[pos]); a >= 0; a = int(p.up[a]) {
		if shift != 0 && a <= p.pair.at {
			shift = 0
		}
		m.out[a+shift].N += uint32(grown)
	}
}

// settle moves map entries whose keys changed to their sorted positions. If gift is
// set, which means that the caller supplied the candidate, settle also checks whether
// a higher position has the same mutant. It returns the result of write.
func (m *maker) settle(grown int, gift bool) bool {
	if !m.maps && !gift {
		return true
	}
	pos := m.frame.node.pos
	if !m.mirrored {
		return m.climb(ascent{from: pos, gift: gift})
	}
	halves := m.scene.parent.pair.halves
	return m.climb(ascent{from: pos, top: halves[0], gift: gift, mirrored: true}) &&
		m.climb(ascent{from: m.scene.parent.pair.other(pos), top: halves[1], shift: grown}) &&
		m.climb(ascent{from: halves[0], gift: gift})
}

// ascent describes a walk from a changed position up to the position top.
type ascent struct {
	from, top int
	shift     int  // is added to a position in the parent to get the position in the mutant
	gift      bool // check whether the mutant is also one at a position on the walk
	mirrored  bool // check only positions where the mutant would be mirrored too
}

// climb does the work of settle for the positions of an ascent.
func (m *maker) climb(a ascent) bool {
	p := &m.scene.parent
	for pos := a.from; pos != a.top; {
		up := int(p.up[pos])
		if m.maps && p.isKey(up, pos) && !m.moveEntry(up+a.shift, pos+a.shift) {
			return false
		}
		if a.gift && (!a.mirrored || p.pair.mirrors(up)) && m.frame.probed().has(up, given, m.out.Sub(up)) {
			return false
		}
		pos = up
	}
	return true
}

// moveEntry moves a map entry in m.out whose key has changed to its sorted position.
// It returns false if the map has the key already, or if the key is not allowed.
func (m *maker) moveEntry(at, key int) bool {
	out := m.out
	if !plainKey(m.scene.parent.world, out.Sub(key)) {
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
			order := m.scene.parent.world.Compare(out.Sub(k), out.Sub(key))
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
