//go:build go1.25

package novelty

import "cmp"

// Count counts the different hashes that it was given, in bounded memory.
//
// Up to countMax the number is exact. Beyond that only hashes that begin with a zero
// bit are stored, and when these are too many, only those that begin with two zero
// bits, and so on. Each stored hash then stands for 2, 4, ... hashes. The error is
// about one in a thousand, whatever the number.
type Count struct {
	set   set
	level uint // number of leading zero bits that a stored hash must have
	max   int  // maximum number of stored hashes; 0 means countMax
}

// countMax is how many hashes are stored at most. They take at most 16 MB.
const countMax = 3 << 18

// Add takes a hash and reports whether it is new. A hash without enough leading zero
// bits to be stored is always reported as new.
func (c *Count) Add(h uint64) (news bool) {
	if !c.holds(h) {
		return true
	}
	if !c.set.add(h) {
		return false
	}
	for c.set.used > cmp.Or(c.max, countMax) {
		c.level++
		old := c.set
		c.set = set{}
		for _, h := range old.slots {
			if h != 0 && c.holds(h) {
				c.set.add(h)
			}
		}
	}
	return true
}

func (c *Count) holds(h uint64) bool { return h>>(64-c.level) == 0 }

// Number returns the approximate number of different hashes.
func (c *Count) Number() int { return c.set.used << c.level }

// Bytes returns how much memory the count uses.
func (c *Count) Bytes() int { return c.set.bytes() }
