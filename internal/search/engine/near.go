package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// near holds terms that satisfied the assumptions that stop most other terms.
//
// A program without probes reports no paths, but it still reports which assumption
// stopped a run. An assumption that rarely stops runs is reached by few terms. A term
// that reached it satisfied all assumptions before it, and may satisfy this one too if
// it is changed in one place.
type near struct {
	stops []*stop
	last  *stop // checked first: most runs are stopped where the run before was
	all   int   // runs stopped
}

// stop is an assumption, with terms that it stopped.
type stop struct {
	symbol uint32
	runs   int // runs that it stopped
	terms  []term.Term
}

// A property has few assumptions. An assumption in a loop counts as one.
const (
	stopsMax = 64
	nearMax  = 32 // terms per assumption
	nearRare = 8  // an assumption keeps terms if it stops at most one run in so many
)

// add adds a term that an assumption stopped.
func (n *near) add(symbol uint32, t term.Term) {
	s := n.last
	if s == nil || s.symbol != symbol {
		if s = n.find(symbol); s == nil {
			return
		}
		n.last = s
	}
	n.all++
	s.runs++
	if s.runs*nearRare > n.all || len(n.stops) == 1 {
		return
	}
	if len(s.terms) < nearMax {
		s.terms = append(s.terms, t.Clone())
		return
	}
	at := &s.terms[s.runs%nearMax]
	*at = append((*at)[:0], t...)
}

func (n *near) find(symbol uint32) *stop {
	for _, s := range n.stops {
		if s.symbol == symbol {
			return s
		}
	}
	if len(n.stops) == stopsMax {
		return nil
	}
	s := &stop{symbol: symbol}
	n.stops = append(n.stops, s)
	return s
}

// pick returns a term that was stopped by the assumption that stops the fewest runs,
// or nil.
func (n *near) pick(r *rng.Rand) term.Term {
	var rarest *stop
	for _, s := range n.stops {
		if len(s.terms) > 0 && (rarest == nil || s.runs < rarest.runs) {
			rarest = s
		}
	}
	if rarest == nil {
		return nil
	}
	return rarest.terms[r.Below(len(rarest.terms))]
}
