//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// randomTries is how many positions are tried for one random mutant. Usually only
// few positions have no mutants. If none of two dozen positions has one, nearly all
// have none.
const randomTries = 24

// Random makes one mutant at a random position. Where a mirrored mutant is possible,
// it is made half of the time. Random returns false if it found no mutant.
func (m *Mutator) Random(parent term.Term, r *rng.Rand) (Mutant, bool) {
	return m.random(parent, r, 1)
}

// Apart makes two changes: if possible a mirrored one, in both halves of a pair, and
// then one in one place alone. So two equal halves first become another pair of
// equal halves, and then differ in one place. This is for properties that compare
// two nearly equal values: the second change makes such a property fail, but whether
// it can depends on the first change.
func (m *Mutator) Apart(parent term.Term, r *rng.Rand) (Mutant, bool) {
	if _, ok := m.random(parent, r, 2); ok {
		m.last, m.out = m.out, m.last
		parent = m.last
	}
	return m.random(parent, r, 0)
}

// random makes one mutant. Where a mirrored mutant is possible, it is made with
// probability mirrored/2.
func (m *Mutator) random(parent term.Term, r *rng.Rand, mirrored int) (Mutant, bool) {
	m.look(parent, draw{max(1, m.Samples), m.Size, rng.From(r.Uint64())})
	f := &m.frame
	for range randomTries {
		pos := int(m.order[r.Below(len(m.order))])
		m.place, m.keys = 1, [2]uint64{}
		if m.mirrors(pos) && r.Below(2) < mirrored {
			m.place = 0
		}
		if m.Dead != nil && m.Dead(m.key(pos, plain(m.place))) && !r.OneIn(16) {
			continue
		}
		if m.randomText(pos, r) {
			if m.tooLarge() || !m.write(!plain(m.place), false) {
				continue
			}
			return m.mutant(), true
		}
		n := 0
		f.skipTexts = true
		for f.start(pos, true); f.next(); {
			n++
		}
		f.skipTexts = false
		if n == 0 {
			continue
		}
		f.nth(r.Below(n), n)
		if !m.tooLarge() && m.write(!plain(m.place), false) {
			return m.mutant(), true
		}
	}
	return Mutant{}, false
}

// Havoc makes up to steps random mutations, one after another on the same term.
// The result is valid until the next call; it may be the parent if nothing could
// be changed.
func (m *Mutator) Havoc(parent term.Term, steps int, r *rng.Rand) term.Term {
	for range steps {
		if _, ok := m.Random(parent, r); !ok {
			continue
		}
		m.last, m.out = m.out, m.last
		parent = m.last
	}
	return parent
}

// FuzzChick makes a mutant in the same way as the tool FuzzChick, by random choices
// only. At each node it descends into a field, replaces the node by a field of the
// same type, or changes it into another constructor. The fields of one of the two
// constructors must include those of the other. If there is nothing to change, it
// generates a term. See fuzzy_decl in FuzzChick's source.
func (m *Mutator) FuzzChick(parent term.Term, r *rng.Rand) term.Term {
	m.t, m.batch = parent, 0
	m.out = m.fuzz(m.out[:0], r, 0)
	return m.out
}

// fuzz appends a mutant of the subterm at pos.
func (m *Mutator) fuzz(out term.Term, r *rng.Rand, pos int) term.Term {
	s := m.world.Of(m.t[pos])
	switch {
	case s.Kind == schema.Scalar && isEnum(s):
		return m.fuzzEnum(out, r, s, pos)
	case s.IsScalar():
		if equal(m.t.Sub(pos), s.Least) || r.OneIn(2) {
			return m.fresh(out, r, s)
		}
		return append(out, s.Least...)
	case s.Kind == schema.Slice || s.Kind == schema.Map:
		return m.fuzzList(out, r, s, pos)
	case s.Kind == schema.Array:
		if s.Len == 0 {
			return append(out, m.t[pos])
		}
		return m.descend(out, r, pos, r.Below(s.Len))
	}
	return m.fuzzCtor(out, r, s, pos)
}

// fresh appends a generated term.
func (m *Mutator) fresh(out term.Term, r *rng.Rand, s *schema.Schema) term.Term {
	return append(out, m.gen.Part(r.Split(), s, m.Size)...)
}

// fuzzEnum chooses another value of an enum.
func (m *Mutator) fuzzEnum(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	n := m.t[pos]
	switch k := len(s.Consts); {
	case k == 0:
		n.X ^= 1
	case k > 1:
		n.X = s.Consts[r.Below(k)]
		for n.X == m.t[pos].X {
			n.X = s.Consts[r.Below(k)]
		}
	}
	if !s.In(n.X) || s.Kind == schema.Scalar && len(s.Consts) == 1 {
		return m.fresh(out, r, s)
	}
	return append(out, n)
}

