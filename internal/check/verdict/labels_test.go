//go:build go1.25

package verdict

import (
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct{ name, values, want string }{
		{"numbers in their order", "10 2 2 2", "75.0 %  2, 25.0 %  10"},
		{"negative numbers", "1 -10 -10 -2", "50.0 %  -10, 25.0 %  -2, 25.0 %  1"},
		{"fractions", "10 2.5 2.5 1e3", "50.0 %  2.5, 25.0 %  10, 25.0 %  1e3"},
		{"large numbers", "18446744073709551615 18446744073709551615 7", "33.3 %  7, 66.7 %  18446744073709551615"},
		{"durations", "1m0s 2ms 2ms 0s", "25.0 %  0s, 50.0 %  2ms, 25.0 %  1m0s"},
		{"other values by frequency", "b a b", "66.7 %  b, 33.3 %  a"},
		{"some numbers", "1 x x 0", "50.0 %  x, 25.0 %  0, 25.0 %  1"},
		{"none", "", ""},
	} {
		if got := strings.Join(labelLines(c.values), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The most frequent values are shown, and how many there are in addition.
func TestManyLabels(t *testing.T) {
	values := " 29 29"
	for i := range 30 {
		values += " " + strconv.Itoa(i)
	}
	got := labelLines(values)
	if len(got) != labelsShown+1 || got[labelsShown-1] != "9.4 %  29" || got[labelsShown] != "31.2 %  10 more values" {
		t.Errorf("%q", got)
	}
}

// labelLines returns the lines about the values of one label.
func labelLines(values string) (lines []string) {
	tally := NewTally()
	for _, v := range strings.Fields(values) {
		tally.Label([]property.Label{{Name: "size", Value: v}})
	}
	var b strings.Builder
	tally.writeLabels(&b)
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "size" {
			lines = append(lines, line)
		}
	}
	return lines
}
