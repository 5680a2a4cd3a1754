//go:build go1.25

package campaign

import (
	"fmt"
	"slices"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// Result is the outcome of a property, or of one of its workers.
type Result struct {
	event.Finished      // Text is the output of its process
	Failed         bool // the property did not hold, or could not be tried
}

// judge reports whether a property failed, given the last event of its process and how
// the process ended. It sets the text of the event to the output of the process.
func (k *propertySearch) judge(e *event.Finished, d proc.Death) (failed bool) {
	reported := e.Text
	e.Text = printed(d, d.Out+d.Err+d.Stack, reported)
	if reported != "" && e.Silent {
		e.Text = reported + "\n" // the property has closed standard output, so the process printed nothing
	}
	switch {
	case k.Search.KeepGoing && (e.Verdict == event.Failed || e.Verdict == event.Unstable) && k.found() > 0:
		e.Text, e.Places = "", event.Places{} // the failure was reported when it was found
		return true
	case d.Code == 0 && !d.Late:
		return false
	case e.Verdict != event.Passed:
		return !k.early(e)
	}
	// The search passed, but the test failed after it.
	e.Verdict, e.Why = event.Crashed, fmt.Sprintf("all inputs passed, but then the test crashed its process: %s", d.Text)
	if d.Late {
		e.Why = "all inputs passed, but then the test did not finish"
	} else if d.Code == 1 {
		e.Why = "all inputs passed, but then the test failed"
	}
	return true
}

// printed returns the output of a process or, if the process was killed before it printed its reports, these.
func printed(d proc.Death, out, reports string) string {
	if reports != "" && (d.Kind == proc.Killed || d.Late) {
		return reports + "\n"
	}
	return out
}

// early reports whether a property looks vacuous only because it was stopped too soon.
// If so, it sets the verdict to Aborted.
func (k *propertySearch) early(e *event.Finished) bool {
	short := k.Campaign.stopped() || k.Search.Budget > 0 && e.Counts.Runs < event.JudgedRuns
	if !short || e.Verdict != event.Vacuous || e.Certain {
		return false
	}
	e.Verdict, e.Why = event.Aborted, ""
	return true
}

// short sets the verdict to Aborted if the search was stopped before enough distinct inputs had passed. If the
// budget was spent, the property fails. It does not fail if the user has stopped the campaign.
func (k *propertySearch) short(r *Result) {
	enough := r.Enough || r.Exhausted || r.Counts.Distinct >= event.DistinctMin
	switch {
	case enough || r.Verdict != event.Passed && r.Verdict != event.Aborted:
		return
	case k.Campaign.stopped():
		r.Verdict = event.Aborted
		return
	case k.Search.Budget == 0:
		return
	}
	r.Verdict, r.Failed, r.Text = event.Aborted, true, ""
	passed := words.Count(r.Counts.Distinct, "distinct input")
	r.Why = fmt.Sprintf("time was up when %s had passed; at least %d must", passed, event.DistinctMin)
}

// rank orders the results of workers: the result with the highest rank becomes the result
// of the property. If two results have the same verdict, one with Failed set ranks
// higher: the failure of the other result was reported before.
func rank(r Result) int {
	n := 2 * r.Verdict.Rank()
	if r.Failed {
		n++
	}
	return n
}

// combine returns the result of a property from the results of its workers.
func combine(results []Result) (r Result) {
	results = slices.Clone(results)
	for i := range results {
		forgive(&results[i], results)
	}
	best := 0
	for i, o := range results {
		if rank(o) > rank(results[best]) {
			best = i
		}
	}
	r = results[best]
	for i, o := range results {
		if i != best {
			add(&r.Finished, o.Finished)
		}
		if o.Exhausted && r.Verdict == event.Passed {
			r.Exhausted, r.Why = true, o.Why
		}
	}
	r.Failed = r.Failed && r.Verdict != event.Passed
	return r
}

// forgive turns the verdict Vacuous of a worker into Aborted, if the worker has made few of
// the runs, and another one has found enough inputs that pass: on a busy machine a worker may
// begin just before time is up.
func forgive(r *Result, all []Result) {
	runs, distinct := 0, 0
	for _, o := range all {
		runs, distinct = runs+o.Counts.Runs, max(distinct, o.Counts.Distinct)
	}
	n := r.Counts
	if r.Verdict == event.Vacuous && fewRuns*n.Runs < runs && n.Distinct < event.DistinctMin && distinct >= event.DistinctMin {
		r.Verdict, r.Failed, r.Text, r.Why = event.Aborted, false, "", ""
	}
}

// A worker with less than one in fewRuns of all runs has made few of them.
const fewRuns = 10

// add adds the result of another process to the sum: counts are added and sites are united.
func add(sum *event.Finished, e event.Finished) {
	sum.Counts.Add(e.Counts)
	sum.Search.Shared, sum.Search.Heard = sum.Search.Shared+e.Search.Shared, sum.Search.Heard+e.Search.Heard
	r := &sum.Reach
	r.Sites, r.Before, r.Partial = union(r.Sites, e.Reach.Sites), union(r.Before, e.Reach.Before), r.Partial || e.Reach.Partial
}

func union(a, b []uint32) []uint32 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// result returns the result of a process, or nil if it has reported none. The sites are those
// of all its events: a process with many sites reports them in several events.
func result(events []event.Event) *event.Finished {
	if len(events) == 0 {
		return nil
	}
	last, ok := events[len(events)-1].Body.(event.Finished)
	if !ok {
		return nil
	}
	var sites []uint32
	for _, e := range events {
		if r, ok := e.Body.(event.Reached); ok {
			sites = append(sites, r.Sites...)
		}
	}
	last.Reach.Sites = append(sites, last.Reach.Sites...)
	return &last
}

// first returns what the first event of a process reports, except for failures that it has stored, or nil if there is
// none.
func first(events []event.Event) event.Body {
	for _, e := range events {
		if _, ok := e.Body.(event.Stored); !ok {
			return e.Body
		}
	}
	return nil
}
