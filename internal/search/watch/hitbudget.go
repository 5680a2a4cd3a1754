package watch

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/stack"
)

const (
	// hitsMax is how many probes a run may hit. So many hits take a fraction of a
	// second. A correct run that needs more should be made with a smaller input.
	hitsMax = 5_000_000
	hits    = "5,000,000" // hitsMax in messages
	// lateMax is how many checks of the budget a run makes after the budget is spent,
	// before it is stopped.
	lateMax = 1 << 14
	// stackMax is how much stack a run may use. If a run used twice as much, the Go
	// runtime would end the process.
	stackMax = 32 << 20
)

// overdue is called at each check after the budget is spent, and stops the run. It does
// not do so at once: first it takes samples of the stack to find the function that does
// not return. That is the innermost function that is on the stack in every sample. The
// intervals between samples grow, because a loop could be in step with samples at equal
// intervals.
func (w *Watcher) overdue() {
	w.late++
	if w.late == 1 {
		w.spend(hits+" steps", "")
		w.common = functions(stack.Here(1))
	} else if n := w.late; n&(n-1) == 0 || n%3 == 0 && (n/3)&(n/3-1) == 0 {
		now := functions(stack.Here(1))
		w.common = slices.DeleteFunc(w.common, func(f string) bool { return !slices.Contains(now, f) })
	}
	switch {
	case hook.Spawned != 0: // the samples may be from different goroutines, so they are not used
		w.stop("")
	case w.late >= lateMax && len(w.common) > 0:
		w.stop(w.common[0])
	case w.late >= lateMax:
		w.stop("")
	}
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
// far fewer steps than hitsMax.
func (w *Watcher) long() {
	if hook.Spawned != 0 {
		runtime.Gosched() // this goroutine may be waiting in a loop for another goroutine, which needs this processor to run
	}
	if w.late > 0 {
		return // the run is about to be stopped
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

func (w *Watcher) stackFull() bool {
	metrics.Read(w.stack[:])
	return w.stack[0].Value.Kind() == metrics.KindUint64 && w.stack[0].Value.Uint64() > stackMax
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
func (w *Watcher) spend(after, overflow string) {
	w.hot = hottest(hook.Path(nil))
	w.now.Spent(after, overflow)
}

// stop ends the run. loop is the function that does not return, or "" if it is unknown.
// The goroutine exits, so code that recovers from panics cannot go on. If the run has
// several goroutines, the end of this goroutine may not end the property. Then this
// goroutine blocks forever, and the run is abandoned.
func (w *Watcher) stop(loop string) {
	r := w.now
	r.Looped(loop)
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
