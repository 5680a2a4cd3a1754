package novelty

// Count is how many different hashes were seen, in bounded memory.
//
// Up to countMax it is exact. Then only hashes are held that end in a zero bit, and
// when these are too many, two: each stands for as many as were let go. The error is
// about one in a thousand, whatever the number.
type Count struct {
	set   set
	level uint // zero bits that a hash must have at its top; the set uses those below
}

// countMax is how many hashes are held, in 16 MB at most.
const countMax = 3 << 18

// Add takes a hash. It reports whether it is new as far as is known: of those that
// are not held any more, nothing is.
func (c *Count) Add(h uint64) (news bool) {
	if !c.holds(h) {
		return true
	}
	if !c.set.add(h) {
		return false
	}
	for c.set.used > countMax {
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

// Number is how many there were, about.
func (c *Count) Number() int { return c.set.used << c.level }

// Bytes is how much memory it takes.
func (c *Count) Bytes() int { return c.set.bytes() }
