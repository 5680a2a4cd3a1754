//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// randomTries is how many positions are tried for one random mutant. Usually only
// few positions have no mutants. If none of two dozen positions has one, nearly all
// have none.
const randomTries = 24

// Random makes one mutant at a random position. Where a mirrored mutant is possible,
// it is made half of the time. Random returns false if it found no mutant.
func (m *Mutator) Random(parent term.Term, r *rng.Rand) (Mutant, bool) {
	return m.described(m.random(parent, r, 1))
}

// described describes the mutant that random has made, if it has made one.
func (m *Mutator) described(ok bool) (Mutant, bool) {
	if !ok {
		return Mutant{}, false
	}
	return m.maker.mutant(), true
}

// Apart makes two changes: if possible a mirrored one, in both halves of a pair, and
// then one in one place alone. So two equal halves first become another pair of
// equal halves, and then differ in one place. This is for properties that compare
// two nearly equal values: the second change makes such a property fail, but whether
// it can depends on the first change.
func (m *Mutator) Apart(parent term.Term, r *rng.Rand) (Mutant, bool) {
	if m.random(parent, r, 2) {
		parent = m.maker.keep()
	}
	return m.described(m.random(parent, r, 0))
}

// random writes one mutant. Where a mirrored mutant is possible, it is made with
// probability mirrored/2.
func (m *Mutator) random(parent term.Term, r *rng.Rand, mirrored int) bool {
	m.look(parent, draw{max(1, m.Samples), m.Size, rng.From(r.Uint64())})
	made, p := m.maker, &m.maker.scene.parent
	for range randomTries {
		pos := p.someNode(r)
		p.reach(pos)
		if made.mirrored = p.pair.mirrors(pos) && r.Below(2) < mirrored; made.mirrored {
			p.reach(p.pair.other(pos))
		}
		if m.Dead != nil && m.Dead(made.key(pos)) && !r.OneIn(16) {
			continue
		}
		if made.frame.draw(pos, r) && !made.tooLarge() && made.write(false) {
			return true
		}
	}
	return false
}

// Havoc makes up to steps random mutations, one after another on the same term.
// The result is valid until the next call; it may be the parent if nothing could
// be changed.
func (m *Mutator) Havoc(parent term.Term, steps int, r *rng.Rand) term.Term {
	for range steps {
		if m.random(parent, r, 1) {
			parent = m.maker.keep()
		}
	}
	return parent
}
