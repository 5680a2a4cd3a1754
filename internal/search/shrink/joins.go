//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// joins moves the elements of a list into the next list of the same schema. If the two
// lists are elements of an outer list, the first list is removed. If they are fields, the
// first list becomes minimal. The elements are moved to the second list, because in the
// order of terms a simpler first field counts more.
func joins(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		for !s.spent() && joinsAt(s, i) {
		}
	}
}

func joinsAt(s *shrinker, pos int) bool {
	last := -1
	for k := range s.best.Kids(pos) {
		if last >= 0 && s.best[last].S == s.best[k].S && s.at(k).Kind == schema.Slice && join(s, pos, last, k) {
			return true
		}
		last = k
	}
	return false
}

// join tries to move the elements of the list at a into the list at b, the next child of
// parent.
func join(s *shrinker, parent, a, b int) bool {
	if s.best[a].X == 0 && s.at(parent).Kind != schema.Slice {
		return false // nothing to move
	}
	elements := slices.Concat(s.best.Sub(a)[1:], s.best.Sub(b)[1:])
	head := term.Node{S: s.best[a].S, C: 1, N: uint32(1 + len(elements)), X: s.best[a].X + s.best[b].X}
	both := append(term.Term{head}, elements...)
	if s.at(parent).Kind != schema.Slice {
		return s.rewrite([]edit{{a, s.at(a).Least}, {b, both}})
	}
	s.scratch = term.Splice(s.scratch, s.best, term.Span{Parent: parent, From: a, To: b + int(s.best[b].N)}, both)
	s.scratch[parent].X--
	return s.try(s.scratch)
}
