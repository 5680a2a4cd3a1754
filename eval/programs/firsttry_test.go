package programs

import (
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
)

// The experiment fails if a program received another command line, or if a search is ok that has tested nothing.
func TestAttemptCheck(t *testing.T) {
	line := []string{"jq", ".", "@@"}
	right, wrong := attempt{"json", line, rightLine}, attempt{"json", line, wrongLine}
	fine := ending{Verdict: "passed", Counts: event.Counts{Runs: 300, Paths: 9}}
	for _, c := range []struct {
		name string
		of   attempt
		got  []string
		end  ending
		ok   bool
	}{
		{"a search", right, line, fine, true},
		{"a finding", right, line, ending{Verdict: "failed", Counts: event.Counts{Runs: 300, Paths: 9}}, true},
		{"another argument", right, []string{"jq", "/home", "@@"}, fine, false},
		{"all runs alike", right, line, ending{Verdict: "passed", Counts: event.Counts{Runs: 300, Paths: 1}}, false},
		{"vacuous", right, line, ending{Verdict: "vacuous", Counts: event.Counts{Runs: 128, Paths: 1}}, false},
		{"vacuous, as it should be", wrong, line, ending{Verdict: "vacuous", Counts: event.Counts{Runs: 128, Paths: 1}}, true},
		{"ok for nothing", wrong, line, ending{Verdict: "passed", Counts: event.Counts{Runs: 300, Paths: 1}}, false},
		{"only a note", wrong, line, ending{Verdict: "passed", Counts: event.Counts{Runs: 300, Paths: 1}, Notes: []string{"x"}}, false},
	} {
		if err := c.of.check(c.got, c.end); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestInputFile(t *testing.T) {
	for file, want := range map[string]string{
		"/tmp/allele-programs-12.34.56-789/run/input.json": "@@",
		"/tmp/allele-programs-12.34.56-789/run/input":      "@@",
		"/tmp":       "/tmp",
		"input.json": "input.json",
	} {
		if got := inputFile.ReplaceAllString(file, "@@"); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
