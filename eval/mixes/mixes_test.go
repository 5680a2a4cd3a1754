package mixes

import (
	"testing"

	"github.com/allele-go/allele/eval/scratch"
)

// All ways have the same number of runs. If builders refuse inputs, a search makes more of them,
// and what it finds then does not count.
func TestNeeds(t *testing.T) {
	const cap = 1000
	for _, c := range []struct {
		name  string
		run   scratch.Run
		found bool
		runs  float64
	}{
		{"found", scratch.Run{Failed: true, Runs: 400}, true, 400},
		{"found in the last run", scratch.Run{Failed: true, Runs: 1000}, true, 1000},
		{"found later", scratch.Run{Failed: true, Runs: 1200}, false, 1001},
		{"not found", scratch.Run{Runs: 1000}, false, 1001},
		{"not found, with more runs", scratch.Run{Runs: 1400}, false, 1001},
	} {
		if runs, found := needs(c.run, cap); runs != c.runs || found != c.found {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, runs, found, c.runs, c.found)
		}
	}
}
