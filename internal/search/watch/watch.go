// Package watch follows the runs of a program with probes: which path each took, what
// was reached so far, and when a run has taken so many steps that it is stopped.
//
//	w := watch.New(sites)
//	w.Begin(run)              // before the property is called
//	path := w.End(passed)     // after it
//
//	case run := <-w.Cut():    // a run with several goroutines was stopped and abandoned
//
// A run ends within so many hits of probes or it is a failure: that is counted and not
// timed, so the same input fails in the same way on a slow machine. How a run is
// stopped is in hitbudget.go.
package watch

import (
	"math/bits"
	"runtime/metrics"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
)

// Run is the run that is watched, as far as it can be stopped.
type Run interface {
	// Spent says that the run has used up its steps, or its stack, whose top is
	// overflow then. From now on it has failed, however it ends.
	Spent(after, overflow string)
	// Looped says in which function it did not end, as far as that is known.
	Looped(function string)
	// Exited reports whether its goroutine was ended on purpose.
	Exited() bool
}

// Watcher follows one run after the other.
type Watcher struct {
	recorder trace.Recorder
	latest   trace.Run

	passed, others count
	reached        Sites
	before         Sites // reached before the first run: by initialisers, TestMain and the test
	partial        bool  // some that were reached are in neither
	spawned        int

	failed Path // of the run that failed last
	parted []uint32
	hot    uint32

	budget
}

// New watches a program with so many sites; 0 is as good, but slower.
func New(sites int) *Watcher {
	w := &Watcher{budget: budget{cut: make(chan Run, 1)}}
	w.stack[0].Name = "/memory/classes/heap/stacks:bytes"
	w.recorder.Sites = sites
	hook.Cut, hook.Long = w.overdue, w.long
	// What was reached while nobody looked: a change there may matter to the property
	// as much as one in what its runs reach.
	w.partial = !w.before.addAll(w.recorder.Before().Symbols)
	return w
}

// budget is the run under way and what it has spent.
type budget struct {
	now    Run
	cut    chan Run // runs that were abandoned
	late   int      // how often the present run was seen after its end
	common []string // functions that were on its stack each time
	stack  [1]metrics.Sample
}

// Begin starts to follow a run. If one was abandoned, its other goroutines first get a
// chance to come to their next probe, which stops them as well.
func (w *Watcher) Begin(r Run) {
	if w.now != nil && hook.Spawned != 0 && w.now.Exited() {
		time.Sleep(time.Millisecond)
		select {
		case <-w.cut:
		default:
		}
	}
	w.now, w.late = r, 0
	w.recorder.Begin(hitsMax)
}

// End takes what the run has shown.
func (w *Watcher) End(passed bool) trace.Run {
	run := w.recorder.End()
	w.latest = run
	if run.Set {
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

// Latest is what the last run has shown.
func (w *Watcher) Latest() trace.Run { return w.latest }

// Paths is how many different paths there were; none without a watcher.
func (w *Watcher) Paths() int {
	if w == nil {
		return 0
	}
	return w.passed.Number() + w.others.Number()
}

// Summary is what is known at the end.
type Summary struct {
	Reached, Before []uint32 // sites
	Partial         bool     // others were reached too, by runs too long to tell
	Spawned         int      // runs that started goroutines
	Hot             uint32   // the site that a run that was stopped hit most
	Parted          []uint32 // see Parted
}

// Summary gives all of it.
func (w *Watcher) Summary() Summary {
	return Summary{w.reached.all(), w.before.all(), w.partial, w.spawned, w.hot, w.parted}
}

// Hot is the site that a run that was stopped hit most.
func (w *Watcher) Hot() uint32 { return w.hot }

// count counts the different traces of runs with one verdict.
type count struct{ novelty.Count }

func (c *count) add(run trace.Run) (news bool) {
	h := novelty.Hash(run.Symbols)
	if run.Set {
		h = ^h // the sites of one run may be the path of another
	}
	return c.Add(h)
}

// Sites is a set of sites, a bit each: almost every run of some properties is new, and
// a map took a third of their time.
type Sites []uint64

func (s *Sites) add(id uint32) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

// addAll adds the sites of a path or set. It reports false if that does not name all of
// them.
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

// all gives them in order.
func (s Sites) all() (ids []uint32) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return ids
}
