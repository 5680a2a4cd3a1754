//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// added is a way of an experiment: see Experiment.Ways.
type added struct {
	quiet
	Way
	with *shared
}

func newAdded(s *shared, make func(Corpus) Way) way {
	return &added{with: s, Way: make(func() (all []Kept) {
		for _, k := range s.corpus.terms {
			if k.passed {
				all = append(all, Kept{k})
			}
		}
		return all
	})}
}

func (a *added) propose(now *turn) (term.Term, origin) {
	t, parent := a.Change(&now.dice)
	if t == nil {
		a.with.log.peak.emptied = true
		return nil, origin{}
	}
	return t, origin{how: howHavoc, parent: parent.k}
}

func (a *added) keep(k *kept, run trace.Run) { a.with.counts.full(a.Keep(Kept{k}, run)) }

// share is negative: the changes are random.
func (a *added) share() float64 { return -1 }
