//go:build go1.25

package rng

import (
	"math"
	"testing"
)

func TestSameSeedSameStream(t *testing.T) {
	a, b := At(7, 3), At(7, 3)
	for i := range 100 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("draw %d: %x and %x", i, x, y)
		}
	}
}

// Neighbouring runs and neighbouring seeds must not share draws: each pair of
// seed and run has its own stream.
func TestStreamsDoNotOverlap(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(30) {
		for run := range uint64(30) {
			r := At(seed, run)
			for range 20 {
				x := r.Uint64()
				if at, ok := seen[x]; ok {
					t.Fatalf("seed %d run %d repeats a draw of %s", seed, run, at)
				}
				seen[x] = "another stream"
			}
		}
	}
}

func TestBelowIsEven(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 40, 200} {
		r := New(uint64(n))
		count := make([]int, n)
		const draws = 200_000
		for range draws {
			count[r.Below(n)]++
		}
		want := float64(draws) / float64(n)
		for v, c := range count {
			if math.Abs(float64(c)-want) > 6*math.Sqrt(want) {
				t.Errorf("Below(%d) gave %d %d times, want about %.0f", n, v, c, want)
			}
		}
	}
}

func TestBelow64(t *testing.T) {
	r := New(1)
	high := false
	for range 1000 {
		if x := r.Below64(10); x >= 10 {
			t.Fatalf("Below64(10) = %d", x)
		}
		high = high || r.Below64(0) > math.MaxUint64/2
	}
	if !high {
		t.Error("Below64(0) never left the lower half")
	}
}

func TestSplitIsIndependent(t *testing.T) {
	r := New(5)
	s := r.Split()
	if r.Uint64() == s.Uint64() {
		t.Error("a split stream follows its parent")
	}
}

func BenchmarkUint64(b *testing.B) {
	r := New(1)
	for b.Loop() {
		r.Uint64()
	}
}
