//go:build go1.25

package text

import "math/bits"

// sums computes hashes of edited texts without making them. The hash of a text is a polynomial
// of its bytes, modulo a prime, so it follows from the hashes of the parts.
type sums struct {
	heads  []uint64 // heads[i] is the hash of the first i bytes
	powers []uint64 // powers[i] is base to the power i
}

const (
	prime = 1<<61 - 1
	base  = 0x1b8f5a2e96d3c741
)

// use computes the hashes of a text.
func (s *sums) use(text []byte) {
	s.heads = append(s.heads[:0], 0)
	for i, b := range text {
		s.heads = append(s.heads, join(s.heads[i], base, byteSum(b)))
	}
}

// power returns base to the power n.
func (s *sums) power(n int) uint64 {
	if len(s.powers) == 0 {
		s.powers = append(s.powers, 1)
	}
	for len(s.powers) <= n {
		s.powers = append(s.powers, join(s.powers[len(s.powers)-1], base, 0))
	}
	return s.powers[n]
}

// of returns the hash of the result of an edit.
func (s *sums) of(e Edit) uint64 {
	all := len(s.heads) - 1
	sum := s.heads[e.From]
	for _, b := range e.With {
		sum = join(sum, base, byteSum(b))
	}
	rest := s.power(all - e.To)
	// The hash of the text after the edit: all of it without the hash of what comes before.
	tail := s.heads[all] + prime - join(s.heads[e.To], rest, 0)
	return join(sum, rest, tail%prime)
}

// byteSum returns a number for a byte. It is not 0, so that texts of different lengths differ.
func byteSum(b byte) uint64 { return uint64(b) + 1 }

// join returns (a*b + c) modulo the prime.
func join(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	x := low&prime + (high<<3 | low>>61) + c
	x = x&prime + x>>61
	if x >= prime {
		x -= prime
	}
	return x
}
