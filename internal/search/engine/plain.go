//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// plain is the way plain: fresh terms that need no search. They are run at the start, in a burst, and
// if nearly all of them pass, now and then.
type plain struct {
	quiet
	with     *shared
	settings PlainSettings
	burstEnd int
	passed   int // in the burst
}

func newPlain(s *shared) way {
	return &plain{with: s, settings: s.strategy.Plain, burstEnd: s.strategy.Plain.Burst}
}

func (p *plain) propose(now *turn) (term.Term, origin) {
	if p.with.settings != nil && !p.bursting() && !(p.dense() && now.dice.Below(64) < p.sides()) {
		return nil, origin{}
	}
	n := p.with.numbered
	r := n.seed.Run(now.run)
	return p.with.pairs.fresh(n.gen, r.Split(), n.cells, r.Below(64) < p.with.strategy.Twins), origin{how: howFresh}
}

func (p *plain) learn(o *outcome) {
	if p.with.progress.runs <= p.burstEnd && o.passed() {
		p.passed++
	}
}

// The burst ends early if after sparseRuns runs fewer than one in sparseShare have
// passed, because then fresh terms will not find much.
const (
	sparseRuns  = 40
	sparseShare = 10
)

// bursting reports whether this run belongs to the burst of fresh terms at the start.
func (p *plain) bursting() bool {
	runs := p.with.progress.runs
	if runs == sparseRuns && sparseShare*p.passed < sparseRuns {
		p.burstEnd = runs
	}
	return runs < p.burstEnd
}

// A property is dense if at least this share of the burst passed. For a dense property
// there is little to guide the search. A property with an encoder is never dense: all values that
// are encoded pass, and the search changes bytes too.
const denseShare = 0.9

func (p *plain) dense() bool {
	burst := p.settings.Burst
	return p.with.config.Forger == nil && burst > 0 && float64(p.passed) >= denseShare*float64(burst)
}

// sides returns how many of 64 runs of a dense property use plain terms.
func (p *plain) sides() int {
	if p.with.progress.runs < p.settings.EarlyRuns {
		return p.settings.DenseEarly
	}
	return p.settings.DenseLate
}
