//go:build go1.25

package novelty

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// store is a type with a limit on its memory.
type store interface {
	Bytes() int
	Resets() int
}

// fill makes many insertions of paths of 40 symbols. One in newIn paths is new.
// It returns the maximum memory in use, as reported by the store and as measured on
// the heap after garbage collection.
func fill(s store, newIn int, add func(p []uint32)) (says, heap int) {
	const insertions, looks = 120_000, 10
	r := rand.New(rand.NewPCG(7, 8))
	p := make([]uint32, 40)
	before := alive()
	for i := range insertions {
		if i%newIn == 0 { // the path differs from the previous one in one place
			p[r.IntN(len(p))] = r.Uint32N(1000)
		}
		add(p)
		says = max(says, s.Bytes())
		if (i+1)%(insertions/looks) == 0 {
			heap = max(heap, alive()-before)
		}
	}
	runtime.KeepAlive(s)
	return says, heap
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestBytesMax(t *testing.T) {
	if testing.Short() {
		t.Skip("many insertions")
	}
	const (
		mega = 1 << 20
		slop = mega / 8 // allocated sizes are rounded up, and the test has variables too
	)
	for _, c := range []struct {
		name     string
		newIn    int
		bytesMax int
		bites    bool
	}{
		{"a limit that is reached", 2, mega / 2, true},
		{"a limit that is not reached", 20, 8 * mega, false},
	} {
		features, hashes := &Features{BytesMax: c.bytesMax}, &Hashes{BytesMax: c.bytesMax}
		check := func(what string, s store, says, heap int) {
			t.Logf("%s, %s: %d resets, at most %d bytes, %d of heap", what, c.name, s.Resets(), says, heap)
			if (s.Resets() > 0) != c.bites || says > c.bytesMax || heap > c.bytesMax+slop {
				t.Errorf("%s, %s: %d resets, at most %d bytes, %d of heap", what, c.name, s.Resets(), says, heap)
			}
			// The store does not report less than it uses.
			if heap > says+slop {
				t.Errorf("%s, %s: reports %d bytes, uses %d", what, c.name, says, heap)
			}
		}
		says, heap := fill(features, c.newIn, func(p []uint32) { features.Add(p) })
		check("features", features, says, heap)
		says, heap = fill(hashes, c.newIn, func(p []uint32) { hashes.Add(Hash(p)) })
		check("hashes", hashes, says, heap)
	}
}

// Runs with many edges, nearly all of them known, cause no reset: the check counts
// only the new edges of a run.
func TestKnownEdgesNeedNoRoom(t *testing.T) {
	p := make([]uint32, 20_000)
	for i := range p {
		p[i] = uint32(i)
	}
	var f Features
	f.Add(p)
	f.BytesMax = f.Bytes()
	for i := range 10 {
		if news := f.Add(p[:len(p)-1-i]); news.Edges > 0 || !news.Set {
			t.Errorf("%d less: %v", i+1, news)
		}
	}
	if f.Resets() > 0 {
		t.Errorf("%d resets", f.Resets())
	}
}
