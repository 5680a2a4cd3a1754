package novelty

import "math/bits"

// Features is a coarser notion of what a run showed than its path: which symbol
// followed which, and about how often. Such an edge with its bucket is a
// feature. The order of the whole does not count. Coarser than the path and
// finer than its features one by one is the set of all of them:
//
//	news := features.Add(path)
//	news.Features > 0 // an edge as often as never before
//	news.Set          // this combination of features for the first time
//
// As in a Log, a set of hashes of whole paths stands in front, so that a path
// that was here before costs no more than its hash.
//
// The zero value is empty and has no limit.
type Features struct {
	// BytesMax bounds the memory; when more would be needed, everything is
	// forgotten and new again. It cannot be less than counting one run takes, about
	// 40 bytes for each of its edges. 0 means no limit.
	BytesMax int

	paths  set // a shortcut: it may be emptied at any time
	sets   set
	edges  table[uint8] // the buckets seen of each edge, a bit each
	known  int          // features
	counts counts
	resets int
}

// News is what a run adds to what was known.
type News struct {
	Edges    int  // never seen before
	Features int  // edges in a bucket never seen before, those of new edges included
	Set      bool // the features as a whole
}

// bucket of a number of hits: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more. These
// are what the search was tuned with.
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

// The first edge of a path, and a site in a set, have no symbol before them. No
// symbol looks like these.
const (
	begin = 1<<31 - 1
	alone = 1<<31 - 2
)

// Add takes a path.
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

// AddSet takes the sites of a run whose order means nothing. Each is an edge
// that was hit once.
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

// learn puts in what was counted, for the path or set with a hash.
func (f *Features) learn(h uint64) (news News) {
	f.makeRoom()
	f.paths.add(h)
	sum := uint64(0) // of hashes of features, so that their order does not matter
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

// makeRoom keeps the limit before anything grows. The shortcut goes first, once
// it is a quarter.
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
	// Most edges of a run are known. Without looking, a run with many would clear
	// tables that need not grow.
	if f.bytesFor(f.missing()) > f.BytesMax {
		f.Reset()
		f.resets++
	}
}

// bytesFor is how much memory it will be with one more path, one more set and so
// many more edges.
func (f *Features) bytesFor(edges int) int {
	return f.paths.bytesFor(1) + f.sets.bytesFor(1) + f.edges.bytesFor(edges) + f.counts.bytes()
}

// missing is how many edges of the run are new.
func (f *Features) missing() (n int) {
	for _, i := range f.counts.touched {
		if _, ok := f.edges.get(f.counts.keys[i]); !ok {
			n++
		}
	}
	return n
}

// Len is how many features are known.
func (f *Features) Len() int { return f.known }

// Sets is how many combinations of features are known.
func (f *Features) Sets() int { return f.sets.used }

// Bytes is how much memory the features use.
func (f *Features) Bytes() int {
	return f.paths.bytes() + f.sets.bytes() + f.edges.bytes() + f.counts.bytes()
}

// Resets is how often everything was forgotten for want of memory.
func (f *Features) Resets() int { return f.resets }

// Reset forgets everything. What serves to count one run stays.
func (f *Features) Reset() { f.paths, f.sets, f.edges, f.known = set{}, set{}, table[uint8]{}, 0 }

// counts counts edges of one run. Clearing it costs what the run used.
type counts struct {
	keys    []uint64 // 0 is empty
	n       []uint32
	touched []uint32
}

func (c *counts) begin() {
	for _, i := range c.touched {
		c.keys[i], c.n[i] = 0, 0
	}
	c.touched = c.touched[:0]
}

// add counts an edge. The key is one more, as two symbols may both be 0.
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
