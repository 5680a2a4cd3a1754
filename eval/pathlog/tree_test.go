package pathlog

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// table agrees with a map.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var tab table
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
	var one table
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

// tree agrees with the naive one if paths are repeated. A Log does not ask for these.
func TestTreeAgreesWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var fast tree
	var slow naive
	capacity := 0
	for i := range 20_000 {
		p := make([]uint32, r.IntN(8))
		for i := range p {
			p[i] = r.Uint32N(6)
		}
		if i == 0 {
			p = nil // only the root is added
		}
		before := len(fast.nodes)
		added, depth := fast.add(p)
		if a, d := slow.add(p); a != added || d != depth {
			t.Fatalf("path %d %v: %d at %d, naively %d at %d", i, p, added, depth, a, d)
		}
		for n := before + 1; n <= len(fast.nodes); n++ {
			capacity = room(capacity, n)
		}
		if cap(fast.nodes) != capacity {
			t.Fatalf("%d nodes: room for %d, want %d", len(fast.nodes), cap(fast.nodes), capacity)
		}
	}
}

// The list of nodes grows when it is full, and not earlier.
func TestTreeIsFull(t *testing.T) {
	var x tree
	for i := uint32(0); i == 0 || len(x.nodes) < cap(x.nodes)-1; i++ {
		x.add([]uint32{i, i})
	}
	full := cap(x.nodes)
	if x.add([]uint32{0}); len(x.nodes) != full || cap(x.nodes) != full {
		t.Errorf("%d nodes, room for %d, want %d", len(x.nodes), cap(x.nodes), full)
	}
	if x.add([]uint32{0, 1}); cap(x.nodes) != room(full, full+1) {
		t.Errorf("%d nodes, room for %d", len(x.nodes), cap(x.nodes))
	}
}

// A list grows by half, and at least by what is needed.
func TestRoom(t *testing.T) {
	for _, c := range []struct{ capacity, n, want int }{
		{0, 0, 0}, {0, 1, 64}, {64, 63, 64}, {64, 64, 64}, {64, 65, 96}, {100, 101, 150}, {100, 200, 200}, {2, 3, 64},
	} {
		if got := room(c.capacity, c.n); got != c.want {
			t.Errorf("room for %d in %d: %d, want %d", c.n, c.capacity, got, c.want)
		}
	}
	list := make([]int, 64)
	list[63] = 7
	grown := withRoom(list, 1)
	if cap(grown) != 96 || !slices.Equal(grown, list) {
		t.Errorf("%v, room for %d", grown, cap(grown))
	}
	if same := withRoom(grown, 32); &same[0] != &grown[0] || cap(same) != 96 {
		t.Error("a list with enough room was copied")
	}
}

// What a tree will use at most is close to what it uses. A path adds a node where it branches
// off, and one for each page that it is on. One more is for the root.
func TestTreeBytesFor(t *testing.T) {
	for _, c := range []struct{ used, nodes, length, pages, capacity int }{
		{0, 0, 1, 1, 64},
		{0, 0, pageSize, 1, 64},
		{0, 0, pageSize + 1, 2, 64},
		{pageSize, 20, pageSize, 2, 64},
		{20 * pageSize, 60, 10, 21, 64},
		{20 * pageSize, 61, 10, 21, 96},
		{20*pageSize - 1, 60, 1, 20, 64},
		{20*pageSize - 1, 60, 2, 21, 96},
		{20 * pageSize, 60, 2 * pageSize, 22, 96},
	} {
		x := tree{used: c.used, nodes: make([]node, c.nodes, room(0, c.nodes))}
		if got, want := x.bytesFor(c.length), pageBytes*c.pages+nodeBytes*c.capacity+x.edges.bytesFor(1); got != want {
			t.Errorf("%+v: %d, want %d", c, got, want)
		}
	}
	r := rand.New(rand.NewPCG(17, 18))
	var x tree
	for range 3_000 {
		p := make([]uint32, r.IntN(50))
		for i := range p {
			p[i] = r.Uint32N(3)
		}
		most := x.bytesFor(len(p))
		if x.add(p); x.bytes() > most {
			t.Fatalf("%d bytes, at most %d were announced", x.bytes(), most)
		}
	}
}
