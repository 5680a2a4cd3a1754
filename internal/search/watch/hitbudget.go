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
	// hitsMax is how many probes a run may hit. It takes a fraction of a second, and a
	// run that does nothing wrong and needs more is better made smaller.
	hitsMax = 5_000_000
	hits    = "5,000,000" // for people
	// lateMax is how many checks of its budget a run sees that has spent it.
	lateMax = 1 << 14
	// stackMax is how much stack a run may use. The runtime ends the process at twice
	// as much.
	stackMax = 32 << 20
)

// overdue stops a run that has spent its hits. It goes on for a little, to see which
// function it is that does not end: the innermost that is on the stack whenever one
// looks. The pauses between looks grow, since a loop may take turns with them.
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
	case hook.Spawned != 0: // these may be the stacks of several goroutines
		w.stop("")
	case w.late >= lateMax && len(w.common) > 0:
		w.stop(w.common[0])
	case w.late >= lateMax:
		w.stop("")
	}
}

// functions are those of the user on a stack, the innermost first.
func functions(goroutine string) (names []string) {
	for _, f := range stack.All(goroutine) {
		if !f.Std() {
			names = append(names, f.Function())
		}
	}
	return names
}

// long looks after a run that goes on for long: recursion without end needs far fewer
// steps to use up all stack there is.
func (w *Watcher) long() {
	if hook.Spawned != 0 {
		runtime.Gosched() // whoever it waits for has no other processor
	}
	if w.late > 0 {
		return // it is stopped in a moment
	}
	if !w.stackFull() {
		return
	}
	// Stacks of earlier runs count until a collection that is under way has ended; a
	// run must not be stopped for what others have left.
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

// grouped writes a number with commas.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// spend notes why a run is stopped.
func (w *Watcher) spend(after, overflow string) {
	w.hot = hottest(hook.Path(nil))
	w.now.Spent(after, overflow)
}

// stop ends the run, which may be in a function without end. Code that recovers cannot
// go on: its goroutine ends. If the run has several, this need not be the one that the
// property waits in, so it only stops here, and the run is abandoned.
func (w *Watcher) stop(loop string) {
	r := w.now
	r.Looped(loop)
	if hook.Spawned == 0 {
		runtime.Goexit()
	}
	select {
	case w.cut <- r:
	default: // another goroutine of the run was here
	}
	select {}
}

// Cut gives runs that were abandoned; it never does without a watcher.
func (w *Watcher) Cut() <-chan Run {
	if w == nil {
		return nil
	}
	return w.cut
}

// hottest is the site that occurs most often in a path.
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
