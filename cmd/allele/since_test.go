package main

import (
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/ops/event"
)

// A process may tell its sites in several lines, and a property may have several
// processes; all of them count.
func TestAllSitesCount(t *testing.T) {
	one := whole([]event.Event{
		{Kind: event.Reached, Sites: []uint32{1, 2}}, {Kind: event.Note}, {Kind: event.Reached, Sites: []uint32{3}},
		{Kind: event.Finished, Verdict: "passed", Sites: []uint32{4}, Before: []uint32{8}},
	})
	if one.Verdict != "passed" || !slices.Equal(one.Sites, []uint32{1, 2, 3, 4}) {
		t.Errorf("%+v", one)
	}
	two := result{Event: event.Event{Verdict: "passed", Sites: []uint32{5, 1}, Before: []uint32{7}, Partial: true}}
	all := together([]result{{Event: one}, two})
	if !slices.Equal(all.Sites, []uint32{1, 2, 3, 4, 5}) || !slices.Equal(all.Before, []uint32{7, 8}) || !all.Partial {
		t.Errorf("%+v", all)
	}
}
