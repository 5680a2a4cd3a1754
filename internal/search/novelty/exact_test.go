//go:build go1.25

package novelty

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Hashes agrees with a map, with hashes that the set treats in a special way: 0 marks an empty
// slot, so it counts as 1.
func TestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var s Hashes
	twin := map[uint64]bool{}
	for i := range 5_000 {
		h := r.Uint64N(3_000)
		if i%2 == 0 {
			h = -h // with the high bits set
		}
		if got, want := s.Add(h), !twin[max(h, 1)]; got != want {
			t.Fatalf("hash %#x: new %v, want %v", h, got, want)
		}
		if twin[max(h, 1)] = true; s.Len() != len(twin) {
			t.Fatalf("%d hashes, want %d", s.Len(), len(twin))
		}
	}
	for h := range twin {
		if s.Add(h) {
			t.Errorf("hash %#x was forgotten", h)
		}
	}
	if s.Resets() > 0 {
		t.Errorf("%d resets without a limit", s.Resets())
	}
	if s.Reset(); s.Len() != 0 || !s.Add(1) || s.Resets() != 0 {
		t.Error("the set is not empty after a reset")
	}
}

// The ends of the range of hashes stay in the set when it grows.
func TestSetEnds(t *testing.T) {
	for _, h := range []uint64{0, 1, 2, 1<<64 - 1} {
		var s set
		for i := range uint64(200) {
			if i == 20 && (!s.add(h) || s.add(h)) {
				t.Errorf("%#x is added twice", h)
			}
			s.add(1_000 + i)
		}
		if !s.has(h) || s.used != 201 {
			t.Errorf("%#x is lost: %d hashes", h, s.used)
		}
	}
	var s set
	if !s.add(0) || s.add(1) || !s.add(2) {
		t.Error("0 and 1 must be one hash, and 2 another one")
	}
}

// table agrees with a map.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var tab table[uint32]
	twin := map[uint64]uint32{}
	for range 5_000 {
		k := 1 + r.Uint64N(2_000)
		if r.IntN(2) == 0 {
			k = -k
		}
		want, known := twin[k]
		if got, ok := tab.get(k); got != want && ok || ok != known {
			t.Fatalf("key %#x: %d %v, want %d %v", k, got, ok, want, known)
		}
		v := r.Uint32()
		*tab.at(k), twin[k] = v, v
		if tab.used != len(twin) {
			t.Fatalf("%d keys, want %d", tab.used, len(twin))
		}
	}
	var one table[uint8]
	for range 3 {
		if *one.at(5)++; one.used != 1 {
			t.Errorf("%d keys, want one", one.used)
		}
	}
	for k, want := range twin {
		if got, ok := tab.get(k); got != want || !ok {
			t.Errorf("key %#x: %d %v, want %d", k, got, ok, want)
		}
	}
}

// A table is at most three quarters full. What it will use is known before it grows.
func TestSlots(t *testing.T) {
	for _, c := range []struct{ slots, used, want int }{
		{0, 0, 0}, {0, 1, 64}, {64, 48, 64}, {64, 49, 128}, {128, 96, 128}, {128, 97, 256}, {0, 1000, 2048},
	} {
		if got := slotsFor(c.slots, c.used); got != c.want {
			t.Errorf("%d keys in %d slots: %d, want %d", c.used, c.slots, got, c.want)
		}
	}
	var s set
	var tab table[uint8]
	for i := range uint64(500) {
		forSet, forTable := s.bytesFor(1), tab.bytesFor(1)
		s.add(i + 1)
		tab.at(i + 1)
		if s.bytes() != forSet || tab.bytes() != forTable {
			t.Fatalf("%d keys: a set of %d bytes and a table of %d, want %d and %d", i+1, s.bytes(), tab.bytes(), forSet, forTable)
		}
		if s.bytes() != 8*len(s.slots) || tab.bytes() != 9*len(tab.keys) {
			t.Fatalf("%d and %d bytes", s.bytes(), tab.bytes())
		}
	}
}

// At most half of the slots for counting are used, and the list of these slots has its final
// size.
func TestCounts(t *testing.T) {
	var c counts
	for i := range 1_000 {
		c.add(uint64(i))
		slots := 64
		for 2*i >= slots {
			slots *= 2
		}
		if len(c.keys) != slots || len(c.n) != slots || cap(c.touched) != slots/2 || len(c.touched) != i+1 {
			t.Fatalf("%d edges: %d slots, room for %d", i+1, len(c.keys), cap(c.touched))
		}
	}
	if want := 2048*(8+4) + 1024*4; c.bytes() != want {
		t.Errorf("%d bytes, want %d", c.bytes(), want)
	}
}

