//go:build go1.25

// Package novelty stores what runs have shown and reports what a new run adds.
//
// A run is a path: the numbers of the sites it reached, in order. Features keeps the edges
// of paths with their hit counts, and the combinations of them:
//
//	news := features.Add(path)
//	if news.Set { ... } // keep the case that took this path
//
// Nearly every path of a long search is known already, so a set of hashes of
// whole paths is checked first. A known path costs a hash and a lookup.
//
// Whole paths would be the finest notion of what is new. On a program with a probe in every branch
// they are too fine: a search that keeps every new path keeps too many cases.
package novelty

import "math/bits"

// Hash returns a hash of a path that is the same in every process. For a known path,
// hashing is the main cost. So Hash computes two independent chains of multiplications,
// and each chain takes four symbols per step.
func Hash(path []uint32) uint64 {
	const k0, k1, k2 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3
	h, g := uint64(len(path))*k1, uint64(k2) // g does not start at k0, because with symbols that are 0 the product would be 0
	for ; len(path) >= 8; path = path[8:] {
		p := (*[8]uint32)(path)
		h = fold(two(p[0], p[1])^k0^h, two(p[2], p[3])^k1)
		g = fold(two(p[4], p[5])^k0^g, two(p[6], p[7])^k1)
	}
	for _, id := range path {
		h = fold(uint64(id)^k0^h, k1)
	}
	return fold(h^k0, g^k1)
}

func two(a, b uint32) uint64 { return uint64(a) | uint64(b)<<32 }

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