// descend mutates one kid of the node at pos.
func (m *Mutator) descend(out term.Term, r *rng.Rand, pos, which int) term.Term {
	from := len(out)
	out = append(out, m.t[pos])
	i := 0
	for k := range m.t.Kids(pos) {
		if i == which {
			out = m.fuzz(out, r, k)
		} else {
			out = append(out, m.t.Sub(k)...)
		}
		i++
	}
	out[from].N = uint32(len(out) - from)
	return out
}

// fuzzList treats a list as a first element and a rest, which is a list. With weight
// 1 it mutates the first element, with weight 1 it drops the first element, and with
// a weight of the list's length it continues with the rest. If the rest is empty, it
// generates a new one.
func (m *Mutator) fuzzList(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	n, per, from, at := int(m.t[pos].X), 1, len(out), pos+1
	if n == 0 {
		return m.fresh(out, r, s)
	}
	if s.Kind == schema.Map {
		per = 2
	}
	out = append(out, m.t[pos])
	for left := n; ; left-- {
		if left == 0 {
			if rest := m.gen.Part(r.Split(), s, m.Size); s.FitsLen(n + int(rest[0].X)) {
				out = append(out, rest[1:]...)
				out[from].X += rest[0].X
			}
			break
		}
		next := at
		for range per {
			next += int(m.t[next].N)
		}
		choice := r.Below(left + 2)
		if choice == 0 || choice == 1 && !s.FitsLen(n-1) {
			out = m.fuzzElem(out, r, at, per)
		} else if choice == 1 {
			out[from].X--
		}
		if choice < 2 {
			out = append(out, m.t[next:pos+int(m.t[pos].N)]...)
			break
		}
		out = append(out, m.t[at:next]...)
		at = next
	}
	out[from].N = uint32(len(out) - from)
	if s.Kind == schema.Map {
		out = append(out[:from], m.world.SortEntries(out[from:])...)
	}
	return out
}

// fuzzElem mutates an element of a list, or the key or value of a map entry.
func (m *Mutator) fuzzElem(out term.Term, r *rng.Rand, at, per int) term.Term {
	if per == 1 {
		return m.fuzz(out, r, at)
	}
	value := at + int(m.t[at].N)
	if r.OneIn(2) {
		return append(m.fuzz(out, r, at), m.t.Sub(value)...)
	}
	return m.fuzz(append(out, m.t.Sub(at)...), r, value)
}

// fuzzCtor makes one of all possible changes of a constructor. All are equally
// likely.
func (m *Mutator) fuzzCtor(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	type change struct{ ctor, kid, at int }
	var room [32]change
	all := room[:0]
	i := 0
	for k := range m.t.Kids(pos) {
		all = append(all, change{-1, i, k})
		if m.t[k].S == s.ID {
			all = append(all, change{-1, -1, k})
		}
		i++
	}
	own := int(m.t[pos].C)
	for c := s.First(); c < len(s.Ctors); c++ {
		mine, other := s.Ctors[own].Fields, s.Ctors[c].Fields
		if c != own && (isWithin(mine, other) || isWithin(other, mine)) {
			all = append(all, change{c, -1, -1})
		}
	}
	if len(all) == 0 {
		return m.fresh(out, r, s)
	}
	switch c := all[r.Below(len(all))]; {
	case c.ctor >= 0:
		return m.convert(out, r, pos, c.ctor)
	case c.kid >= 0:
		return m.descend(out, r, pos, c.kid)
	default:
		return append(out, m.t.Sub(c.at)...)
	}
}

// isWithin reports whether the schemas of the fields few are a subsequence of those
// of the fields many.
func isWithin(few, many []schema.Field) bool {
	n := 0
	for _, f := range many {
		if n < len(few) && few[n].S == f.S {
			n++
		}
	}
	return n == len(few)
}

// convert changes the node at pos into another constructor. It uses the present
// fields, in order, and generates the missing ones.
func (m *Mutator) convert(out term.Term, r *rng.Rand, pos, ctor int) term.Term {
	s := m.world.Of(m.t[pos])
	from, at, end := len(out), pos+1, pos+int(m.t[pos].N)
	out = append(out, term.Node{S: s.ID, C: uint16(ctor)})
	down := len(s.Ctors[ctor].Fields) < len(s.Ctors[m.t[pos].C].Fields)
	for _, f := range s.Ctors[ctor].Fields {
		for down && m.t[at].S != f.S.ID {
			at += int(m.t[at].N)
		}
		if at < end && m.t[at].S == f.S.ID {
			out = append(out, m.t.Sub(at)...)
			at += int(m.t[at].N)
		} else {
			out = m.fresh(out, r, f.S)
		}
	}
	out[from].N = uint32(len(out) - from)
	return out
}
