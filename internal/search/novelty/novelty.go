// Package novelty remembers what runs have shown, and says what a new one adds.
//
// A run is a path: the numbers of the sites it reached, in order. A Log keeps
// all paths in a tree, so that for a new one it can tell how much of it is new
// and how deep it left the paths already known:
//
//	added, depth := log.Add(path)
//	if added > 0 { ... } // keep the case that took it
//
// Nearly every path of a long search is known already, so a set of hashes of
// whole paths stands in front: a known path costs a hash and a look-up, and
// only new ones reach the tree.
package novelty

import "math/bits"

// Log holds paths. The zero value is empty and has no limit.
type Log struct {
	// BytesMax bounds the memory of the tree; when it is reached, the log is
	// emptied and everything is new again. 0 means no limit.
	BytesMax int

	known  set
	tree   tree
	resets int
}

// Add takes a path and reports how many nodes of the tree are new, the end of
// the path being one, and at what depth the path left the known ones. A known
// path adds nothing.
func (l *Log) Add(path []uint32) (added, depth int) {
	if !l.known.add(hash(path)) {
		return 0, len(path)
	}
	if l.BytesMax > 0 && l.Bytes() > l.BytesMax {
		l.Reset()
		l.resets++
		l.known.add(hash(path))
	}
	return l.tree.add(path)
}

// Len is how many different paths the log holds.
func (l *Log) Len() int { return l.known.used }

// Bytes is about how much memory the log uses.
func (l *Log) Bytes() int { return l.known.bytes() + l.tree.bytes() }

// Resets is how often the log was emptied because it was full.
func (l *Log) Resets() int { return l.resets }

// Reset empties the log.
func (l *Log) Reset() { l.known, l.tree = set{}, tree{} }

// hash is the same in every process. Two chains of multiplications run side by
// side, four symbols each a step, because a known path costs nothing else.
func hash(path []uint32) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h, g := uint64(len(path))*k1, uint64(k0)
	for ; len(path) >= 8; path = path[8:] {
		p := (*[8]uint32)(path)
		h = fold(two(p[0], p[1])^k0^h, two(p[2], p[3])^k1)
		g = fold(two(p[4], p[5])^k0^g, two(p[6], p[7])^k1)
	}
	for _, id := range path {
		h = fold(uint64(id)^k0^h, k1)
	}
	return fold(h^k0, g^k1)
}

func two(a, b uint32) uint64 { return uint64(a) | uint64(b)<<32 }

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// set is a set of hashes, open addressing. 0 stands for an empty place.
type set struct {
	slots []uint64
	used  int
}

const slotsMin = 64

// add puts h in and reports whether it was new.
func (s *set) add(h uint64) bool {
	if h == 0 {
		h = 1
	}
	if 4*s.used >= 3*len(s.slots) {
		s.grow()
	}
	i := h & uint64(len(s.slots)-1)
	for s.slots[i] != 0 {
		if s.slots[i] == h {
			return false
		}
		i = (i + 1) & uint64(len(s.slots)-1)
	}
	s.slots[i] = h
	s.used++
	return true
}

func (s *set) grow() {
	old := s.slots
	s.slots, s.used = make([]uint64, max(slotsMin, 2*len(old))), 0
	for _, h := range old {
		if h != 0 {
			s.add(h)
		}
	}
}

func (s *set) bytes() int { return 8 * len(s.slots) }
