//go:build go1.25

package shrink

import "github.com/allele-go/allele/internal/value/schema"

// window is how many of the following numbers a number is paired with. In a long
// term, trying all pairs would take quadratic time, and related numbers are mostly
// close to each other.
const window = 16

// slideUnits bounds the size of subterms whose numbers are moved all together; the whole
// term is exempt. In a long chain every node contains the rest of the chain, so without
// this limit the pass would take quadratic time.
const slideUnits = 256

// slides moves several numbers at once: first all numbers inside a node, then pairs.
// They move by the same distance, which preserves differences. Pairs also move in
// opposite directions, which preserves sums. The first number of a set gets simpler.
func slides(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if i > 0 && s.best[i].N > slideUnits {
			continue
		}
		if set := dialsUnder(s, i); len(set) > 2 {
			slide(s, set, false)
		}
	}
	slidePairs(s, false)
	slidePairs(s, true)
}

func slidePairs(s *shrinker, opposite bool) {
	dials := dialsUnder(s, 0)
	for i := 0; i < len(dials); i++ {
		for j := i + 1; j < min(i+1+window, len(dials)) && !s.spent(); j++ {
			slide(s, []int{dials[i], dials[j]}, opposite)
			if s.moved {
				s.moved = false
				dials = dialsUnder(s, 0)
			}
		}
	}
}

// dialsUnder returns the positions of the dials (see isDial) inside a subterm. It starts
// at the first dial that does not have its simplest value, because the first dial of a
// set determines how far the set moves. A leaf has no dials inside it.
func dialsUnder(s *shrinker, pos int) (set []int) {
	for i, end := after(s.best, pos), pos+int(s.best[pos].N); i < end; i = after(s.best, i) {
		if sc := s.at(i); isDial(sc) && (len(set) > 0 || dialRank(sc, dialOf(sc, s.best[i])).size > 0) {
			set = append(set, i)
		}
	}
	return set
}

// slide finds the largest distance by which the set can move so that the term still
// fails.
func slide(s *shrinker, set []int, opposite bool) {
	m := newMotion(s, set, opposite)
	if m.room == 0 || m.by(m.room) || !m.by(1) {
		return // if a single step is too far, longer ones rarely help
	}
	for low, high := uint64(1), m.room; high-low > 1 && !s.spent(); {
		mid := low + (high-low)/2
		if m.by(mid) {
			low = mid
		} else {
			high = mid
		}
	}
}

// motion moves the numbers of a set from their original values.
type motion struct {
	s    *shrinker
	set  []int
	from []uint64
	up   []bool // for each number, whether it moves up
	room uint64 // how far all numbers can move; the first moves at most to its simplest value
}

func newMotion(s *shrinker, set []int, opposite bool) *motion {
	m := &motion{s: s, set: set}
	lead := dialRank(s.at(set[0]), dialOf(s.at(set[0]), s.best[set[0]]))
	m.room = lead.size
	for i, pos := range set {
		sc := s.at(pos)
		x := dialOf(sc, s.best[pos])
		up := lead.neg != (opposite && i > 0)
		m.from, m.up = append(m.from, x), append(m.up, up)
		if i > 0 {
			m.room = min(m.room, room(sc, x, up))
		}
	}
	return m
}

// room returns how far a number can move up or down.
func room(sc *schema.Schema, x uint64, up bool) uint64 {
	low, high := sc.Lo, sc.Hi
	if sc.Kind == schema.Choice {
		low, high = 0, uint64(len(sc.Ctors)-1)
	}
	if up {
		return high - x
	}
	return x - low
}

func (m *motion) by(distance uint64) bool {
	s := m.s
	if s.spent() {
		return false
	}
	s.scratch = append(s.scratch[:0], s.best...)
	for i, pos := range m.set {
		x := m.from[i] - distance
		if m.up[i] {
			x = m.from[i] + distance
		}
		setDial(s.at(pos), &s.scratch[pos], x)
	}
	return s.try(s.scratch)
}
