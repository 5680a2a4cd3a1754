//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// renumbers drops an element and adjusts numbers that count or index elements: an index
// of a later element goes down by one, and so does the length.
func renumbers(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if s.at(i).Kind != schema.Slice {
			continue
		}
		for k := 0; !s.spent() && k < int(s.best[i].X); {
			if !renumber(s, i, k) {
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
func renumber(s *shrinker, pos, k int) bool {
	length := int64(s.best[pos].X)
	for _, goesDown := range adjustments {
		for _, whole := range []bool{false, true} {
			t := without(s, pos, k, 1)
			from, to := pos, pos+int(t[pos].N)
			if whole {
				from, to = 0, len(t)
			}
			if countDown(s.world, t, from, to, func(x int64) bool { return goesDown(x, int64(k), length) }) && s.try(t) {
				return true
			}
		}
	}
	return false
}

// countDown subtracts one from each integer in t[from:to] for which match is true. It
// reports whether there were any.
func countDown(w *schema.World, t term.Term, from, to int, match func(int64) bool) (any bool) {
	for i := from; i < to; i = after(t, i) {
		sc := w.Of(t[i])
		if isInteger(sc) && sc.In(t[i].X-1) && match(int64(t[i].X)) {
			t[i].X--
			any = true
		}
	}
	return any
}
