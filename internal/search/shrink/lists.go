//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// drops shortens lists and maps. It tries to drop all elements, then halves, quarters and
// so on down to single elements. Outer lists come before inner ones.
func (s *shrinker) drops() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if s.droppable(i) {
			s.dropsAt(i)
		}
	}
}

func (s *shrinker) droppable(pos int) bool {
	k := s.at(pos).Kind
	return (k == schema.Slice || k == schema.Map) && s.best[pos].X > 0
}

func (s *shrinker) dropsAt(pos int) {
	for size := int(s.best[pos].X); size > 0 && !s.spent(); size /= 2 {
		for from := 0; !s.spent() && from < int(s.best[pos].X); {
			if !s.try(s.without(pos, from, size)) {
				from += size
			}
		}
	}
}

// without returns the best term without some elements of the list at pos. The result
// is in scratch.
func (s *shrinker) without(pos, from, size int) term.Term {
	s.wasted += int(s.best[pos].N) // count this work too: for a long list, finding the elements is the main cost
	starts := s.elements(pos)
	to := min(from+size, len(starts)-1)
	s.scratch = term.Splice(s.scratch, s.best, term.Span{Parent: pos, From: starts[from], To: starts[to]}, nil)
	s.scratch[pos].X -= uint64(to - from)
	return s.scratch
}

// elements returns where the elements of the list at pos start, and where the last one
// ends. An entry of a map is one element.
func (s *shrinker) elements(pos int) []int {
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

// joins moves the elements of a list into the next list of the same schema. If the two
// lists are elements of an outer list, the first list is removed. If they are fields, the
// first list becomes minimal. The elements are moved to the second list, because in the
// order of terms a simpler first field counts more.
func (s *shrinker) joins() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		for !s.spent() && s.joinsAt(i) {
		}
	}
}

func (s *shrinker) joinsAt(pos int) bool {
	last := -1
	for k := range s.best.Kids(pos) {
		if last >= 0 && s.best[last].S == s.best[k].S && s.at(k).Kind == schema.Slice && s.join(pos, last, k) {
			return true
		}
		last = k
	}
	return false
}

// join tries to move the elements of the list at a into the list at b, the next child of
// parent.
func (s *shrinker) join(parent, a, b int) bool {
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

// renumbers drops an element and adjusts numbers that count or index elements: an index
// of a later element goes down by one, and so does the length.
func (s *shrinker) renumbers() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if s.at(i).Kind != schema.Slice {
			continue
		}
		for k := 0; !s.spent() && k < int(s.best[i].X); {
			if !s.renumber(i, k) {
				k++
			}
		}
	}
}

// An adjustment reports whether number x goes down by one when the element with index
// gone is dropped from a list of the given length.
type adjustment func(x, gone, length int64) bool

var adjustments = []adjustment{
	func(x, gone, length int64) bool { return x > gone },
	func(x, gone, length int64) bool { return x >= gone && x > 0 },
	func(x, gone, length int64) bool { return x == length },
}

// renumber drops element k of the list at pos. It tries every adjustment, first only on
// numbers in the remaining elements, then on numbers in the whole term.
func (s *shrinker) renumber(pos, k int) bool {
	length := int64(s.best[pos].X)
	for _, goesDown := range adjustments {
		for _, whole := range []bool{false, true} {
			t := s.without(pos, k, 1)
			from, to := pos, pos+int(t[pos].N)
			if whole {
				from, to = 0, len(t)
			}
			if s.countDown(t, from, to, func(x int64) bool { return goesDown(x, int64(k), length) }) && s.try(t) {
				return true
			}
		}
	}
	return false
}

// countDown subtracts one from each integer in t[from:to] for which match is true. It
// reports whether there were any.
func (s *shrinker) countDown(t term.Term, from, to int, match func(int64) bool) (any bool) {
	for i := from; i < to; i = after(t, i) {
		sc := s.world.Of(t[i])
		if isInteger(sc) && sc.In(t[i].X-1) && match(int64(t[i].X)) {
			t[i].X--
			any = true
		}
	}
	return any
}

// swaps sorts lists. It also exchanges neighbouring fields, or elements, of the same
// schema if that puts the simpler one first.
func (s *shrinker) swaps() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if s.at(i).Kind == schema.Slice && s.best[i].X > 2 {
			s.replace(i, s.sortedList(i))
		}
		if !s.moved {
			s.swapsAt(i)
		}
	}
}

func (s *shrinker) sortedList(pos int) term.Term {
	kids := s.kids(pos)
	slices.SortStableFunc(kids, func(a, b term.Term) int { return compare(s.world, a, b) })
	return append(term.Term{s.best[pos]}, slices.Concat(kids...)...)
}

// swapsAt tries to exchange each child with the next child of the same schema, in one
// pass: sorting by exchanging neighbours alone would take a quadratic number of runs.
func (s *shrinker) swapsAt(pos int) {
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
