//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/term"

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
// So a candidate is dropped if a deeper position makes the same mutant (see madeBelow).
// A candidate supplied by the caller is also dropped if a higher position has it
// (see maker.climb). Candidates that the caller supplies for deeper positions are not
// considered: the caller may no longer supply them when the enumeration gets there,
// and then the mutant would be lost.

// madeBelow reports whether a position below that of the frame makes the same mutant as
// the current candidate.
func madeBelow(f *frame) bool {
	var c changes
	n, now, p := &f.node, &f.candidate, &f.scene.parent
	switch {
	case now.whole && !n.s.IsScalar():
		c = p.changes(n.pos, now.pieces[0])
	case now.whole || now.single < 0:
		return false
	default:
		c.add(int(n.kidPos[now.single]), now.to[0])
		if now.second >= 0 {
			c.add(int(n.kidPos[now.second]), now.to[1])
		}
	}
	for pos := n.pos; ; {
		if pos == p.pair.at && c.n == 2 && c.pos == p.pair.halves {
			return mirroredBelow(f, c)
		}
		if c.n != 1 {
			return false
		}
		if f.probed().has(c.pos[0], own, c.to[0]) {
			return true
		}
		pos = c.pos[0]
		c = p.changes(pos, c.to[0])
	}
}

// mirroredBelow is like madeBelow, for a candidate that changes both halves.
func mirroredBelow(f *frame, c changes) bool {
	p := &f.scene.parent
	for {
		if p.pair.mirrors(c.pos[0]) && equal(c.to[0], c.to[1]) && f.probed().has(c.pos[0], own, c.to[0]) {
			return true
		}
		a, b := p.changes(c.pos[0], c.to[0]), p.changes(c.pos[1], c.to[1])
		if a.n != 1 || b.n != 1 || p.pair.other(a.pos[0]) != b.pos[0] {
			return false
		}
		c.pos, c.to = [2]int{a.pos[0], b.pos[0]}, [2]term.Term{a.to[0], b.to[0]}
	}
}
