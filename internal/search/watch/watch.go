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
	"runtime/metrics"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
)

// Run is what the watcher needs of a run in order to stop it.
type Run interface {
	// Spent is called when the run has used up its steps or its stack. after describes
	// how much was used. overflow is the top of the stack, or empty if steps ran out.
	// The run has failed then, however it ends.
	Spent(after, overflow string)
	// Looped is called with the function that did not return, or "" if it is unknown.
	Looped(function string)
	// Outlasted is called, after Spent, if the run went on after its last allowed step and
	// had not ended after this time, or used more than this many bytes of memory.
	Outlasted(time.Duration, int64)
	// Exited reports whether the run was ended on purpose, by the watcher or by the
	// property.
	Exited() bool
}

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
	parted []uint32
	hot    uint32

	budget
}

// New returns a watcher for a program with the given number of sites. 0 works for any
// program, but is slower.
func New(sites int) *Watcher {
	w := &Watcher{budget: budget{abandoned: make(chan Run, 1)}}
	w.stack[0].Name = "/memory/classes/heap/stacks:bytes"
	w.recorder.Sites = sites
	w.heap[0].Name = "/memory/classes/heap/objects:bytes"
	hook.Spent, hook.Long = w.overdue, w.long
	// Record what was reached before the first run: a change in that code can affect
	// the property as much as a change in code that its runs reach.
	w.partial = !w.before.addAll(w.recorder.Before().Symbols)
	return w
}

// Limit is how many steps a run may take, and what happens then.
type Limit struct {
	Steps int64 // 0 means no limit
	// GoOn decides whether a run that has taken its steps goes on. It gets the function
	// that did not return, or "" if it is unknown. If GoOn is nil, runs are stopped.
	GoOn func(function string) bool
	// A run that goes on is stopped when it has gone on for this time and has taken
	// moreSteps times its steps, or when it has gone on for twice this time.
	Time time.Duration
	// A run that goes on is also stopped when it uses more than this many bytes of memory.
	// 0 means no limit.
	Memory int64
}

// Limit sets the limit for all later runs, and returns the old one.
//
//go:norace
func (w *Watcher) Limit(l Limit) (old Limit) {
	old, w.limit = w.limit, l
	return old
}

// budget holds the current run and what it has spent.
type budget struct {
	limit     Limit
	now       Run
	abandoned chan Run  // runs that were abandoned
	late      int       // checks of the current run since its budget was spent
	common    []string  // functions that were on its stack in every sample
	goesOn    bool      // the current run went on after its last allowed step
	since     time.Time // when it did
	loop      string    // the function that did not return then
	stopped   bool      // the current run was stopped
	stack     [1]metrics.Sample
	heap      [1]metrics.Sample
}

// Begin starts to follow a run. If the previous run was abandoned, its other goroutines
// first get some time to reach their next probe, which stops them as well.
//
//go:norace
func (w *Watcher) Begin(r Run) {
	if w.now != nil && hook.Spawned != 0 && w.now.Exited() {
		time.Sleep(time.Millisecond)
		select {
		case <-w.abandoned:
		default:
		}
	}
	w.now, w.late, w.goesOn, w.stopped = r, 0, false, false
	steps := w.limit.Steps
	if steps <= 0 {
		steps = unlimited
	}
	w.recorder.Begin(steps)
}

// End ends the current run and returns its trace.
//
//go:norace
func (w *Watcher) End(passed bool) trace.Run {
	run := w.recorder.End()
	if run.Long = w.overrun(); run.Long && !w.stopped {
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
	if w == nil || !w.overrun() {
		return 0
	}
	return hook.Hits()
}

// overrun reports whether the current run took more steps than its limit. It may have ended
// before it was decided whether it goes on.
//
//go:norace
func (w *Watcher) overrun() bool { return w.goesOn || w.late > 0 && !w.stopped }

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

// Summary is what a watcher has recorded about all runs.
type Summary struct {
	Reached, Before []uint32 // sites
	Partial         bool     // more sites were reached, by runs that were too long to record all sites
	Spawned         int      // runs that started goroutines
	Long            int      // runs that took more steps than the limit
	Hot             uint32   // the site that a stopped run hit most often
	Parted          []uint32 // see Parted
}

// Summary returns what was recorded so far.
func (w *Watcher) Summary() Summary {
	return Summary{w.reached.all(), w.before.all(), w.partial, w.spawned, w.longs, w.hot, w.parted}
}

// Hot returns the site that the last stopped run hit most often.
func (w *Watcher) Hot() uint32 { return w.hot }

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
