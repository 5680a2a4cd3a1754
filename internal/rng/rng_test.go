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

// The first draws of a published SplitMix64 with this seed.
func TestSplitMix64(t *testing.T) {
	r := New(1234567)
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := r.Uint64(); got != want {
			t.Errorf("draw %d: %d, want %d", i, got, want)
		}
	}
}

// A seed in a report must repeat the run in later versions too, so streams must not change.
func TestStreamsAreStable(t *testing.T) {
	at := At(7, 3)
	split := at.Split()
	for name, c := range map[string]struct {
		r    Rand
		want uint64
	}{
		"seed 7, run 3": {At(7, 3), 0x5d00b090508179c2},
		"seed 0, run 0": {At(0, 0), 0xe220a8397b1dcdaf},
		"split off":     {split, 0xd0f788042b50b1e4},
		"after a split": {at, 0x4d8850254b1e266},
	} {
		if got := c.r.Uint64(); got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
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

// Below64 and OneIn are Below for other arguments.
func TestBelowAgrees(t *testing.T) {
	a, b, c := New(3), New(3), New(3)
	for range 1000 {
		want := a.Below(10)
		if got := b.Below64(10); got != uint64(want) {
			t.Fatalf("Below64(10) = %d, want %d", got, want)
		}
		if got := c.OneIn(10); got != (want == 0) {
			t.Fatalf("OneIn(10) = %v for %d", got, want)
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
