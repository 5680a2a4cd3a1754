//go:build go1.25

package watch

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/stack"
)

const (
	// unlimited is more steps than any run takes.
	unlimited = 1 << 62
	// moreSteps is how many times its steps a run that goes on may take. On a busy machine it
	// gets twice the time for these steps.
	moreSteps = 20
	// lateMax is how many checks of the budget a run makes after the budget is spent,
	// before it is stopped.
	lateMax = 1 << 14
	// stackMax is how much stack a run may use. If a run used twice as much, the Go
	// runtime would end the process.
	stackMax = 32 << 20
)

// overdue is called at each check after the budget is spent. It stops the run, or lets it
// go on. It does not do so at once: first it takes samples of the stack to find the
// function that does not return. That is the innermost function that is on the stack in
// every sample. The intervals between samples grow, because a loop could be in step with
// samples at equal intervals.
//
// Several goroutines of a run may call overdue and the functions below. In a search they take
// turns, on one processor. A lock would hide data races between them, so norace exempts these
// functions from the race detector instead. That does not extend to functions that they call,
// nor to copy and to append of a whole slice, so what goroutines share is read and written only
// in functions with norace, element by element.
//
//go:norace
func (w *Watcher) overdue() {
	if w.stopped { // this is another goroutine of a run that was stopped
		w.stop(w.loop)
	}
	if w.goesOn {
		return // another goroutine of the run was here at the same time
	}
	w.late++
	if hook.Spawned != 0 {
		w.common = nil // the samples would be from different goroutines
	} else if w.late == 1 {
		w.common = functions(stack.Here(1))
	} else if n := w.late; n&(n-1) == 0 || n%3 == 0 && (n/3)&(n/3-1) == 0 {
		w.keep(functions(stack.Here(1)))
	}
	if hook.Spawned == 0 && w.late < lateMax {
		return
	}
	if w.loop = ""; len(w.common) > 0 {
		w.loop = w.common[0]
	}
	if w.limit.GoOn != nil && w.limit.GoOn(w.loop) {
		w.goesOn, w.since, w.late = true, time.Now(), 0
		hook.Extend(unlimited)
		return
	}
	w.spend(w.steps(), "")
	w.stop(w.loop)
}

// keep keeps the functions of earlier samples that are in this sample too. It makes a new
// list: if code outside the scope has started goroutines unnoticed, another goroutine may be
// using the old one.
//
//go:norace
func (w *Watcher) keep(sample []string) {
	var both []string
	for _, f := range w.common {
		for _, now := range sample {
			if f == now {
				both = append(both, f)
				break
			}
		}
	}
	w.common = both
}

// steps returns the limit in messages.
//
//go:norace
func (w *Watcher) steps() string { return grouped(w.limit.Steps) + " steps" }

// outlast stops a run that goes on after its last allowed step, if it has not ended in
// time. The message contains the limit, not the number of steps that the run took: without
// GoOn the run is stopped at the limit, in the same state each time.
//
//go:norace
func (w *Watcher) outlast() {
	memory := int64(0)
	if w.heapFull() {
		if runtime.GC(); w.heapFull() { // the first number may include garbage
			memory = w.limit.Memory
		}
	}
	took := time.Since(w.since)
	if memory == 0 && (took < w.limit.Time || took < 2*w.limit.Time && hook.Hits()/moreSteps < w.limit.Steps) {
		return
	}
	w.spend(w.steps(), "")
	w.now.Outlasted(w.limit.Time, memory)
	hook.Extend(0) // deferred functions and other goroutines of the run are stopped at their next check
	w.stop(w.loop)
}

// functions returns the names of the functions on a stack that are not in the standard
// library, the innermost first.
func functions(goroutine string) (names []string) {
	for _, f := range stack.All(goroutine) {
		if !f.Std() {
			names = append(names, f.Function())
		}
	}
	return names
}

// long stops a long run that uses too much stack: infinite recursion uses up the stack in
// far fewer steps than runs may take.
//
//go:norace
func (w *Watcher) long() {
	if hook.Spawned != 0 {
		runtime.Gosched() // this goroutine may be waiting in a loop for another goroutine, which needs this processor to run
	}
	if w.late > 0 {
		return // the run is about to be stopped
	}
	if w.goesOn && !w.stopped {
		w.outlast()
	}
	if !w.stackFull() {
		return
	}
	// The number may include stacks of earlier runs, until a garbage collection in
	// progress has ended. A run must not be stopped because of these, so collect and
	// check again.
	if runtime.GC(); !w.stackFull() {
		return
	}
	w.spend(fmt.Sprintf("%s steps, with %d MB of stack in use", grouped(hook.Hits()), stackMax>>20), stack.Here(1))
	w.stop("")
}

//go:norace
func (w *Watcher) stackFull() bool {
	metrics.Read(w.stack[:])
	return w.stack[0].Value.Kind() == metrics.KindUint64 && w.stack[0].Value.Uint64() > stackMax
}

//go:norace
func (w *Watcher) heapFull() bool {
	if w.limit.Memory <= 0 {
		return false
	}
	metrics.Read(w.heap[:])
	return w.heap[0].Value.Kind() == metrics.KindUint64 && w.heap[0].Value.Uint64() > uint64(w.limit.Memory)
}

// grouped formats a number with commas.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// spend records why a run is stopped.
//
//go:norace
func (w *Watcher) spend(after, overflow string) {
	w.hot = hottest(hook.Path(nil))
	w.now.Spent(after, overflow)
}

// stop ends the run. loop is the function that does not return, or "" if it is unknown.
// The goroutine exits, so code that recovers from panics cannot go on. If the run has
// several goroutines, the end of this goroutine may not end the property. Then this
// goroutine blocks forever, and the run is abandoned.
//
//go:norace
func (w *Watcher) stop(loop string) {
	r := w.now
	r.Looped(loop)
	w.stopped = true
	if hook.Spawned == 0 {
		runtime.Goexit()
	}
	select {
	case w.abandoned <- r:
	default: // another goroutine of the run has already sent r
	}
	select {}
}

// Abandoned returns a channel of runs that were abandoned. A nil watcher returns nil.
func (w *Watcher) Abandoned() <-chan Run {
	if w == nil {
		return nil
	}
	return w.abandoned
}

// hottest returns the site that occurs most often in a path.
func hottest(path []uint32) (id uint32) {
	times := map[uint32]int{}
	for _, symbol := range path {
		x, ok := trace.Site(symbol)
		if times[x]++; ok && times[x] > times[id] {
			id = x
		}
	}
	return id
}
