//go:build go1.25

package operand

import "github.com/allele-go/allele/internal/value/term"

// number handles a comparison of side with other, which are width bytes wide. If side can
// be the current number after a conversion, number proposes other and its neighbours.
func (p *proposer) number(side, other uint64, width int) {
	x := p.now[0].X
	for _, signed := range []bool{true, false} {
		c := conversion{bits: p.s.Bits, signed: signed, width: 8 * width}
		if p.full() || c.to(x) != side {
			continue
		}
		for _, d := range []int{0, -1, 1} {
			if u, ok := c.beside(other, d); ok {
				for _, y := range c.from(u, x, p.s.IsSigned()) {
					p.offerNumber(y)
				}
			}
		}
	}
}

func (p *proposer) offerNumber(x uint64) {
	if p.s.In(x) {
		p.offer(term.Term{{S: p.s.ID, N: 1, X: x}})
	}
}

// conversion describes how a number was converted to the width in which it was compared.
// For example, int8(-1) may be compared as 0xffff or, by way of uint8, as 0x00ff.
type conversion struct {
	bits   int  // width in bits of the number itself
	signed bool // the number was extended with its sign
	width  int  // width in bits of the comparison
}

// to returns x after the conversion: the number that is compared.
func (c conversion) to(x uint64) uint64 { return extend(extend(x, c.bits, c.signed), c.width, false) }

// beside returns u + d, where u is a number that was compared, and false if the sum
// is out of range.
func (c conversion) beside(u uint64, d int) (v uint64, ok bool) {
	least, most := uint64(0), extend(^uint64(0), c.width, false)
	if c.signed {
		least, most = uint64(1)<<(c.width-1), most>>1
	}
	if d < 0 && u == least || d > 0 && u == most {
		return 0, false
	}
	return extend(u+uint64(d), c.width, false), true
}

// from is the inverse of to: it returns numbers that become u after the conversion. If
// only the low bits were compared, there are many such numbers. Then from returns two of
// them: u alone, and the current number with its low bits replaced by u.
func (c conversion) from(u, now uint64, signed bool) []uint64 {
	if c.width < c.bits {
		rest := extend(^uint64(0), c.width, false)
		return []uint64{extend(u, c.width, signed), now&^rest | u}
	}
	y := extend(u, c.bits, signed)
	if c.to(y) != u {
		return nil
	}
	return []uint64{y}
}

// extend returns the low bits of a number, extended with their sign or with zeros.
func extend(x uint64, bits int, signed bool) uint64 {
	free := 64 - bits
	if signed {
		return uint64(int64(x<<free) >> free)
	}
	return x << free >> free
}
