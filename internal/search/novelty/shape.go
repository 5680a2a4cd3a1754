//go:build go1.25

package novelty

// Shaper computes the shapes of traces. Two traces have the same shape if they contain
// the same symbols, in any order and any number of times. The zero value is ready to use.
type Shaper struct{ counts counts }

// Of returns the shape of a trace: a hash of the set of its symbols.
func (s *Shaper) Of(symbols []uint32) uint64 {
	s.counts.begin()
	for _, id := range symbols {
		s.counts.add(two(id, alone))
	}
	sum := uint64(0) // sum of the hashes: it does not depend on their order
	for _, i := range s.counts.touched {
		sum += fold(s.counts.keys[i], 0xa0761d6478bd642f)
	}
	return fold(sum^uint64(len(s.counts.touched)), 0x94d049bb133111eb)
}
