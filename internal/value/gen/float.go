//go:build go1.25

package gen

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// float draws a float. Most are small whole numbers or quarters, like most floats in source
// code. Others are values on which code often fails, or have random bits.
func (g *Gen) float(s *schema.Schema) uint64 {
	if s.Limited {
		return g.limitedFloat(s)
	}
	u := g.r.Uint64()
	if x := g.anyFloat(s, u); s.In(x) {
		return x
	}
	return schema.FloatBits(g.smallFloat(u >> 5))
}

func (g *Gen) anyFloat(s *schema.Schema, u uint64) uint64 {
	switch u & 31 {
	case 0:
		return schema.FloatBits(math.NaN())
	case 1:
		return schema.FloatBits(math.Inf(int(u>>4&2) - 1))
	case 2:
		return schema.FloatBits(math.Copysign(0, -1))
	case 3:
		return narrow(s, math.Float64frombits(g.r.Uint64()))
	case 4:
		return narrow(s, [...]float64{math.MaxFloat64, math.SmallestNonzeroFloat64, -math.MaxFloat64, math.MaxFloat32}[u>>5&3])
	}
	return schema.FloatBits(g.smallFloat(u >> 5))
}

// smallFloat returns a small whole number, or a small number of quarters. It uses the bits
// of u as its random numbers.
func (g *Gen) smallFloat(u uint64) float64 {
	reach := int64(4 * g.reach)
	n := int64((u >> 1 & (1<<32 - 1)) * uint64(2*reach+1) >> 32)
	f := float64(n - reach)
	if u&1 == 1 {
		f /= 4
	}
	return f
}

// limitedFloat draws a float from a declared range: one of its ends, a number near its
// simplest value, or any number in it. A range may contain numbers of very different
// magnitude, and half of all floats are between -1 and 1. So "any number" is drawn in two
// ways: by its place in the order of all floats of the range, and by its value.
func (g *Gen) limitedFloat(s *schema.Schema) uint64 {
	first, last := s.Rank(s.Lo), s.Rank(s.Hi)
	span := uint64(last-first) + 1
	if span <= uint64(4*g.reach+4) {
		return s.Ranked(first + int64(g.r.Below64(span)))
	}
	u := g.r.Uint64()
	switch u & 15 {
	case 0:
		return s.Lo
	case 1:
		return s.Hi
	case 2, 3, 4:
		return s.Ranked(first + int64(g.r.Below64(span)))
	case 5, 6, 7, 8:
		if x := narrow(s, math.Float64frombits(s.Simplest())+g.smallFloat(u>>5)); s.In(x) {
			return x
		}
	}
	f := between(s, float64(g.r.Uint64()>>11)/(1<<53))
	if u>>4&1 == 0 {
		if x := narrow(s, math.Trunc(f)); s.In(x) {
			return x
		}
	}
	return narrow(s, f)
}

// between returns the number at u, from 0 to 1, of the way from one end of a range to the
// other. Infinite ends count as the largest finite numbers.
func between(s *schema.Schema, u float64) float64 {
	most := math.MaxFloat64
	if s.Bits == 32 {
		most = math.MaxFloat32
	}
	lo, hi := math.Float64frombits(s.Lo), math.Float64frombits(s.Hi)
	a, b := min(max(lo, -most), most), min(max(hi, -most), most)
	f := a*(1-u) + b*u // a + (b-a)*u overflows if b-a does
	return min(max(f, lo), hi)
}

// narrow rounds f to the precision of the type.
func narrow(s *schema.Schema, f float64) uint64 {
	if s.Bits == 32 {
		f = float64(float32(f))
	}
	return schema.FloatBits(f)
}
