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
	hot       uint32 // the site that the last stopped run hit most often
}

func newBudget() budget {
	b := budget{abandoned: make(chan Run, 1)}
	b.stack[0].Name = "/memory/classes/heap/stacks:bytes"
	b.heap[0].Name = "/memory/classes/heap/objects:bytes"
	return b
}

// begin gives the budget to a run, and returns how many steps it has. If the previous run was
// abandoned, its other goroutines first get some time to reach their next probe, which stops
// them as well.
//
//go:norace
func (b *budget) begin(r Run) (steps int64) {
	if b.now != nil && hook.Spawned != 0 && b.now.Exited() {
		time.Sleep(time.Millisecond)
		select {
		case <-b.abandoned:
		default:
		}
	}
	b.now, b.late, b.goesOn, b.stopped = r, 0, false, false
	if b.limit.Steps <= 0 {
		return unlimited
	}
	return b.limit.Steps
}

// overrun reports whether the current run took more steps than its limit. It may have ended
// before it was decided whether it goes on.
//
//go:norace
func (b *budget) overrun() bool { return b.goesOn || b.late > 0 && !b.stopped }

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
func (b *budget) overdue() {
	if b.stopped { // this is another goroutine of a run that was stopped
		b.stop(b.loop)
	}
	if b.goesOn {
		return // another goroutine of the run was here at the same time
	}
	b.late++
	if hook.Spawned != 0 {
		b.common = nil // the samples would be from different goroutines
	} else if b.late == 1 {
		b.common = functions(stack.Here(1))
	} else if n := b.late; n&(n-1) == 0 || n%3 == 0 && (n/3)&(n/3-1) == 0 {
		b.keep(functions(stack.Here(1)))
	}
	if hook.Spawned == 0 && b.late < lateMax {
		return
	}
	if b.loop = ""; len(b.common) > 0 {
		b.loop = b.common[0]
	}
	if b.limit.GoOn != nil && b.limit.GoOn(b.loop) {
		b.goesOn, b.since, b.late = true, time.Now(), 0
		hook.Extend(unlimited)
		return
	}
	b.spend(b.steps(), "")
	b.stop(b.loop)
}

// keep keeps the functions of earlier samples that are in this sample too. It makes a new
// list: if code outside the scope has started goroutines unnoticed, another goroutine may be
// using the old one.
//
//go:norace
func (b *budget) keep(sample []string) {
	var both []string
	for _, f := range b.common {
		for _, now := range sample {
			if f == now {
				both = append(both, f)
				break
			}
		}
	}
	b.common = both
}

// steps returns the limit in messages.
//
//go:norace
func (b *budget) steps() string { return grouped(b.limit.Steps) + " steps" }

// outlast stops a run that goes on after its last allowed step, if it has not ended in
// time. The message contains the limit, not the number of steps that the run took: without
// GoOn the run is stopped at the limit, in the same state each time.
//
//go:norace
func (b *budget) outlast() {
	memory := int64(0)
	if b.heapFull() {
		if runtime.GC(); b.heapFull() { // the first number may include garbage
			memory = b.limit.Memory
		}
	}
	took := time.Since(b.since)
	if memory == 0 && (took < b.limit.Time || took < 2*b.limit.Time && hook.Hits()/moreSteps < b.limit.Steps) {
		return
	}
	b.spend(b.steps(), "")
	b.now.Outlasted(b.limit.Time, memory)
	hook.Extend(0) // deferred functions and other goroutines of the run are stopped at their next check
	b.stop(b.loop)
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
func (b *budget) long() {
	if hook.Spawned != 0 {
		runtime.Gosched() // this goroutine may be waiting in a loop for another goroutine, which needs this processor to run
	}
	if b.late > 0 {
		return // the run is about to be stopped
	}
	if b.goesOn && !b.stopped {
		b.outlast()
	}
	if !b.stackFull() {
		return
	}
	// The number may include stacks of earlier runs, until a garbage collection in
	// progress has ended. A run must not be stopped because of these, so collect and
	// check again.
	if runtime.GC(); !b.stackFull() {
		return
	}
	b.spend(fmt.Sprintf("%s steps, with %d MB of stack in use", grouped(hook.Hits()), stackMax>>20), stack.Here(1))
	b.stop("")
}

//go:norace
func (b *budget) stackFull() bool {
	metrics.Read(b.stack[:])
	return b.stack[0].Value.Kind() == metrics.KindUint64 && b.stack[0].Value.Uint64() > stackMax
}

//go:norace
func (b *budget) heapFull() bool {
	if b.limit.Memory <= 0 {
		return false
	}
	metrics.Read(b.heap[:])
	return b.heap[0].Value.Kind() == metrics.KindUint64 && b.heap[0].Value.Uint64() > uint64(b.limit.Memory)
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
func (b *budget) spend(after, overflow string) {
	b.hot = hottest(hook.Path(nil))
	b.now.Spent(after, overflow)
}

// stop ends the run. loop is the function that does not return, or "" if it is unknown.
// The goroutine exits, so code that recovers from panics cannot go on. If the run has
// several goroutines, the end of this goroutine may not end the property. Then this
// goroutine blocks forever, and the run is abandoned.
//
//go:norace
func (b *budget) stop(loop string) {
	r := b.now
	r.Looped(loop)
	b.stopped = true
	if hook.Spawned == 0 {
		runtime.Goexit()
	}
	select {
	case b.abandoned <- r:
	default: // another goroutine of the run has already sent r
	}
	select {}
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
