//go:build go1.25

package worker

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/check/oracle"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// fault is a fault as the command requests it.
type fault = scoring.Fault

const (
	// A run with a fault may take this many times the steps of the original run, and some
	// more.
	budgetShare = 20
	budgetMore  = 200_000
	// wallDefault is how long a run with a fault may go on. It says nothing about the fault
	// if a run does not end in this time.
	wallDefault = 10 * time.Second
	// caughtWait is how long a run goes on after another of its goroutines has panicked.
	// The property may wait for that goroutine forever.
	caughtWait = 100 * time.Millisecond
)

// budgetOf returns the budget of runs with faults, from the steps of the original run.
func budgetOf(steps int64) int64 { return budgetShare*steps + budgetMore }

// faulty makes runs that will be compared: of the original program, and with faults.
type faulty struct {
	watch  *watch.Watcher
	limit  watch.Limit // of original runs
	gates  map[string]*hook.Faults
	wall   time.Duration
	timer  *time.Timer
	caught atomic.Pointer[string] // the panic of another goroutine
	large  atomic.Pointer[string] // the size of a slice that is too large
}

func newFaulty(w *watch.Watcher, wall time.Duration) *faulty {
	f := &faulty{watch: w, gates: map[string]*hook.Faults{}, wall: wall, timer: time.NewTimer(time.Hour)}
	if f.wall <= 0 {
		f.wall = wallDefault
	}
	f.limit = w.Limit(watch.Limit{})
	w.Limit(f.limit)
	for _, g := range hook.Gates {
		f.gates[g.Path] = g
	}
	hook.Caught = func(value any) {
		text := fmt.Sprint(value)
		f.caught.CompareAndSwap(nil, &text)
		f.timer.Reset(caughtWait)
	}
	hook.TooBig = func(size int) {
		text := strconv.Itoa(size)
		f.large.CompareAndSwap(nil, &text)
		panic("allele: a slice of size " + text)
	}
	return f
}

// observe makes a runner record what runs show.
func (f *faulty) observe(r property.Local) {
	r.Observe(property.Observing{On: true, GiveUp: f.timer.C})
}

// has reports whether the program has a fault.
func (f *faulty) has(x fault) bool {
	g := f.gates[x.Package]
	return g != nil && x.Site >= 0 && x.Site < len(g.Site) && x.Variant >= 0 && x.Variant < 8
}

// original runs the original program. It returns how many steps the run took.
func (f *faulty) original(r property.Runner, x term.Term) (oracle.Run, int64) {
	return f.run(r, x, f.limit)
}

// record runs the original program while all places record.
func (f *faulty) record(r property.Runner, x term.Term) (oracle.Run, int64) {
	hook.RecordFaults(true)
	defer hook.RecordFaults(false)
	return f.run(r, x, f.limit)
}

// with runs the program with a fault, for as many steps as the budget allows.
func (f *faulty) with(r property.Runner, x term.Term, on fault, budget int64) (oracle.Run, int64) {
	g := f.gates[on.Package]
	g.SwitchFault(on.Site, on.Variant, true)
	defer g.SwitchFault(on.Site, on.Variant, false)
	return f.run(r, x, watch.Limit{Steps: budget})
}

func (f *faulty) run(r property.Runner, x term.Term, limit watch.Limit) (oracle.Run, int64) {
	f.caught.Store(nil)
	f.large.Store(nil)
	old := f.watch.Limit(limit)
	defer f.watch.Limit(old)
	f.quiet()
	f.timer.Reset(f.wall)
	o := oracle.Run{Outcome: r.One(x, false)}
	steps := hook.Hits()
	f.quiet()
	if s := f.caught.Load(); s != nil {
		o.Caught = *s
	}
	if s := f.large.Load(); s != nil {
		o.Large = *s
	}
	return o, steps
}

// quiet stops the timer. A test of a module with an old go directive may find an old value in
// the channel.
func (f *faulty) quiet() {
	f.timer.Stop()
	select {
	case <-f.timer.C:
	default:
	}
}

// sure reports whether a fault that may have changed a value has done so for sure: see hook.GateSure.
func (f *faulty) sure(x fault) bool { return f.gates[x.Package].Sure(x.Site) }

// sees reports whether the last run that recorded reached a fault, and whether the fault
// would have changed a value.
func (f *faulty) sees(x fault) (hit, diff bool) {
	g := f.gates[x.Package]
	return g.Hit[x.Site] != 0, g.Diff[x.Site]>>x.Variant&1 != 0
}
