//go:build go1.25

// Package watch follows the runs of a program with probes: it records which path each run
// took and which sites were reached so far, and it stops a run that takes too many steps.
//
//	w := watch.New(sites)
//	w.Begin(run)              // before the property is called
//	path := w.End(passed)     // after it
//
//	case run := <-w.Abandoned(): // a run with several goroutines was stopped and abandoned
//
// A hit of a probe is a step. A run that takes more steps than its Limit allows may be
// endless, or only long. Steps are counted rather than timed, so the same input is stopped
// at the same step on a slow machine. The code that stops a run is in hitbudget.go.
package watch

import (
	"math/bits"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
)

// Watcher follows one run after the other.
type Watcher struct {
	recorder trace.Recorder
	latest   trace.Run

	passed, others count
	reached        Sites
	before         Sites // reached before the first run: by initialisers, TestMain and the test
	partial        bool  // some sites that were reached are in neither reached nor before
	spawned        int   // number of runs that started goroutines
	longs          int   // number of runs that took more steps than their limit, and ended

	failed Path // path of the last run that failed
	parted Parting

	budget budget
}

// New returns a watcher for a program with the given number of sites. 0 works for any
// program, but is slower.
func New(sites int) *Watcher {
	w := &Watcher{budget: newBudget()}
	w.recorder.Sites = sites
	hook.Spent, hook.Long = w.budget.overdue, w.budget.long
	// Record what was reached before the first run: a change in that code can affect
	// the property as much as a change in code that its runs reach.
	w.partial = !w.before.addAll(w.recorder.Before().Symbols)
	return w
}

// Limit sets the limit for all later runs, and returns the old one.
//
//go:norace
func (w *Watcher) Limit(l Limit) (old Limit) {
	old, w.budget.limit = w.budget.limit, l
	return old
}

// Begin starts to follow a run. If the previous run was abandoned, its other goroutines
// first get some time to reach their next probe, which stops them as well.
//
//go:norace
func (w *Watcher) Begin(r Run) { w.recorder.Begin(w.budget.begin(r)) }

// End ends the current run and returns its trace.
//
//go:norace
func (w *Watcher) End(passed bool) trace.Run {
	run := w.recorder.End()
	if run.Long = w.budget.overrun(); run.Long && !w.budget.stopped {
		w.longs++
	}
	w.latest = run
	if run.Set && !run.Outside {
		w.spawned++
	}
	to := &w.others
	if passed {
		to = &w.passed
	}
	if to.add(run) {
		w.partial = !w.reached.addAll(run.Symbols) || w.partial
	}
	return run
}

// Long returns how many steps the current or last run has taken, if these were more than its
// limit, and otherwise 0. A nil watcher returns 0.
//
//go:norace
func (w *Watcher) Long() int64 {
	if w == nil || !w.budget.overrun() {
		return 0
	}
	return hook.Hits()
}

// Abandoned returns a channel of runs that were abandoned. A nil watcher returns nil.
func (w *Watcher) Abandoned() <-chan Run {
	if w == nil {
		return nil
	}
	return w.budget.abandoned
}

// Longs returns how many runs took more steps than their limit, and ended.
func (w *Watcher) Longs() int { return w.longs }

// Latest returns the trace of the last run.
func (w *Watcher) Latest() trace.Run { return w.latest }

// Paths returns how many different paths the runs took. A nil watcher returns 0.
func (w *Watcher) Paths() int {
	if w == nil {
		return 0
	}
	return w.passed.Number() + w.others.Number()
}

// Varied reports whether runs that passed took different paths. A nil watcher returns false.
func (w *Watcher) Varied() bool { return w != nil && w.passed.Number() > 1 }

// Failed stores the path of the run that failed.
func (w *Watcher) Failed(p Path) { w.failed = p }

// Again returns the path of a run that was made to reproduce a failure. Such a run is
// not counted.
func (w *Watcher) Again() Path { return Went(w.Aside()) }

// Aside ends a run that is not counted, and returns its trace.
func (w *Watcher) Aside() trace.Run { return w.recorder.End() }

// Passed records that the case that failed has passed with path p.
func (w *Watcher) Passed(p Path) { w.parted = Parting{At: parting(w.failed, p), Known: true} }

// Parted returns where the two runs of a flaky case diverge.
func (w *Watcher) Parted() Parting { return w.parted }

// Summary is what a watcher has recorded about all runs.
type Summary struct {
	Reached, Before []uint32 // sites
	Partial         bool     // more sites were reached, by runs that were too long to record all sites
	Spawned         int      // runs that started goroutines
	Long            int      // runs that took more steps than the limit
	Hot             uint32   // the site that a stopped run hit most often
	Parted          Parting
}

// Summary returns what was recorded so far.
func (w *Watcher) Summary() Summary {
	return Summary{w.reached.all(), w.before.all(), w.partial, w.spawned, w.longs, w.budget.hot, w.parted}
}

// Hot returns the site that the last stopped run hit most often.
func (w *Watcher) Hot() uint32 { return w.budget.hot }

// count counts the different traces of runs.
type count struct{ novelty.Count }

func (c *count) add(run trace.Run) (news bool) {
	h := novelty.Hash(run.Symbols)
	if run.Set {
		h = ^h // so that a set of sites and an equal path have different hashes
	}
	return c.Add(h)
}

// Sites is a set of sites, one bit per site. It is not a map: for properties where almost
// every run is new, a map took a third of the total time.
type Sites []uint64

func (s *Sites) add(id uint32) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

// addAll adds the sites of a path or set. It reports false if the path has folded
// stretches, whose sites are not known.
func (s *Sites) addAll(symbols []uint32) (all bool) {
	all = true
	for _, symbol := range symbols {
		id, ok := trace.Site(symbol)
		if all = all && ok; ok {
			s.add(id)
		}
	}
	return all
}

// all returns the sites in order.
func (s Sites) all() (ids []uint32) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return ids
}
