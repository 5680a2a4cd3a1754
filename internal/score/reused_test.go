//go:build go1.25

package score

import (
	"strings"
	"testing"
)

// The line says how many verdicts hold, and why most of the others do not.
func TestReusedText(t *testing.T) {
	for _, c := range []struct {
		reused Reused
		want   string
	}{
		{Reused{}, ""},
		{Reused{Verdicts: 3}, "reused 3 of 3 verdicts from the last run"},
		{Reused{2, map[string]int{"of a type": 1}}, "reused 2 of 3 verdicts from the last run; judged again: 1, because of a type"},
		{Reused{1, map[string]int{"of a type": 4, "of a test": 7}},
			"reused 1 of 12 verdicts from the last run; judged again: 11, most because of a test"},
	} {
		m := member("tests", "killed/test", "survived", "survived")
		p := Package{Faults: faults(3), Members: []*Member{m}}
		p.Judge(Run{})
		m.reused = c.reused
		got := ""
		for line := range strings.SplitSeq(Text(Report{Packages: []Package{p}}, Style{Columns: 200}), "\n") {
			if strings.HasPrefix(line, "reused") {
				got = strings.Join(strings.Fields(line), " ")
			}
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.reused, got, c.want)
		}
	}
}
