//go:build go1.25

package shrink

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	// smallMax is the distance from the simplest value up to which numbers are tried
	// one by one. Bisection misses small numbers if the failing values are not an
	// interval, and small numbers are easiest to read.
	smallMax = 8
	// window is how many of the following numbers a number is paired with. In a long
	// term, trying all pairs would take quadratic time, and related numbers are mostly
	// close to each other.
	window = 16
)

// isInteger reports whether nodes of a schema have an integer in X.
func isInteger(sc *schema.Schema) bool { return sc.Kind == schema.Scalar && !sc.IsFloat() }

// isDial reports whether nodes of a schema are dials: they have a whole number that can
// be lowered. The number is the value of an integer or bool, or the index of a declared value.
func isDial(sc *schema.Schema) bool { return isInteger(sc) || sc.Kind == schema.Choice }

func dialOf(sc *schema.Schema, n term.Node) uint64 {
	if sc.Kind == schema.Choice {
		return uint64(n.C)
	}
	return n.X
}

func setDial(sc *schema.Schema, n *term.Node, x uint64) {
	if sc.Kind == schema.Choice {
		n.C = uint16(x)
		return
	}
	n.X = x
}

// inDial reports whether x is a valid number for a dial of this schema.
func inDial(sc *schema.Schema, x uint64) bool {
	if sc.Kind == schema.Choice {
		return x < uint64(len(sc.Ctors))
	}
	return sc.In(x)
}

func dialRank(sc *schema.Schema, x uint64) rank {
	if sc.Kind == schema.Choice {
		return rank{size: x}
	}
	return rankOf(sc, x)
}

// dialAt returns the number with rank r, at the distance r.size from the simplest one.
func dialAt(sc *schema.Schema, r rank) uint64 {
	zero := uint64(0)
	if sc.Kind != schema.Choice {
		zero = sc.Simplest()
	}
	if r.neg {
		return zero - r.size
	}
	return zero + r.size
}

// numbers simplifies the numbers one by one.
func (s *shrinker) numbers() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		s.lower([]int{i})
	}
}

// groups simplifies equal numbers together. For example, a number that must occur in a
// list cannot be changed without changing the list.
func (s *shrinker) groups() {
	sets := s.equals()
	for g := 0; g < len(sets) && !s.spent(); g++ {
		if len(sets[g]) > 1 {
			s.lower(sets[g])
		}
		if s.moved {
			s.moved = false
			sets = s.equals()
		}
	}
}

// equals returns the sets of positions of equal numbers, whatever their types, ordered
// by the first position in each set.
func (s *shrinker) equals() (sets [][]int) {
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

// turn sets all numbers of a set to x and tries the result.
func (s *shrinker) turn(set []int, x uint64) bool {
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

// lower looks for the simplest value of a set of equal numbers with which the term still
// fails.
func (s *shrinker) lower(set []int) {
	sc := s.at(set[0])
	if !sc.IsFloat() && !isDial(sc) {
		return
	}
	x := dialOf(sc, s.best[set[0]])
	l := lowering{s: s, sc: sc, turn: func(x uint64) bool { return s.turn(set, x) }, x: x, now: dialRank(sc, x)}
	l.run()
}

// lowering is one search for a simpler value.
type lowering struct {
	s    *shrinker
	sc   *schema.Schema
	turn func(x uint64) bool // tries a value
	x    uint64              // the current value
	now  rank                // its rank
}

func (l *lowering) run() {
	if l.sc.IsFloat() {
		l.float()
	} else {
		l.integer()
	}
}

// to tries the value with rank r, if it is simpler than the current one.
func (l *lowering) to(r rank) bool {
	if r.compare(l.now) >= 0 {
		return false
	}
	x := dialAt(l.sc, r)
	if !l.turn(x) {
		return false
	}
	l.x, l.now = x, r
	return true
}

func (l *lowering) integer() {
	if l.to(rank{}) {
		return
	}
	l.to(rank{size: l.now.size})
	l.bisect()
	if l.now.size > 2 {
		l.to(rank{size: l.now.size - 2, neg: l.now.neg}) // bisection misses this if only odd or only even numbers fail
	}
	for size := uint64(1); size <= min(smallMax, l.now.size); size++ {
		l.to(rank{size: size})
		l.to(rank{size: size, neg: true})
	}
}

// bisect searches for the failing value that is nearest to the simplest value. It assumes
// that all values further away fail too.
func (l *lowering) bisect() {
	low := uint64(0)
	for high := l.now.size; high-low > 1 && !l.s.spent(); {
		mid := low + (high-low)/2
		if l.to(rank{size: mid, neg: l.now.neg}) {
			high = mid
		} else {
			low = mid
		}
	}
}

// float looks for a simpler float: it tries integers first, then values with fewer
// binary digits after the point.
func (l *lowering) float() {
	for _, f := range simplerFloats(math.Float64frombits(l.x)) {
		if y := schema.FloatBits(f); rankOf(l.sc, y).compare(rankOf(l.sc, l.x)) < 0 && l.turn(y) {
			l.x = y
		}
		if l.s.spent() {
			return
		}
	}
	l.bisectFloat()
}

// simplerFloats returns values to try in place of f, the most desirable first. Not all
// of them are simpler.
func simplerFloats(f float64) []float64 {
	fs := []float64{0, 1, -1, 2, -2, 0.5, -0.5}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		const large = 1 << 53
		return append(fs, large, -large, math.MaxFloat32, -math.MaxFloat32, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1))
	}
	fs = append(fs, -f, math.Trunc(f), math.Floor(f), math.Ceil(f))
	for digits := 1; digits <= 32; digits *= 2 {
		scale := math.Ldexp(1, digits)
		fs = append(fs, math.Round(f*scale)/scale)
	}
	return fs
}

// bisectFloat moves a value towards zero in steps that are exact in floating point:
// whole numbers, or units of its last binary digit. Between floats above 2^53 there are no
// whole numbers, so there it moves from float to float.
func (l *lowering) bisectFloat() {
	f, sc := math.Float64frombits(l.x), l.sc
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return
	}
	step := math.Ldexp(1, -digits(math.Abs(f)))
	low, high := int64(0), int64(math.Abs(f/step))
	at := func(n int64) float64 { return float64(n) * step }
	if math.Abs(f/step) > 1<<53 {
		low, high = sc.Rank(schema.FloatBits(1<<53)), sc.Rank(schema.FloatBits(math.Abs(f)))
		at = func(n int64) float64 { return math.Float64frombits(sc.Ranked(n)) }
	}
	for high-low > 1 && !l.s.spent() {
		mid := low + (high-low)/2
		if l.turn(schema.FloatBits(math.Copysign(at(mid), f))) {
			high = mid
		} else {
			low = mid
		}
	}
}
