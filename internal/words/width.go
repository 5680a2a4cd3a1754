//go:build go1.25

package words

import (
	"strings"
	"unicode"
)

// wide is the characters that take two columns of a terminal: the scripts of East Asia,
// their punctuation and forms, and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1},
		{0x2648, 0x2653, 1}, {0x26a1, 0x26a1, 1}, {0x26bd, 0x26be, 1}, {0x2705, 0x2705, 1}, {0x270a, 0x270b, 1},
		{0x2728, 0x2728, 1}, {0x274c, 0x274e, 2}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2e80, 0x303e, 1},
		{0x3041, 0xa4cf, 1}, {0xa960, 0xa97c, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x16fe0, 0x18aff, 1}, {0x1b000, 0x1b2ff, 1}, {0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1},
		{0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

// Width returns how many columns of a terminal a printable text takes, at most.
func Width(s string) (columns int) {
	for _, r := range s {
		columns += width(r)
	}
	return columns
}

func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0 // combines with the previous character
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

const cutMark = "…"

// Fit shortens a text to at most the given number of columns. It removes the middle:
// names in one package differ at their ends, and their beginnings name the package.
func Fit(s string, columns int) string { return fit(s, columns, 2) }

// FitAll shortens each text to at most the given number of columns. It removes a part of
// all texts at the same position, and chooses the position that leaves the most texts
// distinct.
func FitAll(texts []string, columns int) (best []string) {
	distinctMax := -1
	for _, fifths := range []int{2, 1, 3, 0, 4, 5} {
		fitted, distinct := make([]string, len(texts)), map[string]bool{}
		for i, s := range texts {
			fitted[i] = fit(s, columns, fifths)
			distinct[fitted[i]] = true
		}
		if len(distinct) > distinctMax {
			best, distinctMax = fitted, len(distinct)
		}
	}
	return best
}

// fit shortens a text. Of the columns, the given number of fifths shows the beginning of
// the text, and the rest shows its end.
func fit(s string, columns, fifths int) string {
	if Width(s) <= columns {
		return s
	}
	if columns < 1 {
		return ""
	}
	room := columns - Width(cutMark)
	return head(s, room*fifths/5) + cutMark + tail(s, room-room*fifths/5)
}

// Cut shortens a text to at most the given number of columns. It removes the end.
func Cut(s string, columns int) string {
	if Width(s) <= columns {
		return s
	}
	if columns < 1 {
		return ""
	}
	return strings.TrimRight(head(s, columns-Width(cutMark)), " ") + cutMark
}

func head(s string, columns int) string {
	used := 0
	for i, r := range s {
		if used += width(r); used > columns {
			return s[:i]
		}
	}
	return s
}

func tail(s string, columns int) string {
	runes := []rune(s)
	used := 0
	for i := len(runes) - 1; i >= 0; i-- {
		if used += width(runes[i]); used > columns {
			return string(runes[i+1:])
		}
	}
	return s
}

// Left pads a text with spaces on its right. It does not shorten a text that is wider than
// the column.
func Left(s string, columns int) string { return s + blank(columns-Width(s)) }

// Right pads a text with spaces on its left. It does not shorten a text that is wider than
// the column.
func Right(s string, columns int) string { return blank(columns-Width(s)) + s }

func blank(n int) string { return strings.Repeat(" ", max(0, n)) }
