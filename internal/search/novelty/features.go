//go:build go1.25

package novelty

import (
	"math/bits"

	"github.com/allele-go/allele/internal/outside"
)

// Features describes runs more coarsely than their paths. An edge is a symbol and the
// symbol that followed it; a feature is an edge together with a bucket (a range of
// numbers) for how often the run took the edge. The order of the edges does not count.
// The set of all features of a run is coarser than its path and finer than the single
// features:
//
//	news := features.Add(path)
//	news.Features > 0 // an edge with a hit count in a bucket not seen before
//	news.Set          // this combination of features was not seen before
//
// A set of hashes of whole paths is checked first, so a path that
// was added before costs no more than its hash.
//
// The zero value is empty and has no limit.
type Features struct {
	// BytesMax bounds the memory. When more would be needed, everything is forgotten, so
	// everything is new again. The memory for counting one run, about 40 bytes for each
	// of its edges, is used in any case. 0 means no limit.
	BytesMax int

	paths  set // hashes of known paths: a shortcut that may be emptied at any time
	sets   set
	edges  table[uint8] // for each edge, the buckets that were seen, one bit per bucket
	known  int          // number of known features
	counts counts
	resets int
}

// News describes what a run has shown that no earlier run had.
type News struct {
	Edges    int  // number of new edges
	Features int  // number of edges in a bucket not seen before, including new edges
	Set      bool // the set of all features is new
}

// bucket returns the bucket of a number of hits: 1, 2, 3, 4-7, 8-15, 16-31,
// 32-127, more. The search was tuned with these buckets.
func bucket(n uint32) int {
	switch {
	case n <= 3:
		return int(n) - 1
	case n < 32:
		return bits.Len32(n)
	case n < 128:
		return 6
	}
	return 7
}

// An edge needs a previous symbol. begin stands for it in the first edge of a path; alone
// stands for it if a site comes from a set, which has no order. No symbol has these
// values.
const (
	begin = 1<<31 - 1
	alone = 1<<31 - 2
	// elsewhere does the same if the site is a place in another program.
	elsewhere = 1<<31 - 3
)

// Add adds a path and returns what is new about it.
func (f *Features) Add(path []uint32) News {
	h := Hash(path)
	if f.paths.has(h) {
		return News{}
	}
	f.counts.begin()
	last := uint32(begin)
	for _, id := range path {
		f.counts.add(two(id, last))
		last = id
	}
	return f.learn(h)
}

// AddSet adds the sites of a run whose order has no meaning. Each site counts as
// an edge that was hit once.
func (f *Features) AddSet(sites []uint32) News {
	h := fold(Hash(sites), alone)
	if f.paths.has(h) {
		return News{}
	}
	f.counts.begin()
	for _, id := range sites {
		f.counts.add(two(id, alone))
	}
	return f.learn(h)
}

// AddOutside adds the places that a run has reached in another program, with the buckets of
// their hit counts. Each place counts as an edge.
func (f *Features) AddOutside(places []uint32) News {
	h := fold(Hash(places), elsewhere)
	if f.paths.has(h) {
		return News{}
	}
	f.counts.begin()
	for _, id := range places {
		f.counts.add(two(outside.Place(id), elsewhere))
		f.counts.n[f.counts.touched[len(f.counts.touched)-1]] = least[id>>outside.Shift&7]
	}
	return f.learn(h)
}

// least is the smallest number of hits in each bucket.
var least = [8]uint32{1, 2, 3, 4, 8, 16, 32, 128}

// learn adds the edges that were just counted, and returns what is new. h is the hash of
// the path or set.
func (f *Features) learn(h uint64) (news News) {
	f.makeRoom()
	f.paths.add(h)
	sum := uint64(0) // sum of the hashes of all features: it does not depend on their order
	for _, i := range f.counts.touched {
		edge, b := f.counts.keys[i], bucket(f.counts.n[i])
		seen := f.edges.at(edge)
		if *seen == 0 {
			news.Edges++
		}
		if *seen&(1<<b) == 0 {
			*seen |= 1 << b
			news.Features++
		}
		sum += fold(fold(edge, 0xa0761d6478bd642f)^uint64(b+1)*0x9e3779b97f4a7c15, 0xe7037ed1a0b428db)
	}
	news.Set = f.sets.add(fold(sum^uint64(len(f.counts.touched)), 0x94d049bb133111eb))
	f.known += news.Features
	return news
}

// makeRoom enforces BytesMax before anything grows. The shortcut (paths) is emptied
// first, as soon as it would take more than a quarter of BytesMax.
func (f *Features) makeRoom() {
	if f.BytesMax <= 0 {
		return
	}
	if 4*f.paths.bytesFor(1) > f.BytesMax {
		f.paths = set{}
	}
	if f.bytesFor(len(f.counts.touched)) <= f.BytesMax {
		return
	}
	// Most edges of a run are known. Without this second check, a run with many
	// known edges would clear tables that need not grow.
	if f.bytesFor(f.missing()) > f.BytesMax {
		f.Reset()
		f.resets++
	}
}

// bytesFor returns how much memory will be used after adding one path, one set and
// the given number of edges.
func (f *Features) bytesFor(edges int) int {
	return f.paths.bytesFor(1) + f.sets.bytesFor(1) + f.edges.bytesFor(edges) + f.counts.bytes()
}

// missing returns how many edges of the counted run are new.
func (f *Features) missing() (n int) {
	for _, i := range f.counts.touched {
		if _, ok := f.edges.get(f.counts.keys[i]); !ok {
			n++
		}
	}
	return n
}

// Len returns how many features are known.
func (f *Features) Len() int { return f.known }

// Sets returns how many combinations of features are known.
func (f *Features) Sets() int { return f.sets.used }

// Bytes returns how much memory the features use.
func (f *Features) Bytes() int {
	return f.paths.bytes() + f.sets.bytes() + f.edges.bytes() + f.counts.bytes()
}

// Resets returns how often everything was forgotten because BytesMax was reached.
func (f *Features) Resets() int { return f.resets }

// Reset forgets everything. The buffers for counting one run are kept.
func (f *Features) Reset() { f.paths, f.sets, f.edges, f.known = set{}, set{}, table[uint8]{}, 0 }

// counts counts the edges of one run. Clearing it costs time in proportion to the
// edges that the run used.
type counts struct {
	keys    []uint64 // 0 marks an empty slot
	n       []uint32
	touched []uint32 // indices of the slots in use
}

func (c *counts) begin() {
	for _, i := range c.touched {
		c.keys[i], c.n[i] = 0, 0
	}
	c.touched = c.touched[:0]
}

// add counts an edge. The key is the edge plus one, because an edge can be 0 and a
// key cannot.
func (c *counts) add(edge uint64) {
	if 2*len(c.touched) >= len(c.keys) {
		c.grow()
	}
	k := edge + 1
	i := slot(c.keys, k)
	if c.keys[i] == 0 {
		c.keys[i] = k
		c.touched = append(c.touched, uint32(i))
	}
	c.n[i]++
}

func (c *counts) grow() {
	old, n, touched := c.keys, c.n, c.touched
	size := max(slotsMin, 2*len(old))
	*c = counts{make([]uint64, size), make([]uint32, size), make([]uint32, 0, size/2)}
	for _, i := range touched {
		j := slot(c.keys, old[i])
		c.keys[j], c.n[j] = old[i], n[i]
		c.touched = append(c.touched, uint32(j))
	}
}

func (c *counts) bytes() int { return 12*len(c.keys) + 4*cap(c.touched) }
