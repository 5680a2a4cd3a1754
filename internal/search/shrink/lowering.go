//go:build go1.25

package shrink

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// smallMax is the distance from the simplest value up to which numbers are tried
// one by one. Bisection misses small numbers if the failing values are not an
// interval, and small numbers are easiest to read.
const smallMax = 8

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
func (l *lowering) to(r rank) bool { return l.toValue(dialAt(l.sc, r)) }

func (l *lowering) toValue(x uint64) bool {
	r := dialRank(l.sc, x)
	if r.compare(l.now) >= 0 || !l.turn(x) {
		return false
	}
	l.x, l.now = x, r
	return true
}

// constantsMax is how many constants of a type are tried.
const constantsMax = 64

// constants tries the constants of the type, so that a value that is none becomes one.
func (l *lowering) constants() {
	if l.sc.Kind == schema.Scalar && schema.HasConstants(l.sc) && l.now.class > 0 {
		for _, x := range l.sc.Consts[:min(constantsMax, len(l.sc.Consts))] {
			l.toValue(x)
		}
	}
}

func (l *lowering) integer() {
	if l.to(rank{}) {
		return
	}
	l.constants()
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
