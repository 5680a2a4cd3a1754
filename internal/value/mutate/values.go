//go:build go1.25

package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// values offers other values of a scalar: all of an enum, and samples.
type values struct{ stores }

func (*values) open(f *frame, _ term.Term) bool {
	if s := f.node.s; f.enabled(Pure) && isEnum(s) {
		eachEnum(s, func(x uint64) { f.offer(Pure, f.mem.node(s, x)) })
	}
	f.offerSamples()
	return true
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
