//go:build go1.25

package finding

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
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

// A report says where messages of a run are left out.
func TestLeftOut(t *testing.T) {
	var b strings.Builder
	writeMessages(&b, property.Outcome{Logs: []property.Line{{At: "x_test.go:7", Text: "step 0"}, {At: "x_test.go:7", Text: "step 5000", Left: 4999},
		{At: "x_test.go:9", Text: "late", Fails: true}}})
	want := "\n    x_test.go:7: step 0\n    ... 4,999 messages left out\n    x_test.go:7: step 5000\n    x_test.go:9: late"
	if b.String() != want {
		t.Errorf("%s\nwant%s", b.String(), want)
	}
}
