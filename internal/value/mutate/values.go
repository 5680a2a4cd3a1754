//go:build go1.25

package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// values offers other values of a scalar: all of an enum, and samples.
type values struct{ stores }

func (*values) open(f *frame, want term.Term) bool {
	if s := f.node.s; f.enabled(Pure) && isEnum(s) {
		eachEnum(s, func(x uint64) {
			if want == nil || want[0].X == x {
				f.offer(Pure, f.mem.node(s, x))
			}
		})
	}
	f.offerSamples()
	return true
}

func (*values) slots(f *frame) int { return f.constants() + f.samples() }

func (*values) pick(f *frame, slot int) bool {
	s, n := f.node.s, f.constants()
	if slot < n {
		x := constant(s, slot)
		f.candidate.take(whole{Pure, f.mem.node(s, x)})
		return x != f.node.sub[0].X && s.In(x) && !isConstant(s, x, slot)
	}
	return f.takeSample(slot-n) && !isConstant(s, f.candidate.pieces[0][0].X, n)
}

// constants returns the number of values of an enum, and 0 for other scalars.
func (f *frame) constants() int {
	s := f.node.s
	switch {
	case !f.enabled(Pure) || !isEnum(s):
		return 0
	case len(s.Consts) == 0:
		return 2
	}
	return len(s.Consts)
}

// constant returns value i of an enum.
func constant(s *schema.Schema, i int) uint64 {
	if len(s.Consts) == 0 {
		return uint64(i)
	}
	return s.Consts[i]
}

// isConstant reports whether x is one of the first n values of an enum.
func isConstant(s *schema.Schema, x uint64, n int) bool {
	for i := range n {
		if constant(s, i) == x {
			return true
		}
	}
	return false
}

// eachEnum calls yield with each value of an enum.
func eachEnum(s *schema.Schema, yield func(x uint64)) {
	if len(s.Consts) == 0 {
		yield(0)
		yield(1)
	}
	for _, x := range s.Consts {
		if s.In(x) {
			yield(x)
		}
	}
}

// beside returns the value x+d, if the scalar has such a value. If a float has none, because
// it is too large or its range too narrow, beside returns the next float.
func beside(s *schema.Schema, x uint64, d int) (y uint64, ok bool) {
	if s.IsFloat() {
		f := math.Float64frombits(x)
		if y = schema.FloatBits(f + float64(d)); s.In(y) && y != x || f != f {
			return y, f == f
		}
		y = s.Ranked(s.Rank(x) + int64(d))
		return y, s.In(y) && !math.IsNaN(math.Float64frombits(y))
	}
	y = x + uint64(d)
	return y, s.In(y) && s.Less(y, x) == (d < 0)
}
