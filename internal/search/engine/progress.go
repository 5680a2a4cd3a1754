//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// progress counts the runs of a guided search, those of the opening included, except terms of other hosts.
type progress struct {
	runs   int
	passes int             // runs that passed, with terms of other hosts
	passed map[uint64]bool // hashes of terms that passed, up to most
	most   int
}

// climbEnough is how many different terms that pass give a search what it needs, if at least one run in
// climbShare passes.
const climbEnough = 64

// pass counts a term that passed.
func (p *progress) pass(t term.Term) {
	p.passes++
	if len(p.passed) == p.most {
		return
	}
	if p.passed == nil {
		p.passed = map[uint64]bool{}
	}
	p.passed[term.Hash(t)] = true
}
