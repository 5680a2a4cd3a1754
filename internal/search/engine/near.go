//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// near holds terms that nearly passed: they satisfied the assumptions that stop most
// other terms, and were stopped by a later one.
//
// A program without probes reports no paths, but it still reports which assumption
// stopped a run. An assumption that rarely stops runs is reached by few terms. A term
// that reached it satisfied all assumptions before it. If such a term is changed in one
// place, it may satisfy this assumption too.
type near struct {
	stops []*stop
	last  *stop // assumption that stopped the previous run; checked first, because it mostly stops the next run too
	all   int   // number of runs that were stopped by any assumption
}

// stop is an assumption (a call of Assume) that stopped runs, with some of the terms it
// stopped.
type stop struct {
	symbol uint32
	runs   int // runs that it stopped
	terms  []term.Term
}

// The limits can be small, because a property has few assumptions. An assumption in a
// loop counts as one.
const (
	stopsMax = 64
	nearMax  = 32 // terms per assumption
	nearRare = 8  // terms are kept only for an assumption that stops at most one run in nearRare
)

// add counts a run that an assumption stopped. If the assumption rarely stops runs, add
// keeps the term.
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

// pick returns a term that was stopped by the assumption that stops the fewest runs, or
// nil if no terms were kept.
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
