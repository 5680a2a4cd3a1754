package novelty

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The count is exact as long as all hashes are held, and close beyond; a map is its
// slow twin.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c Count
	twin := map[uint64]bool{}
	for i := range 6_000_000 {
		h := r.Uint64()
		if i%3 == 0 { // seen before, or soon again
			h = rand.New(rand.NewPCG(7, uint64(r.IntN(1_000_000)))).Uint64()
		}
		news := c.Add(h)
		if !twin[h] && !news {
			t.Fatalf("hash %d is new", i)
		}
		twin[h] = true
		switch n := len(twin); {
		case n <= countMax && c.Number() != n:
			t.Fatalf("%d after %d different ones, want exactly these", c.Number(), n)
		case i%100_000 == 0 && math.Abs(float64(c.Number()-n)) > 0.01*float64(n):
			t.Errorf("%d after %d different ones", c.Number(), n)
		}
		if c.Bytes() > 16<<20 {
			t.Fatalf("%d bytes", c.Bytes())
		}
	}
}
