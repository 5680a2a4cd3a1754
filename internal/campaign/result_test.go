//go:build go1.25

package campaign

import (
	"slices"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// The result of several workers is the result with the highest rank.
func TestCombine(t *testing.T) {
	of := func(verdict event.Verdict, text string, failed bool) Result {
		return Result{Finished: event.Finished{Verdict: verdict, Text: text, Counts: event.Counts{Runs: 10, Paths: 3}}, Failed: failed}
	}
	for _, c := range []struct {
		name    string
		results []Result
		text    string
		failed  bool
	}{
		{"all passed", []Result{of("passed", "a", false), of("passed", "b", false)}, "a", false},
		{"one was stopped early", []Result{of("stopped", "a", false), of("passed", "b", false)}, "b", false},
		{"one hardly ran", []Result{of("vacuous", "a", true), of("passed", "b", false)}, "b", false},
		{"one failed", []Result{of("passed", "a", false), of("failed", "b", true)}, "b", true},
		{"another failure was reported before", []Result{of("failed", "PASS", false), of("failed", "b", true)}, "b", true},
		{"failed beats flaky", []Result{of("flaky", "a", true), of("failed", "b", true)}, "b", true},
	} {
		r := combine(c.results)
		if r.Text != c.text || r.Failed != c.failed || r.Counts.Runs != 20 || r.Counts.Paths != 3 {
			t.Errorf("%s: %q, failed %v, %d runs, %d paths; want %q, %v, 20, 3", c.name, r.Text, r.Failed, r.Counts.Runs, r.Counts.Paths, c.text, c.failed)
		}
	}
}

// A worker that made few runs does not decide that a property is vacuous, if another one was
// stopped after enough inputs had passed. A worker that made many runs does.
func TestForgive(t *testing.T) {
	for _, c := range []struct {
		name           string
		runs, distinct int // of the worker that was stopped
		verdict        event.Verdict
		text           string
		failed         bool
	}{
		{name: "few runs", runs: 1000, distinct: 10, verdict: event.Aborted},
		{name: "as many runs", runs: 100, distinct: 10, verdict: event.Vacuous, text: "why", failed: true},
		{name: "the other found hardly more", runs: 1000, distinct: 9, verdict: event.Vacuous, text: "why", failed: true},
	} {
		r := combine([]Result{
			{Finished: event.Finished{Verdict: event.Aborted, Counts: event.Counts{Runs: c.runs, Distinct: c.distinct}}},
			{Finished: event.Finished{Verdict: event.Vacuous, Text: "why", Counts: event.Counts{Runs: 100, Distinct: 1}}, Failed: true},
		})
		if r.Verdict != c.verdict || r.Failed != c.failed || r.Text != c.text || r.Counts.Runs != c.runs+100 {
			t.Errorf("%s: %s, failed %v, %q, %d runs", c.name, r.Verdict, r.Failed, r.Text, r.Counts.Runs)
		}
	}
}

// A property that was stopped soon is not called vacuous, unless more runs would not change it.
func TestEarly(t *testing.T) {
	for _, c := range []struct {
		name    string
		runs    int
		certain bool
		want    event.Verdict
	}{
		{"few runs", event.JudgedRuns - 1, false, event.Aborted},
		{"enough runs", event.JudgedRuns, false, event.Vacuous},
		{"few runs, and all were alike", 128, true, event.Vacuous},
	} {
		k := &propertySearch{Campaign: New(Config{Supervisor: &Supervisor{Processes: &launch.Group{}}, Search: job.Params{Budget: time.Minute}})}
		e := event.Finished{Verdict: event.Vacuous, Counts: event.Counts{Runs: c.runs}, Certain: c.certain}
		if early := k.early(&e); e.Verdict != c.want || early != (c.want == event.Aborted) {
			t.Errorf("%s: %s, early %v, want %s", c.name, e.Verdict, early, c.want)
		}
	}
}

// A process may report its sites in several lines, and a property may have several
// processes; all of them count.
func TestAllSitesCount(t *testing.T) {
	one := result(events(event.Reached{Sites: []uint32{1, 2}}, event.Note{}, event.Reached{Sites: []uint32{3}},
		event.Finished{Verdict: "passed", Reach: event.Reach{Sites: []uint32{4}, Before: []uint32{8}}}))
	if one.Verdict != "passed" || !slices.Equal(one.Reach.Sites, []uint32{1, 2, 3, 4}) {
		t.Errorf("%+v", one)
	}
	two := Result{Finished: event.Finished{Verdict: "passed", Reach: event.Reach{Sites: []uint32{5, 1}, Before: []uint32{7}, Partial: true}}}
	all := combine([]Result{{Finished: *one}, two})
	if !slices.Equal(all.Reach.Sites, []uint32{1, 2, 3, 4, 5}) || !slices.Equal(all.Reach.Before, []uint32{7, 8}) || !all.Reach.Partial {
		t.Errorf("%+v", all)
	}
}
