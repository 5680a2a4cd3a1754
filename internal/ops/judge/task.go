//go:build go1.25

package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/ops/fate"
	"github.com/allele-go/allele/internal/ops/proc"
)

const (
	tasksEach = 4
	// groupFirst is the smallest task at first. Package suite checks after as many faults
	// whether tests still pass on the original program.
	groupFirst = 200
	// groupSmall is the size of a task with faults one of which may make tests fail later.
	groupSmall = 25
)

// task is a list of faults that one process after another judges.
type task struct {
	faults []int
	next   int  // size of the groups in which faults are judged again
	fresh  bool // the one fault is about what happens once in a process
	boot   bool // the one fault is switched on when the process starts
}

// queue holds the tasks that are left. Tasks in progress may add more.
type queue struct {
	mu     sync.Mutex
	change *sync.Cond
	tasks  []task
	active int
}

func newQueue() *queue {
	q := &queue{}
	q.change = sync.NewCond(&q.mu)
	return q
}

func (q *queue) push(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, t)
	q.change.Signal()
}

// pop returns the next task. It waits for tasks in progress, as these may add more, and
// returns false when all are finished.
func (q *queue) pop() (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) == 0 && q.active > 0 {
		q.change.Wait()
	}
	if len(q.tasks) == 0 {
		return task{}, false
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	q.active++
	return t, true
}

// finish ends a task that pop returned.
func (q *queue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.active--
	q.change.Broadcast()
}

// do judges the faults of a task, with as many processes as it takes.
func (j *judge) do(ctx context.Context, name string, t task) error {
	for len(t.faults) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := request{Mode: modeJudge, Fresh: t.fresh, Boot: t.boot, All: j.All != nil}
		for _, id := range t.faults {
			r.Faults = append(r.Faults, j.faults[id])
		}
		j.mu.Lock()
		j.processes++
		j.mu.Unlock()
		e, err := j.run(ctx, name, r, j.watch)
		if err != nil {
			if e != nil && e.cut {
				j.accept(decide(t, e).verdicts...)
			}
			return err
		}
		out := decide(t, e)
		if len(out.verdicts)+len(out.again)+len(out.fresh)+len(out.alone)+len(out.boot) == 0 {
			return fmt.Errorf("%s: a process judged no fault (%s):\n%s", j.Binary, e.death.Text, tail(e.death))
		}
		j.accept(out.verdicts...)
		j.tellKillers(e.lines, out.verdicts)
		for group := range slices.Chunk(out.again, t.next) {
			next := groupSmall
			if len(group) <= groupSmall {
				next = 1
			}
			j.queue.push(task{faults: group, next: next})
		}
		for _, id := range out.alone {
			j.queue.push(task{faults: []int{id}, next: 1})
		}
		for _, id := range out.fresh {
			j.queue.push(task{faults: []int{id}, next: 1, fresh: true})
		}
		for _, id := range out.boot {
			j.queue.push(task{faults: []int{id}, next: 1, boot: true})
		}
		t.faults = out.rest
		j.show()
	}
	return nil
}

// tellKillers calls All with the inputs that kill faults, for verdicts that are final.
func (j *judge) tellKillers(lines []line, verdicts []fate.Verdict) {
	if j.All == nil {
		return
	}
	for _, v := range verdicts {
		for _, l := range lines {
			if l.Event == killer && l.Fault == v.Fault {
				j.All(l.Fault, l.Test)
			}
		}
	}
}

// watch counts the verdicts of a process that is running.
func (j *judge) watch(l line) {
	if l.Event != judged {
		return
	}
	j.mu.Lock()
	j.see(l.Fault, l.Kind)
	j.mu.Unlock()
	j.show()
}

// outcome is what follows from the end of a process.
type outcome struct {
	verdicts []fate.Verdict
	again    []int // to be judged again in smaller groups
	alone    []int // to be judged again in a process of its own
	fresh    []int // to be judged in a process of its own, as a test reaches it once in a process
	boot     []int // to be judged in a process of its own, as initialisers reach it
	rest     []int // to be judged in the next process
}

