// Package words writes numbers and the texts of strangers for people.
//
// Numbers are grouped where they matter to the last digit and rounded where they
// do not; a text that somebody else made is shown so that it cannot move the
// cursor, and is cut so that it fits its column.
//
//	words.Group(65536)              // 65,536
//	words.Round(1234567)            // 1.2M
//	words.Count(2, "failure")       // 2 failures
//	words.Fit("a/long/name", 8)     // a/l…name
//	words.Printable("\x1b[2J")      // \x1b[2J
package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Printable is a text that may come from anybody, for a terminal: what would move
// the cursor or do worse is shown as Go writes it.
func Printable(s string) string {
	odd := func(r rune) bool {
		return r != '\n' && r != '\t' && (!unicode.IsPrint(r) || r == unicode.ReplacementChar)
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

// Group writes a number with commas.
func Group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is a number of things.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Group(n) + " " + thing + "s"
}

// Properties is a number of those.
func Properties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return Group(n) + " properties"
}

// Brief writes a rate in four characters or so: 184k.
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

// decimals keeps a number of millions as short as one of thousands.
func decimals(x float64) int {
	if x >= 99.95 {
		return 0
	}
	return 1
}

// Round writes a number of things in five characters: to the last digit if there are
// few of them, as a rate if there are many.
func Round(n int) string {
	if n < 10_000 {
		return Group(n)
	}
	return Brief(float64(n))
}

// Bounded is a text of at most so many bytes, and shows where it was cut.
func Bounded(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
