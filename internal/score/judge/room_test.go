//go:build go1.25

package judge

import (
	"context"
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/proc/scoring"
)

// If processes use too much memory, the last one ends, and the next one waits until there is room. One may always run.
func TestRoom(t *testing.T) {
	r := NewRoom(3)
	var all []*guest
	for range 3 {
		all = append(all, r.enter(t.Context()))
	}
	ended := func() (text string) {
		for _, g := range all {
			select {
			case <-g.gone:
				text += "x"
			default:
				text += "-"
			}
		}
		return text
	}
	for _, want := range []string{"2 true --x", "1 true -xx", "1 false -xx"} {
		most, ok := r.Shrink()
		if got := fmt.Sprint(most, ok, " ", ended()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	entered := make(chan *guest)
	go func() { entered <- r.enter(t.Context()) }()
	select {
	case <-entered:
		t.Fatal("there was no room")
	default:
	}
	r.leave(all[0])
	g := <-entered
	ctx, cancel := context.WithCancel(t.Context())
	go func() { entered <- r.enter(ctx) }()
	cancel()
	if <-entered != nil {
		t.Error("it entered after the end of the context")
	}
	r.leave(g)
	var none *Room
	none.leave(none.enter(t.Context()))
}

// The time of a test is that between the line with which it begins and the next one, in the process that wrote them.
func TestStopwatch(t *testing.T) {
	s, got := stopwatch{}, ""
	for _, l := range []scoring.Line{
		{Event: scoring.Begin, Nanos: 5},
		{Event: scoring.Start, Test: "A", Nanos: 10},
		{Event: scoring.Tested, Test: "A", Nanos: 3}, // the time of one run
		{Event: scoring.Start, Test: "B", Nanos: 17},
		{Event: scoring.Judged, Test: "B", Nanos: 20},
		{Event: scoring.Check, Test: "B", Nanos: 21},
		{Event: scoring.Start, Test: "input of a property"},
		{Event: scoring.Done, Nanos: 31},
	} {
		if test, spent := s.lap(l); spent > 0 {
			got += fmt.Sprint(test, " ", int64(spent), ", ")
		}
	}
	if want := "A 7, B 3, B 10, "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
