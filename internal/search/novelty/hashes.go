//go:build go1.25

package novelty

// Hashes is a set of hashes. With it, a search checks cheaply whether a term was run
// before.
//
// The zero value is empty and has no limit.
type Hashes struct {
	// BytesMax bounds the memory. When more would be needed, the set is emptied.
	// 0 means no limit.
	BytesMax int

	set    set
	resets int
}

// Add adds a hash and reports whether it was new.
func (s *Hashes) Add(h uint64) bool {
	if s.set.has(h) {
		return false
	}
	if s.BytesMax > 0 && s.set.bytesFor(1) > s.BytesMax {
		s.Reset()
		s.resets++
	}
	return s.set.add(h)
}

// Len returns how many hashes are in the set.
func (s *Hashes) Len() int { return s.set.used }

// Bytes returns how much memory the set uses.
func (s *Hashes) Bytes() int { return s.set.bytes() }

// Resets returns how often the set was emptied because it was full.
func (s *Hashes) Resets() int { return s.resets }

// Reset empties the set.
func (s *Hashes) Reset() { s.set = set{} }

// set is a set of hashes with open addressing. 0 marks an empty slot.
type set struct {
	slots []uint64
	used  int
}

const slotsMin = 64

// has reports whether h is in the set.
func (s *set) has(h uint64) bool {
	h = max(h, 1)
	return s.used > 0 && s.slots[s.find(h)] == h
}

// add adds h and reports whether it was new.
func (s *set) add(h uint64) bool {
	if s.has(h) {
		return false
	}
	if 4*s.used >= 3*len(s.slots) {
		s.grow()
	}
	h = max(h, 1)
	s.slots[s.find(h)] = h
	s.used++
	return true
}

// find returns the index of the slot that holds h, or of the empty slot where h belongs.
// h is a hash, so its low bits can be used as the first index to look at.
func (s *set) find(h uint64) uint64 {
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 && s.slots[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (s *set) grow() {
	old := s.slots
	s.slots = make([]uint64, max(slotsMin, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			s.slots[s.find(h)] = h
		}
	}
}

func (s *set) bytes() int { return 8 * len(s.slots) }

// bytesFor returns how much memory the set will use after the given number of hashes is
// added.
func (s *set) bytesFor(more int) int { return 8 * slotsFor(len(s.slots), s.used+more) }
