package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// printable is a text that may come from anybody, for a terminal: what would move
// the cursor or do worse is shown as Go writes it.
func printable(s string) string {
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

// group writes a number with commas.
func group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return group(n) + " " + thing + "s"
}

func properties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return group(n) + " properties"
}

// brief writes a rate: 184k.
func brief(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%.1fM", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}
