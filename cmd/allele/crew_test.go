package main

import (
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
)

// Of several workers the one is believed that has the most to say.
func TestTogether(t *testing.T) {
	of := func(verdict event.Verdict, text string, failed bool) result {
		return result{Event: event.Event{Verdict: verdict, Text: text, Runs: 10, Paths: 3}, failed: failed}
	}
	for _, c := range []struct {
		name    string
		results []result
		text    string
		failed  bool
	}{
		{"all passed", []result{of("passed", "a", false), of("passed", "b", false)}, "a", false},
		{"one was stopped early", []result{of("stopped", "a", false), of("passed", "b", false)}, "b", false},
		{"one hardly ran", []result{of("vacuous", "a", true), of("passed", "b", false)}, "b", false},
		{"one failed", []result{of("passed", "a", false), of("failed", "b", true)}, "b", true},
		{"another was told before", []result{of("failed", "PASS", false), of("failed", "b", true)}, "b", true},
		{"failed beats flaky", []result{of("flaky", "a", true), of("failed", "b", true)}, "b", true},
	} {
		r := together(c.results)
		if r.Text != c.text || r.failed != c.failed || r.Runs != 20 || r.Paths != 3 {
			t.Errorf("%s: %q, failed %v, %d runs, %d paths; want %q, %v, 20, 3", c.name, r.Text, r.failed, r.Runs, r.Paths, c.text, c.failed)
		}
	}
}

// A crew whose turn ended while it got ready waits for the next one: it was taken for
// one that had been stopped.
func TestTurnEndsEarly(t *testing.T) {
	k := (&campaign{}).newCrew(property{}, 1)
	k.grant(0)
	k.revoke(0)
	done := make(chan result)
	go func() {
		r, _ := k.run()
		done <- r
	}()
	for !k.atRest(0) {
		select {
		case r := <-done:
			t.Fatalf("it was over before its turn: %+v", r)
		case <-time.After(time.Millisecond):
		}
	}
	k.company.stop()
	if r := <-done; r.Verdict != "stopped" {
		t.Errorf("%+v", r)
	}
}
