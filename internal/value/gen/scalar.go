//go:build go1.25

package gen

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// scalar draws a number. Most are small, because small numbers are often equal or
// adjacent to each other and are valid indexes. Others are numbers on which code
// often fails (the ends of the range and the neighbours of powers of two), or are
// drawn from the whole range.
func (g *Gen) scalar(s *schema.Schema) uint64 {
	if tag := g.asks(s); tag != nil {
		return g.tagScalar(s, tag)
	}
	switch {
	case len(s.Consts) > 0 && (s.Only || g.known(s)):
		if x := s.Consts[g.r.Below(len(s.Consts))]; s.In(x) {
			return x
		}
		return s.Simplest()
	case s.Class != nil:
		return g.member(s.Class)
	case s.Hi == 1 && s.Lo == 0: // a bool, mostly
		return g.r.Uint64() >> 63
	case s.IsFloat():
		return g.float(s)
	case s.Units != nil:
		return g.amount(s)
	case s.Limited:
		return g.limited(s)
	}
	u := g.r.Uint64()
	switch u & 31 {
	case 0:
		return fit(s, g.r.Uint64())
	case 1:
		return fit(s, edge(u>>5))
	case 2:
		if u>>5&1 == 0 {
			return s.Lo
		}
		return s.Hi
	}
	return fit(s, g.small(s, u>>5))
}

// member draws a member of a class of characters, mostly a common one.
func (g *Gen) member(c *schema.Class) uint64 {
	if c.Common > 0 && !g.r.OneIn(16) {
		return uint64(g.r.Below(c.Common))
	}
	return uint64(g.r.Below(c.Len))
}

// A value that is no constant of its type shows how code treats an unknown constant, which is seldom the bug that a
// user wants to see first. So one term in othersIn may have such values, and there one value in othersOf is one.
const (
	othersIn = 32
	othersOf = 4
	likelyOf = 16 // one value of a predeclared type with likely values is another one
)

// known decides at random whether to draw one of the constants of s. It does so
// nearly always if they are declared for the type, and half of the time if they only
// come from comparisons in the code.
func (g *Gen) known(s *schema.Schema) bool {
	switch {
	case s.Loose:
		return g.r.OneIn(2)
	case !schema.HasConstants(s):
		return !g.r.OneIn(likelyOf)
	}
	return !g.loose.others || !g.r.OneIn(othersOf)
}

// small draws a number near zero: up to about g.reach or a half, a quarter or an
// eighth of it. It uses the bits of u as its random numbers.
func (g *Gen) small(s *schema.Schema, u uint64) uint64 {
	reach := uint64(1 + g.reach>>(u&3))
	u = (u >> 2) & (1<<32 - 1)
	if s.IsSigned() {
		return u*(2*reach+1)>>32 - reach
	}
	return u * (reach + 1) >> 32
}

// edge returns a power of two, plus or minus at most one, or its negative.
func edge(u uint64) uint64 {
	x := uint64(1) << (u & 63)
	u >>= 6
	x += u%3 - 1
	if u>>2&1 == 1 {
		return -x
	}
	return x
}

// fit truncates a number to the width of its type.
func fit(s *schema.Schema, x uint64) uint64 {
	shift := 64 - s.Bits
	if s.IsSigned() {
		return uint64(int64(x<<shift) >> shift)
	}
	return x << shift >> shift
}

// limited draws a number from a declared range: one of its ends, a number near its
// simplest value, or any number in it.
func (g *Gen) limited(s *schema.Schema) uint64 {
	span := s.Hi - s.Lo + 1 // 0 stands for 2^64
	if span != 0 && span <= uint64(4*g.reach+4) {
		return s.Lo + g.r.Below64(span)
	}
	switch g.r.Below(8) {
	case 0:
		return s.Lo
	case 1:
		return s.Hi
	case 2, 3:
		return s.Lo + g.r.Below64(span)
	}
	if x := s.Simplest() + g.small(s, g.r.Uint64()); s.In(x) {
		return x
	}
	return s.Lo + g.r.Below64(span)
}

