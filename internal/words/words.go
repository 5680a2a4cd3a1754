//go:build go1.25

// Package words formats numbers and untrusted texts for people.
//
// Exact numbers get thousands separators, and other numbers are rounded. A text from the
// user's program is escaped, so that it cannot move the cursor, and shortened, so that it
// fits its column.
//
//	words.Group(65536)              // 65,536
//	words.Round(1234567)            // 1.2M
//	words.Count(2, "failure")       // 2 failures
//	words.Bytes(5 << 20)            // 5 MB
//	words.Fit("a/long/name", 8)     // a/l…name
//	words.Printable("\x1b[2J")      // \x1b[2J
//	words.Shell("it's")             // 'it'\''s'
package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Printable makes an untrusted text safe for a terminal: control characters, which could
// move the cursor or do worse, are written as Go escapes. Spaces such as U+00A0 stay as they are.
func Printable(s string) string {
	odd := func(r rune) bool {
		return r != '\n' && r != '\t' && (!unicode.IsGraphic(r) || r == unicode.ReplacementChar)
	}
	if !strings.ContainsFunc(s, odd) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if odd(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line makes an untrusted text one line of at most so many bytes that is safe for a terminal.
func Line(s string, most int) string {
	return Bounded(Printable(strings.Join(strings.Fields(s), " ")), most)
}

// Group formats a number with thousands separators.
func Group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// And returns names as a list in a sentence: a, b and c.
func And(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// Count formats a number with a noun, which gets an s unless n is 1.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Group(n) + " " + thing + "s"
}

// Properties formats a number of properties.
func Properties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return Group(n) + " properties"
}

// Brief formats a number in about four characters: 184k.
func Brief(x float64) string {
	for _, unit := range []struct {
		size   float64
		letter string
	}{{1e9, "G"}, {1e6, "M"}} {
		if x/unit.size >= 0.9995 {
			return fmt.Sprintf("%.*f%s", decimals(x/unit.size), x/unit.size, unit.letter)
		}
	}
	if x >= 999.5 {
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// decimals returns how many decimals Brief prints: none for a number with three digits
// before the point, otherwise one.
func decimals(x float64) int {
	if x >= 99.95 {
		return 0
	}
	return 1
}

// Round formats a number in five characters: exactly below 10,000, and like Brief above.
func Round(n int) string {
	if n < 10_000 {
		return Group(n)
	}
	return Brief(float64(n))
}

// Bounded shortens a text that is longer than size bytes to size bytes, and then appends
// "...".
func Bounded(s string, size int) string {
	if len(s) <= size {
		return s
	}
	return strings.ToValidUTF8(s[:size], "") + "..."
}
