//go:build go1.25

package campaign

import (
	"fmt"
	"slices"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/words"
)

// Result is the outcome of a property, or of one of its workers.
type Result struct {
	event.Event      // its last event; Text is the output of its process
	Failed      bool // the property did not hold, or could not be tried
}

// judge reports whether a property failed, given the last event of its process and how
// the process ended. It sets the text of the event to the output of the process.
func (k *propertySearch) judge(e *event.Event, d proc.Death) (failed bool) {
	reported := e.Text
	e.Text = d.Out + d.Err + d.Stack
	if reported != "" && e.Silent {
		e.Text = reported + "\n" // the property has closed standard output, so the process printed nothing
	}
	switch {
	case k.Search.KeepGoing && (e.Verdict == event.Failed || e.Verdict == event.Unstable) && k.found() > 0:
		e.Text, e.Hot, e.Parted, e.Last = "", 0, nil, nil // the failure was reported when it was found
		return true
	case d.Code == 0 && !d.Late:
		return false
	case e.Verdict != event.Passed:
		return !k.early(e)
	}
	// The search passed, but the test failed after it.
	e.Verdict, e.Crash = event.Crashed, fmt.Sprintf("all inputs passed, but then the test crashed its process: %s", d.Text)
	if d.Late {
		e.Crash = "all inputs passed, but then the test did not finish"
	} else if d.Code == 1 {
		e.Crash = "all inputs passed, but then the test failed"
	}
	return true
}

// early reports whether a property looks vacuous only because it was stopped too soon.
// If so, it sets the verdict to Aborted.
func (k *propertySearch) early(e *event.Event) bool {
	short := k.Campaign.stopped() || k.Search.Budget > 0 && e.Runs < event.JudgedRuns
	if !short || e.Verdict != event.Vacuous || e.Certain {
		return false
	}
	e.Verdict, e.Why = event.Aborted, ""
	return true
}

// short fails a property if the budget was spent before enough distinct inputs had passed. A
// campaign that the user has stopped fails for no such reason.
func (k *propertySearch) short(r *Result) {
	enough := r.Enough || r.State == event.Exhausted || r.Distinct >= event.DistinctMin
	if k.Search.Budget == 0 || k.Campaign.stopped() || enough || r.Verdict != event.Passed && r.Verdict != event.Aborted {
		return
	}
	r.Verdict, r.Failed, r.Text = event.Aborted, true, ""
	r.Why = fmt.Sprintf("time was up when %s had passed; at least %d must", words.Count(r.Distinct, "distinct input"), event.DistinctMin)
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
			add(&r.Event, o.Event)
		}
		if o.State == event.Exhausted && r.Verdict == event.Passed {
			r.State, r.Why = o.State, o.Why
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
		runs, distinct = runs+o.Runs, max(distinct, o.Distinct)
	}
	if r.Verdict == event.Vacuous && fewRuns*r.Runs < runs && r.Distinct < event.DistinctMin && distinct >= event.DistinctMin {
		r.Verdict, r.Failed, r.Text, r.Why = event.Aborted, false, "", ""
	}
}

// A worker with less than one in fewRuns of all runs has made few of them.
const fewRuns = 10

// add adds the event of another process to the sum: runs are added and sites are united.
// For paths, Full, and distinct and saved inputs it takes the maximum, because many are the
// same in all processes.
func add(sum *event.Event, e event.Event) {
	sum.Runs, sum.Passed, sum.Discarded = sum.Runs+e.Runs, sum.Passed+e.Passed, sum.Discarded+e.Discarded
	sum.Spawned, sum.Shared, sum.Heard = sum.Spawned+e.Spawned, sum.Shared+e.Shared, sum.Heard+e.Heard
	sum.Paths, sum.Resumed = max(sum.Paths, e.Paths), max(sum.Resumed, e.Resumed)
	sum.Long, sum.Limit = sum.Long+e.Long, max(sum.Limit, e.Limit)
	sum.AtLeast = sum.AtLeast || e.AtLeast || sum.Distinct > 0 && e.Distinct > 0 // each process counts its own
	sum.Distinct, sum.Replay = max(sum.Distinct, e.Distinct), max(sum.Replay, e.Replay)
	sum.Sites, sum.Before, sum.Partial = union(sum.Sites, e.Sites), union(sum.Before, e.Before), sum.Partial || e.Partial
}

func union(a, b []uint32) []uint32 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// whole returns the last event of a process, with the sites of all its events: a process
// with many sites reports them in several events.
func whole(events []event.Event) event.Event {
	last := events[len(events)-1]
	var sites []uint32
	for _, e := range events[:len(events)-1] {
		if e.Kind == event.Reached {
			sites = append(sites, e.Sites...)
		}
	}
	last.Sites = append(sites, last.Sites...)
	return last
}
