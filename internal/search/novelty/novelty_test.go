//go:build go1.25

package novelty

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func path(s string) []uint32 {
	var p []uint32
	for _, c := range s {
		p = append(p, uint32(c))
	}
	return p
}

// mutate makes the path of a run that branched off somewhere.
func mutate(r *rand.Rand, p []uint32, symbols int) []uint32 {
	q := append([]uint32{}, p...)
	switch at := r.IntN(len(q) + 1); r.IntN(4) {
	case 0:
		return q[:at]
	case 1:
		for range r.IntN(20) {
			q = append(q, uint32(r.IntN(symbols)))
		}
	default:
		if at < len(q) {
			q[at] = uint32(r.IntN(symbols))
		}
	}
	return q
}

// The hash goes into files, so it must not change.
func TestHashIsStable(t *testing.T) {
	for p, want := range map[string]uint64{
		"":                    0xf9192aebc956dae2,
		"abc":                 0x1eb25bf012fff652,
		"abcdefgh":            0x377410b553c70300,
		"abcdefghijklmnopqrs": 0xda9ba9d652788df5,
	} {
		if got := Hash(path(p)); got != want {
			t.Errorf("%q: %#x, want %#x", p, got, want)
		}
	}
}

// Different paths of small numbers, including zeros, must have different hashes.
func TestHashOfSmallNumbers(t *testing.T) {
	seen := map[uint64][]uint32{}
	for length := range 20 {
		p := make([]uint32, length)
		for i := range length {
			for j := range i {
				for v := range uint32(4) {
					for w := range uint32(4) {
						p[i], p[j] = v, w
						if q, ok := seen[Hash(p)]; ok && !slices.Equal(p, q) {
							t.Fatalf("%d and %d have one hash", p, q)
						}
						seen[Hash(p)] = slices.Clone(p)
					}
				}
				p[i], p[j] = 0, 0
			}
		}
	}
}
