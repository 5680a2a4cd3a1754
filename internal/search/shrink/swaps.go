//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// swaps sorts lists. It also exchanges neighbouring fields, or elements, of the same
// schema if that puts the simpler one first.
func swaps(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if s.at(i).Kind == schema.Slice && s.best[i].X > 2 {
			s.replace(i, sortedList(s, i))
		}
		if !s.moved {
			swapsAt(s, i)
		}
	}
}

func sortedList(s *shrinker, pos int) term.Term {
	kids := s.kids(pos)
	slices.SortStableFunc(kids, func(a, b term.Term) int { return compare(s.world, a, b) })
	return append(term.Term{s.best[pos]}, slices.Concat(kids...)...)
}

// swapsAt tries to exchange each child with the next child of the same schema, in one
// pass: sorting by exchanging neighbours alone would take a quadratic number of runs.
func swapsAt(s *shrinker, pos int) {
	if s.at(pos).Kind == schema.Map {
		return // entries must stay sorted by key
	}
	kids := slices.Collect(s.best.Kids(pos))
	last := map[uint16]int{}
	for i := 0; !s.spent() && i < len(kids); i++ {
		id := s.best[kids[i]].S
		if j, ok := last[id]; ok {
			a, b := kids[j], kids[i]
			if s.rewrite([]edit{{a, s.best.Sub(b)}, {b, s.best.Sub(a)}}) && !s.moved {
				kids = slices.Collect(s.best.Kids(pos))
			}
		}
		last[id] = i
	}
}
