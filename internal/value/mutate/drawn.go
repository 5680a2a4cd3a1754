//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/rng"

// guesses is how many slots are tried for one random candidate. Most slots have one.
const guesses = 16

// draw makes a random candidate at pos the current one, each with the same probability. It returns false if there is
// none. If the node has a numbered source, most candidates are from that source.
func (f *frame) draw(pos int, r *rng.Rand) bool {
	f.start(pos, given)
	if f.plan.numbered != nil && f.plan.numbered.random(f, r) {
		return true
	}
	all := f.count()
	if all == 0 {
		return false
	}
	for range guesses {
		if f.pick(r.Below(all)) {
			return true
		}
	}
	return f.listed(pos, r)
}

// count returns the number of slots of all sources, except for a numbered one.
func (f *frame) count() int {
	for _, s := range f.plan.stored {
		s.open(f, nil)
	}
	all := len(f.stored)
	f.slots = f.slots[:0]
	for _, s := range f.plan.drawn {
		n := s.slots(f)
		f.slots = append(f.slots, n)
		all += n
	}
	return all
}

// pick makes the candidate of a slot the current one. It returns false if there is none.
func (f *frame) pick(slot int) bool {
	if slot < len(f.stored) {
		f.candidate.take(f.stored[slot])
		return true
	}
	slot -= len(f.stored)
	for i, n := range f.slots {
		if slot < n {
			return f.plan.drawn[i].pick(f, slot)
		}
		slot -= n
	}
	return false
}

// listed is the slow twin of draw: it lists all candidates, except for those of a numbered source, and takes one. It is
// used where nearly all slots are empty.
func (f *frame) listed(pos int, r *rng.Rand) bool {
	f.start(pos, given)
	n := 0
	for f.next() {
		n++
	}
	if n == 0 {
		return false
	}
	f.nth(r.Below(n), n)
	return true
}

// nth makes candidate i the current one, after all n candidates were enumerated. It
// enumerates candidates of several pieces again; the others are stored.
func (f *frame) nth(i, n int) {
	pieces := n - len(f.stored)
	switch {
	case pieces == 0 || i < f.before:
		f.candidate.take(f.stored[i])
	case i >= f.before+pieces:
		f.candidate.take(f.stored[i-pieces])
	default:
		f.start(f.node.pos, own)
		for range i + 1 {
			f.next()
		}
	}
}
