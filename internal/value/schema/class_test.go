//go:build go1.25

package schema

import (
	"testing"
	"unicode"
)

// Every character of the ranges has one index, surrogates have none, and the simplest
// members come first.
func TestClass(t *testing.T) {
	for _, c := range []struct {
		ranges []rune
		len    int
		first  string
	}{
		{[]rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}, 63, "abc"},
		{[]rune{'0', '9'}, 10, "012"},
		{[]rune{0, unicode.MaxRune}, unicode.MaxRune + 1 - 2048, "abc"},
		{[]rune{0xd700, 0xe000}, 0xe001 - 0xd700 - 2048, "\ud700\ud701\ud702"},
		{[]rune{0xd800, 0xdfff}, 0, ""},
		{[]rune{'K', 'K', 'k', 'k', 0x212a, 0x212a}, 3, "kK\u212a"},
	} {
		class := newClass(c.ranges)
		members := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if x, ok := class.Index(r); ok {
				members++
				if back := class.Rune(x); back != r || x >= uint64(class.Len) {
					t.Fatalf("%x has index %d of %d, which is %x", r, x, class.Len, back)
				}
			}
		}
		if members != c.len || class.Len != c.len {
			t.Errorf("%x: %d members, Len %d, want %d", c.ranges, members, class.Len, c.len)
		}
		for i, r := range []rune(c.first) {
			if got := class.Rune(uint64(i)); got != r {
				t.Errorf("%x: member %d is %q, want %q", c.ranges, i, got, r)
			}
		}
	}
}
