//go:build go1.25

package campaign

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// history is the result of the processes of a worker so far.
type history struct {
	Result
	input    string          // the last input that was confirmed, as Go
	attempts int             // number of processes that were started
	deaths   int             // number of processes that died
	idle     int             // number of processes that died in a row without completing a run
	found    bool            // a confirmed finding crashed a process
	known    int             // number of processes that died of a known finding
	slow     int             // number of processes that died of slow runs
	old      map[string]bool // texts of the deaths that known counts
	flaky    map[string]int  // text of a death -> number of such deaths whose input passes when run again
	faults   []int           // faults that were switched on when a process died
}

const (
	// When its process dies, a worker starts another process, at most restartsMax times.
	// It gives up sooner after idleDeathsMax deaths in a row without a completed run.
	restartsMax   = 50
	idleDeathsMax = 3
	// knownMax is how many processes of a worker may die of known findings.
	knownMax = 20
	// flakyDeaths is how many equal deaths make a property flaky, if their inputs pass
	// when they are run again.
	flakyDeaths = 2
)

// work runs a worker. It asks the other workers to stop if its result decides for all.
func (k *propertySearch) work(i int) (Result, error) {
	r, err := k.attempts(i)
	if err != nil || r.Failed && r.Verdict != event.Vacuous || r.Exhausted {
		k.group.Stop()
	}
	return r, err
}

// attempts searches in one process after the other until one completes. If a run
// crashes its process, attempts confirms the input and starts the next process.
func (k *propertySearch) attempts(i int) (Result, error) {
	var h history
	for k.enter(i, k.ended) {
		a, err := k.attempt(i, &h)
		if err != nil {
			return h.Result, err
		}
		over := false
		if a.end != nil {
			over = k.completed(i, a, &h)
		} else {
			over = k.died(a, &h)
		}
		if over {
			return h.Result, nil
		}
	}
	if h.Failed = h.found; h.found {
		h.Verdict = event.Failed
	} else if h.Verdict == "" {
		h.Verdict = event.Aborted
	}
	return h.Result, nil
}

// attempt is one process of a worker.
type attempt struct {
	slot  *proc.Slot
	death proc.Death
	now   proc.Now        // the last state of its slot
	end   *event.Finished // its result; nil if it died before it reported one
	found []string        // signs of the failures that it has reported
	left  bool            // it has stored a failure that it has not reported
	past  job.Past        // the runs before its first one
}

// attempt runs a process. The job contains the number of earlier runs, so that this
// process runs other inputs than the worker's earlier processes. Otherwise it would crash
// in the same run.
func (k *propertySearch) attempt(i int, h *history) (a attempt, err error) {
	if a.slot, err = k.slot(k.folder); err != nil {
		return a, err
	}
	k.attach(i, a.slot)
	conf := proc.Config{Slot: a.slot, Job: k.searchJob(i, h), Env: onOneCPU(), Stop: k.until}
	a.past = conf.Job.Search.Past
	h.attempts++
	var events []event.Event
	task := launch.Task{Property: k.property, Config: conf, OnEvent: k.onEvent, Groups: []*launch.Group{&k.group}}
	a.death, events, a.left, err = find(k, a.slot, task)
	a.now = a.slot.Look()
	k.detach(i, a.now.Seen)
	a.end, a.found = result(events), signs(events)
	return a, err
}

// completed handles a process that reported a result: it adds the result to the history,
// and returns whether the worker is over. A worker whose process was evicted continues at
// its next turn.
func (k *propertySearch) completed(i int, a attempt, h *history) (over bool) {
	a.slot.Remove()
	before := h.Finished
	h.Finished = *a.end
	add(&h.Finished, before)
	h.Reach.Partial = h.Reach.Partial || h.deaths > 0 // the sites that a dead process reached are lost
	h.Failed = k.judge(&h.Finished, a.death) || h.found
	k.finds.shown(a.found...)
	if !k.evicted(i) || h.Exhausted || k.ended() {
		return true
	}
	h.Failed = false
	return false
}

