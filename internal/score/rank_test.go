//go:build go1.25

package score

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// survivorOf reads a survivor such as "3 delete survived 40": line, operator, verdict and number of runs.
func survivorOf(t *testing.T, text string) survivor {
	t.Helper()
	text, unlikely := strings.CutSuffix(text, " unlikely")
	s := survivor{faults: 1}
	var kind string
	if _, err := fmt.Sscan(strings.ReplaceAll(text, "never ", "not-"), &s.fault.Line, &s.fault.Operator, &kind, &s.result.Runs); err != nil {
		t.Fatal(text, err)
	}
	s.result.Kind = strings.ReplaceAll(kind, "-", " ")
	if urgency[s.result.Kind] == 0 && s.result.Kind != fate.Survived || suspicion[s.fault.Operator] == 0 && s.fault.Operator == "constant" {
		t.Fatal(text)
	}
	s.fault.Edit = site.Edit{Unlikely: map[bool]string{true: "the capacity of a map"}[unlikely]}
	return s
}

func TestRank(t *testing.T) {
	for _, c := range []struct{ what, survivors, lines string }{
		{"what tests accepted is before what nothing runs", "1 delete never reached 0, 2 delete survived 1", "2 1"},
		{"and this before what makes no difference", "1 delete never infected 9, 2 delete never reached 0", "2 1"},
		{"a result is before a number", "1 constant survived 5, 2 return survived 5", "2 1"},
		{"a comparison at its boundary is between them", "1 constant survived 5, 2 boundary survived 5, 3 math survived 5", "3 2 1"},
		{"a verdict counts more than an operator", "1 constant survived 5, 2 delete never infected 5", "1 2"},
		{"more changes of one line are before one", "1 math survived 9, 2 math survived 5, 2 math survived 6", "2 1"},
		{"then more tests are before fewer", "1 math survived 5, 2 math survived 6", "2 1"},
		{"the best change of a line counts", "1 constant survived 5, 2 constant survived 5, 2 return survived 5", "2 1"},
		{"what hardly any test notices is last", "1 delete survived 9 unlikely, 2 constant never infected 1", "2 1"},
		{"also if it is in one line with others", "1 delete survived 9 unlikely, 1 constant survived 9, 2 return survived 1", "2 1"},
		{"the rest is in the order of the source", "3 negate survived 1, 1 logic survived 1, 2 invert survived 1", "1 2 3"},
	} {
		var all []survivor
		for text := range strings.SplitSeq(c.survivors, ", ") {
			all = append(all, survivorOf(t, text))
		}
		slices.Reverse(all)
		var lines []string
		for _, g := range ranked(all) {
			lines = append(lines, fmt.Sprint(g.all[0].line()))
		}
		if got := strings.Join(lines, " "); got != c.lines {
			t.Errorf("%s: lines %s, want %s", c.what, got, c.lines)
		}
	}
}

// Of many changes of one line only some are printed, and what is said of all of them only once.
func TestChangesOfALine(t *testing.T) {
	for _, c := range []struct {
		changes, shown int
		all            bool
		rest           string
	}{{1, 1, false, ""}, {4, 4, false, ""}, {5, 3, false, "and 2 more changes of this line"}, {5, 5, true, ""}} {
		p := Package{Path: "example.com/tree"}
		for i := range c.changes {
			p.Faults = append(p.Faults, site.Fault{ID: i, Variant: i, File: "/m/a.go", Line: 1, Func: "f", Operator: "math", From: "a", To: "b"})
			p.Results = append(p.Results, Result{Verdict: fate.Verdict{Fault: i, Kind: fate.Survived, Test: "TestX"}, Member: -1})
		}
		p.Keys = Keys(p.Faults)
		s := style()
		s.All, s.Colour = c.all, true
		got := Text(Report{Packages: []Package{p}}, s)
		count := func(part string) int { return strings.Count(got, part) }
		same := c.shown - 1
		if c.all {
			same = 0
		}
		if count("32mb") != c.shown || count("31ma") != 1 || count("the same") != same || c.rest != "" != (count("more change") == 1) ||
			!strings.Contains(got, c.rest) {
			t.Errorf("%d changes, all %v:\n%s", c.changes, c.all, got)
		}
	}
}