// runs are paths such that all tables of a store grow.
func runs() (paths [][]uint32) {
	next := uint32(0)
	for i := range 70 {
		p := make([]uint32, 12)
		if i == 0 {
			p = make([]uint32, 400) // so that the limits are far above the size of the smallest tables
		}
		for j := range p {
			next++
			p[j] = next
		}
		paths = append(paths, p)
	}
	return paths
}

// A store that needs exactly as much as the limit is not emptied. With one byte less, it is.
func TestLimitIsExact(t *testing.T) {
	type limited struct {
		new    func(limit int) store
		add    func(s store, p []uint32)
		needed func(s store, p []uint32) int // for one more path
	}
	for name, c := range map[string]limited{
		"hashes": {func(limit int) store { return &Hashes{BytesMax: limit} },
			func(s store, p []uint32) { s.(*Hashes).Add(Hash(p)) },
			func(s store, p []uint32) int { return s.(*Hashes).set.bytesFor(1) }},
		"features": {func(limit int) store { return &Features{BytesMax: limit} },
			func(s store, p []uint32) { s.(*Features).Add(p) },
			func(s store, p []uint32) int { s.(*Features).Add(p); return s.Bytes() }}, // adding it again changes nothing
	} {
		free, most := c.new(0), 0
		for k, p := range runs() {
			need := c.needed(free, p)
			c.add(free, p)
			if free.Bytes() != need {
				t.Fatalf("%s, path %d: %d bytes, want %d", name, k, free.Bytes(), need)
			}
			for less := range 2 {
				s := c.new(need - less)
				for _, p := range runs()[:k+1] {
					c.add(s, p)
				}
				if less == 0 && need >= most && s.Resets() != 0 || less == 1 && need > most && s.Resets() != 1 {
					t.Errorf("%s, path %d: %d resets with a limit of %d bytes, of which %d are needed", name, k, s.Resets(), need-less, need)
				}
			}
			most = max(most, need)
		}
		if free.Resets() > 0 {
			t.Errorf("%s: %d resets without a limit", name, free.Resets())
		}
		s := c.new(1)
		for _, p := range runs()[:10] {
			c.add(s, p)
		}
		if s.Resets() != 10 {
			t.Errorf("%s: %d resets with a limit of one byte", name, s.Resets())
		}
	}
}

// Paths with the same features are known by their hashes, as long as these take at most a
// quarter of the limit.
func TestQuarter(t *testing.T) {
	for _, c := range []struct{ limit, paths int }{
		{4 * 8 * 256, 192},     // 256 hashes, three quarters full
		{4*8*512 - 1, 192},     // 512 would be one byte too many
		{4 * 8 * 512, 2 * 192}, // 512 hashes
	} {
		f := Features{BytesMax: c.limit}
		for i := range 500 {
			f.Add(slices.Repeat(path("ab"), 129+i))
			if want := i%c.paths + 1; f.paths.used != want {
				t.Fatalf("limit %d: %d paths are known after %d, want %d", c.limit, f.paths.used, i+1, want)
			}
		}
		if f.Resets() > 0 || f.Sets() != 1 {
			t.Errorf("limit %d: %d resets, %d sets", c.limit, f.Resets(), f.Sets())
		}
	}
}

// Stores report the memory that they use.
func TestBytesAreOnTheHeap(t *testing.T) {
	const slop = 1 << 17
	r := rand.New(rand.NewPCG(19, 20))
	long := make([]uint32, 300_000)
	for i := range long {
		long[i] = r.Uint32()
	}
	before := alive()
	var f Features
	f.Add(long)
	if heap := alive() - before; heap < f.Bytes()-slop || heap > f.Bytes()+slop {
		t.Errorf("features: %d bytes, on the heap %d", f.Bytes(), heap)
	}
	before = alive()
	var s Hashes
	for range 400_000 {
		s.Add(r.Uint64())
	}
	if heap := alive() - before; heap < s.Bytes()-slop || heap > s.Bytes()+slop {
		t.Errorf("hashes: %d bytes, on the heap %d", s.Bytes(), heap)
	}
	runtime.KeepAlive(long)
	runtime.KeepAlive(&f)
	runtime.KeepAlive(&s)
	if f.Reset(); f.Len() != 0 || f.Sets() != 0 || f.Bytes() != f.counts.bytes() {
		t.Errorf("%d features and %d sets after a reset", f.Len(), f.Sets())
	}
}