// rounds are amounts of a unit that are common in source code.
var rounds = [...]uint64{1, 2, 5, 10, 15, 24, 30, 59, 60, 90, 100, 250, 500, 999, 1000}

// amount draws a multiple of a unit such as time.Second. The factor is small or one
// of rounds. Some results are negative, off by one, or arbitrary numbers.
func (g *Gen) amount(s *schema.Schema) uint64 {
	const draws = 4 // attempts, since a unit may be too large for a declared range
	for range draws {
		u := g.r.Uint64()
		if u&15 == 0 {
			break
		}
		x := g.small(s, u>>20)
		if u>>4&1 == 0 {
			x = rounds[(u>>20)%uint64(len(rounds))]
		}
		if int64(x) < 0 != (u>>5&7 == 0) {
			x = -x
		}
		x *= s.Units[(u>>8&0xfff)%uint64(len(s.Units))]
		if u>>60 == 0 {
			x += u>>58&2 - 1
		}
		if s.In(x) {
			return x
		}
	}
	if s.Limited || g.r.OneIn(2) {
		return g.limited(s)
	}
	return fit(s, g.r.Uint64())
}

// length draws the length of a text. It is at most 8, except that one in 16 may be
// as long as four times g.reach.
func (g *Gen) length() int {
	if g.r.OneIn(16) {
		return g.r.Below(4*g.reach + 1)
	}
	return g.r.Below(min(g.reach, 8) + 1)
}

// textsSeen is how many strings of the current term are remembered, to be used
// again.
const textsSeen = 8

// awkward are runes that text code often mishandles: quotes and escapes, white
// space, letters of two, three and four bytes, a combining mark, a byte order
// mark, and an upper case letter whose lower case has another length.
var awkward = []rune("\"'`\\ \t\n\r\x00<>&%$;,.:/-_=+#@!?*()[]{}09AZzéß世🙂\u0301\ufeffİ")

// text draws a string. Code that looks things up does nothing unless two strings
// are equal, so one string in four is a copy of an earlier one in this term, and
// half of the others are short and use few letters.
func (g *Gen) text(s *schema.Schema) {
	if tag := g.asks(s); tag != nil {
		g.tagText(s, tag)
		return
	}
	if len(s.Words) > 0 && g.known(s) {
		g.out = term.AppendRaw(g.out, s.ID, s.Words[g.r.Below(len(s.Words))])
		return
	}
	u := g.r.Uint64()
	if g.texts.n > 0 && u>>8&3 == 0 {
		if b := g.texts.seen[g.r.Below(min(g.texts.n, textsSeen))]; s.Fits(b) {
			g.out = term.AppendRaw(g.out, s.ID, b)
			return
		}
	}
	n, letters := g.length(), 16
	if u>>10&1 == 0 {
		n, letters = min(n, 2), 3
	}
	plain, raw := u&7 != 0, u>>3&31 == 0 && !s.UTF8
	var room [64]byte
	b := room[:0]
	for range n {
		switch {
		case plain && !raw:
			b = append(b, 'a'+byte(g.r.Below(letters)))
		case raw:
			b = append(b, byte(g.r.Uint64()))
		default:
			b = append(b, string(awkward[g.r.Below(len(awkward))])...)
		}
	}
	g.out = term.AppendRaw(g.out, s.ID, b)
	g.texts.add(b)
}

func (g *Gen) bytes(s *schema.Schema) {
	if tag := g.asks(s); tag != nil {
		g.tagText(s, tag)
		return
	}
	if g.r.OneIn(16) {
		g.open(s, 0, 0)
		return
	}
	n := g.length()
	var room [64]byte
	b := room[:0]
	for range n {
		u := g.r.Uint64()
		if u&1 == 0 {
			b = append(b, byte(u>>8))
		} else {
			b = append(b, byte(u>>8&7))
		}
	}
	g.out = term.AppendRaw(g.out, s.ID, b)
}

// texts holds the latest strings of a term, which are repeated.
type texts struct {
	seen [textsSeen][]byte
	n    int
}

func (t *texts) add(b []byte) {
	i := t.n % textsSeen
	t.seen[i] = append(t.seen[i][:0], b...)
	t.n++
}
