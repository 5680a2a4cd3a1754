//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// A list of calls often gets stuck: a Push cannot be dropped without a Pop somewhere after it, and a list that fails
// because of the third growth of a buffer is far from one that fails because of the second. The passes of this file
// come last, when few calls are left.

// pairsMax is the maximal length of a list of which callPairs drops pairs.
const pairsMax = 24

// callPairs drops two calls that are not neighbours.
func callPairs(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if !s.at(i).IsCalls() || s.best[i].X > pairsMax {
			continue
		}
		for !s.spent() && callPair(s, i) {
		}
	}
}

func callPair(s *shrinker, pos int) bool {
	calls := callsOf(s, pos)
	for a := range calls {
		for b := a + 2; b < len(calls) && !s.spent(); b++ {
			if s.replace(pos, listOf(s.best[pos], slices.Concat(calls[:a], calls[a+1:b], calls[b+1:]))) {
				return true
			}
		}
	}
	return false
}

// reordersMax is how many lists reorders tries for one list.
const reordersMax = 64

// reorders makes lists with one call less, from random ones of the calls of the list. A random list of the right calls
// finds most bugs soon, so this leads out of lists that are minimal only among their neighbours. The random numbers
// depend on nothing but the list.
func reorders(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if !s.at(i).IsCalls() || s.best[i].X < 3 {
			continue
		}
		calls, r := callsOf(s, i), rng.New(term.Hash(s.best))
		for range reordersMax {
			var some []term.Term
			for range len(calls) - 1 {
				some = append(some, calls[r.Below(len(calls))])
			}
			if s.spent() || s.replace(i, listOf(s.best[i], some)) {
				break
			}
		}
	}
}

// callsOf returns copies of the calls of a list.
func callsOf(s *shrinker, pos int) (calls []term.Term) {
	for k := range s.best.Kids(pos) {
		calls = append(calls, s.best.Sub(k).Clone())
	}
	return calls
}

// listOf returns a list with other elements.
func listOf(head term.Node, elements []term.Term) term.Term {
	head.X = uint64(len(elements))
	t := append(term.Term{head}, slices.Concat(elements...)...)
	t[0].N = uint32(len(t))
	return t
}
