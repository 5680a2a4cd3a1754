//go:build go1.25

package novelty

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The count is exact while all hashes are stored, and close beyond that. A map is the
// slow reference version.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := Count{max: 3 << 12}
	twin := map[uint64]bool{}
	for i := range 200_000 {
		h := r.Uint64()
		if i%3 == 0 { // one of many hashes, so most are repeated
			h = rand.New(rand.NewPCG(7, uint64(r.IntN(30_000)))).Uint64()
		}
		news := c.Add(h)
		exact := len(twin) < c.max
		if !twin[h] && !news || twin[h] && news && exact {
			t.Fatalf("hash %d: new %v, want %v", i, news, !twin[h])
		}
		twin[h] = true
		switch n := len(twin); {
		case n <= c.max && c.Number() != n:
			t.Fatalf("counted %d hashes, want exactly %d", c.Number(), n)
		case math.Abs(float64(c.Number()-n)) > 0.05*float64(n):
			t.Fatalf("counted %d hashes, want about %d", c.Number(), n)
		}
		if c.set.used > c.max {
			t.Fatalf("%d hashes are stored", c.set.used)
		}
	}
	stored := 0
	for h := range twin {
		if bits.LeadingZeros64(h) >= int(c.level) {
			stored++
		}
	}
	if c.Number() != stored<<c.level {
		t.Errorf("counted %d hashes, want %d with enough zero bits, times %d", c.Number(), stored, 1<<c.level)
	}
	if c.level != 4 { // 150,000 hashes, of which one in 16 is stored
		t.Errorf("hashes are stored with %d zero bits", c.level)
	}
}

// The memory is bounded, and the count is good, with the limit that searches use.
func TestCountMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c Count
	bytes := 0
	const n = countMax + 10_000
	for range n {
		c.Add(r.Uint64())
		bytes = max(bytes, c.Bytes())
	}
	if bytes > 16<<20 || bytes < 8*countMax {
		t.Errorf("%d bytes", bytes)
	}
	if c.level != 1 || math.Abs(float64(c.Number()-n)) > 0.01*n {
		t.Errorf("counted %d hashes, want about %d; %d zero bits", c.Number(), n, c.level)
	}
}
