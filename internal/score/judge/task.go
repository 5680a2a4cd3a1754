//go:build go1.25

package judge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
)

const (
	tasksEach = 4
	// groupFirst is the smallest task at first. Package suite checks after as many faults
	// whether tests still pass on the original program.
	groupFirst = 200
	// groupSmall is the size of a task with faults one of which may make tests fail later.
	groupSmall = 25
	// slowSuite is the time of a test from which the start of a process does not matter.
	slowSuite = 4 * time.Second
)

// task is a list of faults that one process after another judges.
type task struct {
	faults []int
	next   int  // size of the groups in which faults are judged again
	fresh  bool // the one fault is about what happens once in a process
	boot   bool // the one fault is switched on when the process starts
}

// sizes returns the sizes of the first tasks. If there are many faults, the first tasks are smaller: the verdicts of a
// process are final when it ends, and the user may end the command early.
func sizes(faults, most int) (all []int) {
	n := most
	if faults > groupFirst {
		n = groupSmall
	}
	for ; faults > 0; n = min(2*n, most) {
		n = min(n, faults)
		all = append(all, n)
		faults -= n
	}
	return all
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

// push adds a task at the end.
func (q *queue) push(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, t)
	q.change.Signal()
}

// pushFirst adds a task at the beginning. What is left of an earlier task comes before those that nobody has begun, so
// that the faults are judged about in their order.
func (q *queue) pushFirst(t task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = slices.Insert(q.tasks, 0, t)
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
		r := scoring.Request{Mode: scoring.Judge, Fresh: t.fresh, Boot: t.boot, All: j.All != nil}
		for _, id := range t.faults {
			r.Faults = append(r.Faults, wire(j.faults[id]))
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
		if e.cut {
			out.again = append(out.again, out.lost(t.faults)...)
		}
		if !e.cut && len(out.verdicts)+len(out.again)+len(out.fresh)+len(out.alone)+len(out.boot) == 0 {
			return fmt.Errorf("%s: a process judged no fault (%s):\n%s", j.Binary, e.death.Text, tail(e.death))
		}
		j.accept(out.verdicts...)
		remember(j, t, out.verdicts, e.lines)
		j.tellKillers(e.lines, out.verdicts)
		for group := range slices.Chunk(out.again, t.next) {
			next := groupSmall
			if len(group) <= groupSmall {
				next = 1
			}
			j.queue.pushFirst(task{faults: group, next: next})
		}
		for _, id := range out.alone {
			j.queue.pushFirst(task{faults: []int{id}, next: 1})
		}
		for _, id := range out.fresh {
			j.queue.pushFirst(task{faults: []int{id}, next: 1, fresh: true})
		}
		for _, id := range out.boot {
			j.queue.pushFirst(task{faults: []int{id}, next: 1, boot: true})
		}
		t.faults = out.rest
		j.show()
	}
	return nil
}

// tellKillers calls All with the inputs that kill faults, for verdicts that are final.
func (j *judge) tellKillers(lines []scoring.Line, verdicts []fate.Verdict) {
	if j.All == nil {
		return
	}
	for _, v := range verdicts {
		for _, l := range lines {
			if l.Event == scoring.Killer && l.Fault == v.Fault {
				j.All(l.Fault, l.Test)
			}
		}
	}
}

// watch counts the verdicts of a process that is running.
func (j *judge) watch(l scoring.Line) {
	if l.Event != scoring.Judged {
		return
	}
	j.mu.Lock()
	j.found.see(l.Fault, l.Kind)
	j.mu.Unlock()
	j.show()
}

// remember gives the verdicts of a task to Earlier. What is judged in a process of its own may depend on that.
func remember(j *judge, t task, verdicts []fate.Verdict, lines []scoring.Line) {
	if j.Base.Earlier == nil || t.fresh || t.boot {
		return
	}
	ran := map[int]scoring.Line{}
	for _, l := range lines {
		if l.Event == scoring.Ran {
			ran[l.Fault] = l
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, v := range verdicts {
		l, watched := ran[v.Fault]
		e := Evidence{Fault: j.faults[v.Fault], Verdict: v, Watched: watched}
		for text := range strings.FieldsSeq(l.Detail) {
			n, err := strconv.Atoi(text)
			e.Watched = e.Watched && err == nil
			e.Beyond = append(e.Beyond, n)
		}
		j.Base.Earlier.Judged(e)
	}
}
