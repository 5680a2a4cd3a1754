package challenge

import (
	"math"
	"slices"
)

// All returns the thirteen challenges.
func All() []Challenge {
	return []Challenge{
		bound5.challenge(), largeUnionList.challenge(), reverse.challenge(), calculator.challenge(),
		lengthList.challenge(), difference1.challenge(), difference2.challenge(), difference3.challenge(),
		binHeap.challenge(), coupling.challenge(), deletion.challenge(), distinct.challenge(), nestedLists.challenge(),
	}
}

// five is the input of bound5. As in the original challenge, it has five fields instead of
// a list of lists.
type five struct{ A, B, C, D, E []int16 }

func (f five) lists() [][]int16 { return [][]int16{f.A, f.B, f.C, f.D, f.E} }

// bound5 computes the sum of all elements in 16 bits, so the sum can overflow.
var bound5 = spec[five]{
	name: "bound5",
	assume: func(f five) bool {
		return !slices.ContainsFunc(f.lists(), func(l []int16) bool {
			sum := 0
			for _, x := range l {
				sum += int(x)
			}
			return sum >= 256
		})
	},
	holds: func(f five) bool {
		sum := int16(0)
		for _, x := range slices.Concat(f.lists()...) {
			sum += x
		}
		return sum < 5*256
	},
	smallest: func(f five) bool { return isSet(slices.Concat(f.lists()...), -32768, -1) },
}

var largeUnionList = spec[[][]int]{
	name:  "largeunionlist",
	holds: func(ls [][]int) bool { return countDistinct(slices.Concat(ls...)) < 5 },
	smallest: func(ls [][]int) bool {
		return len(ls) == 1 && (isSet(ls[0], 0, 1, -1, 2, -2) || isSet(ls[0], 0, 1, 2, 3, 4))
	},
}

var reverse = spec[[]int]{
	name: "reverse",
	holds: func(l []int) bool {
		r := slices.Clone(l)
		slices.Reverse(r)
		return slices.Equal(l, r)
	},
	smallest: func(l []int) bool { return isSet(l, 0, 1) },
}

var lengthList = spec[[]upTo1000]{
	name:     "lengthlist",
	decls:    decls(limit[upTo1000](0, 1000)),
	assume:   func(l []upTo1000) bool { return 1 <= len(l) && len(l) <= 100 },
	holds:    func(l []upTo1000) bool { return slices.Max(l) < 900 },
	smallest: func(l []upTo1000) bool { return isSet(l, 900) },
}

type upTo1000 int

type positive int

type two struct{ X, Y positive }

func (p two) apart() positive { return max(p.X-p.Y, p.Y-p.X) }

func difference(name string, isFar func(two) bool, least two) spec[two] {
	return spec[two]{
		name:     name,
		decls:    decls(limit[positive](1, math.MaxInt)),
		holds:    func(p two) bool { return p.X < 10 || isFar(p) },
		smallest: func(p two) bool { return p == least },
	}
}

var (
	difference1 = difference("difference1", func(p two) bool { return p.X != p.Y }, two{10, 10})
	difference2 = difference("difference2", func(p two) bool { return p.apart() < 1 || p.apart() > 4 }, two{10, 6})
	difference3 = difference("difference3", func(p two) bool { return p.apart() != 1 }, two{10, 9})
)

// coupling is about a list whose elements are indices into the list itself.
var coupling = spec[[]upTo10]{
	name:  "coupling",
	decls: decls(limit[upTo10](0, 10)),
	assume: func(l []upTo10) bool {
		return !slices.ContainsFunc(l, func(x upTo10) bool { return int(x) >= len(l) })
	},
	holds: func(l []upTo10) bool {
		for i, x := range l {
			if int(x) != i && int(l[x]) == i {
				return false
			}
		}
		return true
	},
	smallest: func(l []upTo10) bool { return slices.Equal(l, []upTo10{1, 0}) },
}

type upTo10 int

type removal struct {
	List []int
	X    int
}

var deletion = spec[removal]{
	name:   "deletion",
	assume: func(r removal) bool { return slices.Contains(r.List, r.X) },
	holds: func(r removal) bool {
		i := slices.Index(r.List, r.X)
		return !slices.Contains(r.List[i+1:], r.X)
	},
	smallest: func(r removal) bool { return slices.Equal(r.List, []int{0, 0}) && r.X == 0 },
}

var distinct = spec[[]int]{
	name:     "distinct",
	holds:    func(l []int) bool { return countDistinct(l) < 3 },
	smallest: func(l []int) bool { return isSet(l, 0, 1, -1) || isSet(l, 0, 1, 2) },
}

var nestedLists = spec[[][]int]{
	name:     "nestedlists",
	holds:    func(ls [][]int) bool { return len(slices.Concat(ls...)) <= 10 },
	smallest: func(ls [][]int) bool { return len(ls) == 1 && slices.Equal(ls[0], make([]int, 11)) },
}

func countDistinct(l []int) int {
	l = slices.Sorted(slices.Values(l))
	return len(slices.Compact(l))
}

// isSet reports whether a list has exactly these elements, in any order.
func isSet[E ~int | ~int16](l []E, want ...E) bool {
	return slices.Equal(slices.Sorted(slices.Values(l)), slices.Sorted(slices.Values(want)))
}
