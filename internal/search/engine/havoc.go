//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// havocs is the way havoc: a kept term with several random changes at once.
type havocs struct {
	quiet
	with *shared
}

func newHavoc(s *shared) way { return &havocs{with: s} }

func (h *havocs) ready() bool { return len(h.with.corpus.terms) > 0 }

func (h *havocs) propose(now *turn) (term.Term, origin) {
	k, favoured := h.with.corpus.draw(&now.dice), h.with.favoured.terms
	if k == nil {
		return nil, origin{}
	}
	for range redraws {
		if !h.with.log.pace.refuses(k.steps, &now.dice) {
			break
		}
		k = h.with.corpus.draw(&now.dice)
	}
	if len(favoured) > 0 && now.dice.OneIn(2) {
		k = favoured[now.dice.Below(len(favoured))]
	}
	t, from := h.with.changes.havoc(k, &now.dice)
	t, from.repair = h.with.fits.repair(t, howHavoc, &now.dice)
	return t, from
}
