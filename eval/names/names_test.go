package names

import (
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
)

// The shares of a search are those of its last event, and a row has their medians.
func TestShares(t *testing.T) {
	var s shares
	for _, passed := range []int{10, 30, 20} {
		var f event.Finished
		f.Counts.Runs, f.Counts.Passed, f.Counts.Features = 100, passed, 7
		f.Search.Kinds = []event.Count{{Kind: "fresh", Tried: 50, Passed: passed}, {Kind: "havoc", Tried: 40, Passed: 4}, {Kind: "text", Tried: 10}}
		s.add(f, 1.5)
	}
	row := s.row("Go", "with")
	for name, want := range map[string]any{"searches": 3, "fresh": 0.4, "several changes": 0.1, "all": 0.2, "features": 7.0, "cpu s": 1.5} {
		if got := row.Get(name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}
