//go:build go1.25

package shrink

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
)

// plain lists the ASCII characters, the simplest first: a to z, digits, A to Z, other
// printable characters, the rest. A text of which only the length matters shrinks to
// repetitions of the first character.
var plain = func() (order [128]byte) {
	const front = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	rest := order[copy(order[:], front):][:0]
	for _, from := range []byte{' ', 0} { // characters from space on, then those below
		for b := from; b < 128 && (from > 0 || b < ' '); b++ {
			if !bytes.ContainsRune([]byte(front), rune(b)) {
				rest = append(rest, b)
			}
		}
	}
	return order
}()

// plainRank is the inverse of plain.
var plainRank = func() (ranks [128]rune) {
	for i, b := range plain {
		ranks[b] = rune(i)
	}
	return ranks
}()

// alphabet defines how the bytes of a text are read: a byte slice as numbers, a string
// as characters, or as bytes if it is not UTF-8.
type alphabet struct{ numbers, runes bool }

func alphabetOf(sc *schema.Schema, b []byte) alphabet {
	isString := sc.Kind == schema.String
	return alphabet{numbers: !isString, runes: isString && utf8.Valid(b)}
}

// ranks returns the ranks of the characters of a text; 0 is the simplest.
func (a alphabet) ranks(b []byte) []rune {
	var out []rune
	if a.runes {
		out = []rune(string(b))
	} else {
		for _, c := range b {
			out = append(out, rune(c))
		}
	}
	for i, r := range out {
		if !a.numbers && r < 128 {
			out[i] = plainRank[r]
		} else if a.runes {
			out[i] = accents(r)
		}
	}
	return out
}

// accents exchanges the control characters after ASCII (0x80 to 0x9f) with the letters
// from à to ÿ (0xe0 to 0xff), so that a text that must contain a non-ASCII character is
// still readable. It is its own inverse.
func accents(r rune) rune {
	if 0x80 <= r && r < 0xa0 || 0xe0 <= r && r < 0x100 {
		return r ^ 0x60
	}
	return r
}

// text is the inverse of ranks. Ranks of surrogates, which are not characters, become
// the replacement character, so that the text stays valid.
func (a alphabet) text(ranks []rune) []byte {
	var out []byte
	for _, r := range ranks {
		if !a.numbers && r < 128 {
			r = rune(plain[r])
		}
		if a.runes {
			out = utf8.AppendRune(out, accents(r))
		} else {
			out = append(out, byte(r))
		}
	}
	return out
}

// compareTexts orders shorter texts first, then valid UTF-8 before other texts, then
// texts whose first different character is simpler.
func compareTexts(sc *schema.Schema, a, b []byte) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 || bytes.Equal(a, b) {
		return c
	}
	x, y := alphabetOf(sc, a), alphabetOf(sc, b)
	switch {
	case x.runes && !y.runes:
		return -1
	case y.runes && !x.runes:
		return 1
	}
	return slices.Compare(x.ranks(a), y.ranks(b))
}
