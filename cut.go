package allele

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
)

// overdueMax is how many checks of its budget a run sees that has spent it.
const overdueMax = 1 << 14

// cutRun ends a run that has spent its hits. It goes on for a little, to see which
// function it is that does not end: the innermost that is on the stack whenever one
// looks. The pauses between looks grow, since a loop may take turns with them.
func (w *watcher) cutRun() {
	w.overdue++
	if w.overdue == 1 {
		w.spend(number(hitsMax) + " steps")
		w.common = functions(callers())
	} else if n := w.overdue; n&(n-1) == 0 || n%3 == 0 && (n/3)&(n/3-1) == 0 {
		now := functions(callers())
		w.common = slices.DeleteFunc(w.common, func(f string) bool { return !slices.Contains(now, f) })
	}
	switch {
	case hook.Spawned != 0: // these may be the stacks of several goroutines
		w.cut("")
	case w.overdue >= overdueMax && len(w.common) > 0:
		w.cut(w.common[0])
	case w.overdue >= overdueMax:
		w.cut("")
	}
}

// functions are those of the user on a stack, the innermost first.
func functions(stack string) (names []string) {
	for _, f := range allFrames(stack) {
		if !f.std() {
			names = append(names, f.function())
		}
	}
	return names
}

// stackMax is how much stack a run may use. The runtime ends the process at
// twice as much.
const stackMax = 32 << 20

// long looks after a run that goes on for long: recursion without end needs far
// fewer steps to use up all stack there is.
func (w *watcher) long() {
	if hook.Spawned != 0 {
		runtime.Gosched() // whoever it waits for has no other processor
	}
	if w.overdue > 0 {
		return // it is cut in a moment
	}
	if !w.stackFull() {
		return
	}
	// Stacks of earlier runs count until a collection that is under way has ended; a
	// run must not be cut for what others have left.
	if runtime.GC(); !w.stackFull() {
		return
	}
	t := w.now
	t.runner().words.Lock()
	t.extra().overflow = callers()
	t.runner().words.Unlock()
	w.spend(fmt.Sprintf("%s steps, with %d MB of stack in use", number(int(hook.Hits())), stackMax>>20))
	w.cut("")
}

func (w *watcher) stackFull() bool {
	metrics.Read(w.stack[:])
	return w.stack[0].Value.Kind() == metrics.KindUint64 && w.stack[0].Value.Uint64() > stackMax
}

// callers is the top of the stack of the caller's caller, in the form of debug.Stack,
// which would walk down all of it.
func callers() string {
	var pcs [50]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	text := "goroutine:\n"
	for {
		f, more := frames.Next()
		text += fmt.Sprintf("%s()\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return text
		}
	}
}

// spend notes why a run is cut. From then on it has failed, however it ends.
func (w *watcher) spend(after string) {
	w.hot = hottest(hook.Path(nil))
	t := w.now
	t.runner().words.Lock()
	t.extra().cut = after
	t.runner().words.Unlock()
	t.state.Or(failed | exited)
}

// cut ends the run, which may be in a function without end. Code that recovers
// cannot go on: its goroutine ends. If the run has several, this need not be the
// one that the property waits in, so it only stops here, and the run is abandoned.
func (w *watcher) cut(loop string) {
	t := w.now
	t.runner().words.Lock()
	t.extra().loop = loop
	t.runner().words.Unlock()
	if hook.Spawned == 0 {
		runtime.Goexit()
	}
	select {
	case w.short <- t:
	default: // another goroutine of the run was here
	}
	select {}
}

// cutShort tells when a run was abandoned.
func (w *watcher) cutShort() <-chan *T {
	if w == nil {
		return nil
	}
	return w.short
}

// hottest is the site that occurs most often in a path.
func hottest(path []uint32) (id uint32) {
	count := map[uint32]int{}
	for _, symbol := range path {
		x, ok := trace.Site(symbol)
		if count[x]++; ok && count[x] > count[id] {
			id = x
		}
	}
	return id
}
