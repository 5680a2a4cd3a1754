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
//
// Paths are the finest notion of what is new, and on a program with a probe in
// every branch too fine: a search that keeps each new one drowns. Features has
// the coarser ones. Both take a path at any level, as seen through a trace.Lens.
package novelty

import "math/bits"

// Log holds paths. The zero value is empty and has no limit.
type Log struct {
	// BytesMax bounds the memory; when more would be needed, the log is emptied
	// and everything is new again. It cannot be less than one path takes. 0 means
	// no limit.
	BytesMax int

	known  set
	tree   tree
	resets int
}

// Add takes a path and reports how many nodes of the tree are new, the end of
// the path being one, and at what depth the path left the known ones. A known
// path adds nothing.
func (l *Log) Add(path []uint32) (added, depth int) {
	h := Hash(path)
	if l.known.has(h) {
		return 0, len(path)
	}
	if l.BytesMax > 0 && l.known.bytesFor(1)+l.tree.bytesFor(len(path)) > l.BytesMax {
		l.Reset()
		l.resets++
	}
	l.known.add(h)
	return l.tree.add(path)
}

// Len is how many different paths the log holds.
func (l *Log) Len() int { return l.known.used }

// Bytes is how much memory the log uses.
func (l *Log) Bytes() int { return l.known.bytes() + l.tree.bytes() }

// Resets is how often the log was emptied because it was full.
func (l *Log) Resets() int { return l.resets }

// Reset empties the log.
func (l *Log) Reset() { l.known, l.tree = set{}, tree{} }

// Hash of a path is the same in every process. Two chains of multiplications
// run side by side, four symbols each a step, because a known path costs
// nothing else.
func Hash(path []uint32) uint64 {
	const k0, k1, k2 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3
	h, g := uint64(len(path))*k1, uint64(k2) // not k0: zeros would cancel it, and what they multiply
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
