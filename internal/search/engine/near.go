package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// near holds terms that got past assumptions which stop most others.
//
// A program that tells nothing of its paths still tells which assumption stopped
// a run. One that seldom does is reached by few: what got there has met all those
// before it, and may meet this one too if it is changed in one place.
type near struct {
	stops []*stop
	last  *stop // most runs are stopped where the one before was
	all   int   // runs stopped
}

// stop is an assumption.
type stop struct {
	symbol uint32
	runs   int // it stopped
	terms  []term.Term
}

// A property has a few assumptions; one in a loop has one place as well.
const (
	stopsMax = 64
	nearMax  = 32 // terms of each
	nearRare = 8  // an assumption that stops one run in so many, or fewer, has them
)

// add takes a term that an assumption stopped.
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

// pick gives a term that was stopped where fewest are, or nothing.
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
