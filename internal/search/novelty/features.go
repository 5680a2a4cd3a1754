package novelty

import "math/bits"

// Features is a coarser notion of what a run showed than its path: which site
// followed which, and about how often. The order of the whole does not count,
// so a loop that goes round once more is news only when the number doubles.
//
// The zero value is empty.
type Features struct {
	known  set
	counts counts
}

// Add takes a path and reports how many of its features are new.
func (f *Features) Add(path []uint32) (added int) {
	f.counts.begin()
	last := uint32(0)
	for _, id := range path {
		f.counts.add(uint64(last)<<32 | uint64(id))
		last = id
	}
	for _, i := range f.counts.touched {
		// An edge hit 5 times has the features of one hit 1, 2 and 4 times as
		// well: less of the same is no news.
		for b := bits.Len32(f.counts.n[i]); b > 0; b-- {
			if !f.known.add(fold(f.counts.keys[i]^uint64(b), 0x94d049bb133111eb)) {
				break
			}
			added++
		}
	}
	return added
}

// AddSet takes the sites of a run whose order means nothing.
func (f *Features) AddSet(sites []uint32) (added int) {
	for _, id := range sites {
		if f.known.add(fold(uint64(id)+1, 0xbf58476d1ce4e5b9)) {
			added++
		}
	}
	return added
}

// Len is how many features are known.
func (f *Features) Len() int { return f.known.used }

// counts counts edges of one run. Clearing it costs what the run used.
type counts struct {
	keys    []uint64 // plus one; 0 is empty
	n       []uint32
	touched []uint32
}

func (c *counts) begin() {
	for _, i := range c.touched {
		c.keys[i], c.n[i] = 0, 0
	}
	c.touched = c.touched[:0]
}

func (c *counts) add(edge uint64) {
	if 2*len(c.touched) >= len(c.keys) {
		c.grow()
	}
	k := edge + 1
	i := c.slot(k)
	if c.keys[i] == 0 {
		c.keys[i] = k
		c.touched = append(c.touched, uint32(i))
	}
	c.n[i]++
}

func (c *counts) slot(k uint64) int {
	mask := uint64(len(c.keys) - 1)
	i := fold(k, 0x9e3779b97f4a7c15) & mask
	for c.keys[i] != 0 && c.keys[i] != k {
		i = (i + 1) & mask
	}
	return int(i)
}

func (c *counts) grow() {
	old, n, touched := c.keys, c.n, c.touched
	size := max(slotsMin, 2*len(old))
	*c = counts{make([]uint64, size), make([]uint32, size), make([]uint32, 0, len(touched)+1)}
	for _, i := range touched {
		j := c.slot(old[i])
		c.keys[j], c.n[j] = old[i], n[i]
		c.touched = append(c.touched, uint32(j))
	}
}
