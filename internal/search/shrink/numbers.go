//go:build go1.25

package shrink

import "github.com/allele-go/allele/internal/value/schema"

// eachNumber simplifies the numbers one by one.
func eachNumber(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		lowerNumbers(s, []int{i})
	}
}

// equalNumbers simplifies equal numbers together. For example, a number that must occur in a
// list cannot be changed without changing the list.
func equalNumbers(s *shrinker) {
	sets := equals(s)
	for g := 0; g < len(sets) && !s.spent(); g++ {
		if len(sets[g]) > 1 {
			lowerNumbers(s, sets[g])
		}
		if s.moved {
			s.moved = false
			sets = equals(s)
		}
	}
}

// equals returns the sets of positions of equal numbers, whatever their types, ordered
// by the first position in each set.
func equals(s *shrinker) (sets [][]int) {
	type key struct {
		float bool
		list  uint16 // 1 + schema of a choice, else 0: choices of different types are unrelated
		x     uint64
	}
	index := map[key]int{}
	for i := 0; i < len(s.best); i = after(s.best, i) {
		sc := s.at(i)
		if !isDial(sc) && !sc.IsFloat() {
			continue
		}
		k := key{float: sc.IsFloat(), x: dialOf(sc, s.best[i])}
		if sc.Kind == schema.Choice {
			k.list = 1 + sc.ID
		}
		g, ok := index[k]
		if !ok {
			g = len(sets)
			index[k], sets = g, append(sets, nil)
		}
		sets[g] = append(sets[g], i)
	}
	return sets
}

// setNumbers sets all numbers of a set to x and tries the result.
func setNumbers(s *shrinker, set []int, x uint64) bool {
	if s.spent() {
		return false
	}
	s.scratch = append(s.scratch[:0], s.best...)
	for _, pos := range set {
		sc := s.at(pos)
		if !inDial(sc, x) {
			return false
		}
		setDial(sc, &s.scratch[pos], x)
	}
	return s.try(s.scratch)
}

// lowerNumbers looks for the simplest value of a set of equal numbers with which the term still
// fails.
func lowerNumbers(s *shrinker, set []int) {
	sc := s.at(set[0])
	if !sc.IsFloat() && !isDial(sc) {
		return
	}
	x := dialOf(sc, s.best[set[0]])
	l := lowering{s: s, sc: sc, turn: func(x uint64) bool { return setNumbers(s, set, x) }, x: x, now: dialRank(sc, x)}
	l.run()
}
