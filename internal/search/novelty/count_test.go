//go:build go1.25

package novelty

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The count is exact while all hashes are stored, and close beyond that. A map is the
// slow reference version.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c Count
	twin := map[uint64]bool{}
	for i := range 6_000_000 {
		h := r.Uint64()
		if i%3 == 0 { // one of a million hashes, so most are repeated
			h = rand.New(rand.NewPCG(7, uint64(r.IntN(1_000_000)))).Uint64()
		}
		news := c.Add(h)
		if !twin[h] && !news {
			t.Fatalf("hash %d is new", i)
		}
		twin[h] = true
		switch n := len(twin); {
		case n <= countMax && c.Number() != n:
			t.Fatalf("counted %d hashes, want exactly %d", c.Number(), n)
		case i%100_000 == 0 && math.Abs(float64(c.Number()-n)) > 0.01*float64(n):
			t.Errorf("counted %d hashes, want about %d", c.Number(), n)
		}
		if c.Bytes() > 16<<20 {
			t.Fatalf("%d bytes", c.Bytes())
		}
	}
}
