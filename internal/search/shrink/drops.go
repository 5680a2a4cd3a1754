//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// drops shortens lists and maps. It tries to drop all elements, then halves, quarters and
// so on down to single elements. Outer lists come before inner ones.
func drops(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if droppable(s, i) {
			dropsAt(s, i)
		}
	}
}

func droppable(s *shrinker, pos int) bool {
	k := s.at(pos).Kind
	return (k == schema.Slice || k == schema.Map) && s.best[pos].X > 0
}

func dropsAt(s *shrinker, pos int) {
	for size := int(s.best[pos].X); size > 0 && !s.spent(); size /= 2 {
		for from := 0; !s.spent() && from < int(s.best[pos].X); {
			if !s.try(without(s, pos, from, size)) {
				from += size
			}
		}
	}
}

// without returns the best term without some elements of the list at pos. The result
// is in scratch.
func without(s *shrinker, pos, from, size int) term.Term {
	s.budget.wasted += int(s.best[pos].N) // count this work too: for a long list, finding the elements is the main cost
	starts := elementsOf(s, pos)
	to := min(from+size, len(starts)-1)
	s.scratch = term.Splice(s.scratch, s.best, term.Span{Parent: pos, From: starts[from], To: starts[to]}, nil)
	s.scratch[pos].X -= uint64(to - from)
	return s.scratch
}

// elementsOf returns where the elements of the list at pos start, and where the last one
// ends. An entry of a map is one element.
func elementsOf(s *shrinker, pos int) []int {
	starts := make([]int, 0, s.best[pos].X+1)
	isKey := true
	for k := range s.best.Kids(pos) {
		if isKey {
			starts = append(starts, k)
		}
		isKey = s.at(pos).Kind != schema.Map || !isKey
	}
	return append(starts, pos+int(s.best[pos].N))
}
