//go:build go1.25

package finding

import (
	"strings"
	"testing"
)

func TestBeginning(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"short", "a\nb", 3},
		{"exactly at the limit", strings.Repeat("x\n", shownLines-1) + "x", 2*shownLines - 1},
		{"too many lines", strings.Repeat("x\n", shownLines+7), 2 * shownLines},
		{"too many bytes", strings.Repeat(line, 180), shownBytes / 100 * 100},
		{"a long line", strings.Repeat("x", 2*shownBytes), shownBytes},
		{"in a character", "x" + strings.Repeat("世", shownBytes), 1 + (shownBytes+1)/3*3},
	} {
		if got := beginning(c.text); len(got) != c.want || !strings.HasPrefix(c.text, got) {
			t.Errorf("%s: %d of %d bytes, want %d", c.name, len(got), len(c.text), c.want)
		}
	}
}
