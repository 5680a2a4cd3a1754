//go:build go1.25

package schema

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// Class is a set of characters. A scalar schema with a Class stores the index of a
// member in X. The simplest members come first, so texts shrink to letters such as a,
// and the neighbours of a member are mostly the neighbours in Unicode.
type Class struct {
	Len    int // number of members
	Common int // most generated members have a lower index; 0 means that all are equally likely

	spans []span
}

// span is a range of members.
type span struct {
	lo, hi rune
	first  int // index of lo
}

// preferred lists the characters that are generated most, the simplest first, as pairs
// of ends. After ASCII come a few characters that code often gets wrong: a space of two
// bytes, letters (sharp s, e acute, dotted I, long s), a combining mark, Omega, the
// Kelvin sign, a wide character, the replacement character, and characters of four bytes.
var preferred = []rune{
	'a', 'z', '0', '9', 'A', 'Z', ' ', '/', ':', '@', '[', '`', '{', '~', '\t', '\n', '\r', '\r',
	0xa0, 0xa0, 0xdf, 0xdf, 0xe9, 0xe9, 0x130, 0x130, 0x17f, 0x17f, 0x301, 0x301, 0x3a9, 0x3a9, 0x212a, 0x212a,
	0x4e2d, 0x4e2d, 0xfffd, 0xfffd, 0x1f600, 0x1f600, unicode.MaxRune, unicode.MaxRune,
}

// surrogates are no characters: UTF-8 cannot encode them.
const surrogateLo, surrogateHi = 0xd800, 0xdfff

// newClass returns the class of the given ranges, as pairs of ends in ascending order.
func newClass(ranges []rune) *Class {
	c := &Class{}
	ascii := 0
	for i := 0; i < len(preferred); i += 2 {
		for j := 0; j < len(ranges); j += 2 {
			c.add(max(ranges[j], preferred[i]), min(ranges[j+1], preferred[i+1]))
		}
		if preferred[i] < utf8.RuneSelf {
			ascii = c.Len
		}
	}
	common := c.Len
	taken := [][2]rune{{surrogateLo, surrogateHi}}
	for i := 0; i < len(preferred); i += 2 {
		taken = append(taken, [2]rune{preferred[i], preferred[i+1]})
	}
	sort.Slice(taken, func(i, j int) bool { return taken[i][0] < taken[j][0] })
	for j := 0; j < len(ranges); j += 2 {
		lo, hi := ranges[j], ranges[j+1]
		for _, t := range taken {
			if t[0] <= hi && t[1] >= lo {
				c.add(lo, t[0]-1)
				lo = t[1] + 1
			}
		}
		c.add(lo, hi)
	}
	switch {
	case c.Len > common:
		c.Common = common
	case c.Len > ascii:
		c.Common = ascii
	}
	return c
}

func (c *Class) add(lo, hi rune) {
	if lo <= hi {
		c.spans = append(c.spans, span{lo, hi, c.Len})
		c.Len += int(hi-lo) + 1
	}
}

// Rune returns the member with index x.
func (c *Class) Rune(x uint64) rune {
	i := sort.Search(len(c.spans), func(i int) bool { return uint64(c.spans[i].first) > x }) - 1
	return c.spans[i].lo + rune(x) - rune(c.spans[i].first)
}

// Index returns the index of a member. ok is false if r is not a member.
func (c *Class) Index(r rune) (x uint64, ok bool) {
	for _, s := range c.spans {
		if s.lo <= r && r <= s.hi {
			return uint64(s.first) + uint64(r-s.lo), true
		}
	}
	return 0, false
}

// folds returns the class of the characters that equal r if case is ignored.
func folds(r rune) *Class {
	all := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		all = append(all, f)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	var ranges []rune
	for _, f := range all {
		ranges = append(ranges, f, f)
	}
	return newClass(ranges)
}