// died handles a process that died, and reports whether the worker is over.
func (k *propertySearch) died(a attempt, h *history) (over bool) {
	h.Verdict = event.Aborted
	seen := counts(a.now.Seen)
	made := a.now.Started - a.past.First() // also runs that failed in a known way, which neither passed nor were discarded
	seen.Resumed = event.Resumed{}         // the next process runs them again
	if a.now.Fault >= 0 && !k.killed() {   // the fault is to blame, and the next process does not run it
		h.faults = append(h.faults, a.now.Fault)
		seen.Runs = max(seen.Runs, made)
		h.Counts.Add(seen)
		a.slot.Remove()
		return k.ended()
	}
	seen.Runs = max(seen.Runs+1, made) // the run that it died in counts too
	h.Counts.Add(seen)
	if h.idle++; a.now.Run > 1 {
		h.idle = 0
	}
	h.deaths++
	if !h.old[a.death.Text] && !k.killed() {
		k.report(k.property, deathEvent(h.deaths, a.now.Started, a.death))
	}
	switch {
	case k.killed() && !a.left:
		a.slot.Close() // the next campaign confirms the input in the slot
		return true
	case k.killed() || !a.death.Running:
		a.slot.Remove()
	default:
		k.explain(a, h)
	}
	if h.Failed && h.found && k.Search.KeepGoing {
		h.Failed, h.Places.Last, h.Places.Hot, h.Text = false, nil, 0, "" // h.found remembers the failure until the search ends
	}
	return k.gaveUp(a.death, h)
}

// explain runs the input on which a process died again, in a new process. If that finds no
// failure, again counts the death: repeated deaths on inputs that pass make the property flaky.
func (k *propertySearch) explain(a attempt, h *history) {
	a.slot.Close()
	known, slow := h.known, h.slow
	k.confirm(a.slot.Path(), h, a.death.Kind == proc.Hang)
	switch {
	case h.slow > slow:
		return
	case h.known == known:
		h.again(a.death)
		return
	}
	if h.old == nil {
		h.old = map[string]bool{}
	}
	h.old[a.death.Text] = true
}

// gaveUp reports whether a worker whose process died is over, and sets its verdict.
func (k *propertySearch) gaveUp(d proc.Death, h *history) bool {
	switch {
	case h.Failed || k.ended():
		h.Failed = h.Failed || h.found
	case h.known > knownMax && k.Search.Budget == 0:
		k.note(k.property, "known findings crashed %d of its processes; fix these first", h.known)
		h.Failed, h.Verdict = true, event.Failed
	case h.idle >= idleDeathsMax || h.deaths-h.known > restartsMax:
		h.Failed, h.Verdict, h.Why, h.Text = true, event.Crashed, d.Text, d.Out+d.Err+d.Stack
	default:
		return false
	}
	return true
}

// deathEvent returns the event that reports the death of a process.
func deathEvent(deaths, run int, d proc.Death) event.Died {
	e := event.Died{Deaths: deaths, Death: d.Kind, Text: d.Text}
	if d.Running {
		e.Run = run
	}
	return e
}

// again counts deaths whose inputs pass when they are run again, and ends the search as
// flaky after flakyDeaths equal ones. Kills by a signal from outside do not count.
func (h *history) again(d proc.Death) {
	if h.Failed || d.Kind == proc.Killed {
		return
	}
	if h.flaky == nil {
		h.flaky = map[string]int{}
	}
	if h.flaky[d.Text]++; h.flaky[d.Text] < flakyDeaths {
		return
	}
	h.Failed, h.Verdict = true, event.Unstable
	h.Text = fmt.Sprintf("    flaky: processes crash (%s), but their inputs pass when they are run again:\n"+
		"    earlier runs leave state behind, or the result depends on chance. The last such input:\n\n%s\n", d.Text, prefixed(h.input))
	if d.Stack != "" {
		h.Text += "\n" + prefixed(firstLines(d.Stack, stackLines)) + "\n"
	}
}

// stackLines is how many lines of the runtime's output are shown for a flaky death.
const stackLines = 24

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func prefixed(s string) string {
	return "        " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n        ")
}