// decide reads what a process has written. A verdict is final if the state of the process
// cannot have been changed by an earlier fault in a way that matters.
func decide(t task, e *ending) (out outcome) {
	var since []line // verdicts since all tests passed on the original program
	count := 0
	at := line{} // what the process was doing
	var noted *line
	for i, l := range e.lines {
		switch l.Event {
		case judged:
			since = append(since, l)
			count++
			at, noted = l, nil
		case good:
			out.add(since...)
			since, at, noted = nil, l, nil
		case start, check:
			at, noted = l, nil
			if l.Event == check && passed(e.lines[i+1:]) {
				closeKills(since, l.Test)
			}
		case note:
			noted = &e.lines[i]
		}
	}
	out.rest = t.faults[min(count, len(t.faults)):]
	if t.boot && !e.has(begin) { // the initialisers did not end
		l := inFlight(line{Fault: t.faults[0]}, nil, e)
		if l.Kind == fate.Killed && strings.Contains(e.death.Text+e.death.Err+e.death.Stack, bootSpent) {
			l.By, l.Detail = fate.ByBudget, "the initialisers take too many steps"
		}
		out.add(l)
		out.rest = nil
		return out
	}
	last := len(since) - 1
	switch {
	case e.cut && at.Event == check && at.Fault == noFault: // whether earlier faults make the test fail is not known
	case e.cut && at.Event == check && last >= 0:
		out.closed(since[:last])
	case e.cut:
		out.closed(since)
	case e.has(done), e.has(busy), at.Event != check && at.Event != start:
		out.closed(since)
	case at.Event == check && count == 1:
		out.add(since...) // the fault was the first of its process, so it makes the test fail
	case at.Event == check && at.Fault != noFault && last >= 0:
		out.closed(since[:last])
		out.alone = append(out.alone, since[last].Fault)
	case at.Event == check:
		for _, l := range since {
			out.again = append(out.again, l.Fault)
		}
	case noted != nil || count == 0:
		out.closed(since)
		out.add(inFlight(at, noted, e))
		out.rest = out.rest[min(1, len(out.rest)):]
	default:
		out.closed(since) // the fault is the first of the next process
	}
	return out
}

// passed reports whether a test passed, by the lines after the beginning of its run.
func passed(after []line) bool {
	return len(after) > 0 && after[0].Event != polluted && after[0].Event != stuck && after[0].Event != note
}

// closeKills notes that a test still passes on the original program.
func closeKills(since []line, test string) {
	for i := range since {
		if since[i].Test == test {
			since[i].Open = false
		}
	}
}

// closed adds the verdicts that are final. If a test has not shown that it still passes on the
// original program, the faults that it noticed are judged again.
func (o *outcome) closed(lines []line) {
	for i, l := range lines {
		if l.Open {
			o.again = append(o.again, l.Fault)
		} else {
			o.add(lines[i])
		}
	}
}

// add adds verdicts that are final.
func (o *outcome) add(lines ...line) {
	for _, l := range lines {
		switch {
		case l.Once:
			o.fresh = append(o.fresh, l.Fault)
			continue
		case l.Init && l.Kind != fate.Killed:
			o.boot = append(o.boot, l.Fault)
			continue
		}
		o.verdicts = append(o.verdicts, fate.Verdict{Fault: l.Fault, Kind: l.Kind, By: l.By, Detail: l.Detail,
			Test: l.Test, Input: l.Input, Tests: l.Tests, Runs: l.Runs})
	}
}

// inFlight returns the verdict about a fault that was switched on when the process ended. A
// process that was ended from outside, or that ended itself because a run did not end, gives
// no verdict.
func inFlight(at line, noted *line, e *ending) line {
	at.Event = judged
	switch s := e.find(stuck); {
	case noted != nil:
		at.Kind, at.By, at.Detail = fate.Killed, noted.By, noted.Detail
	case s != nil:
		at.Kind, at.Detail = fate.NoVerdict, s.Detail
	case e.silent:
		at.Kind, at.Detail = fate.NoVerdict, "the process did not end"
	case e.death.Kind == proc.Killed, e.death.Kind == proc.Deadlock, e.death.Kind == proc.Hang:
		at.Kind, at.Detail = fate.NoVerdict, e.death.Text
	default:
		at.Kind, at.By, at.Detail = fate.Killed, fate.ByPanic, e.death.Text
	}
	return at
}
