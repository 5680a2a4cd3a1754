//go:build go1.25

package schema

import "math"

// FloatBits returns the X of a float.
func FloatBits(f float64) uint64 {
	if f != f {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

func isNaN(x uint64) bool { f := math.Float64frombits(x); return f != f }

// Rank returns the place of a float in the order of all floats of its type: 0 for zero of
// either sign, 1 for the smallest positive number, and so on to infinity. x is not a NaN.
func (s *Schema) Rank(x uint64) int64 {
	f := math.Float64frombits(x)
	n := int64(math.Float64bits(math.Abs(f)))
	if s.Bits == 32 {
		n = int64(math.Float32bits(float32(math.Abs(f))))
	}
	if f < 0 {
		return -n
	}
	return n
}

// Ranked returns the float of rank n.
func (s *Schema) Ranked(n int64) uint64 {
	size := uint64(max(n, -n))
	f := math.Float64frombits(size)
	if s.Bits == 32 {
		f = float64(math.Float32frombits(uint32(size)))
	}
	if n < 0 {
		f = -f
	}
	return FloatBits(f)
}
