package campaign

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

// history is the result of the processes of a worker so far.
type history struct {
	Result
	attempts int             // processes that were started
	deaths   int             // processes that died,
	idle     int             // and how many of these in a row made no run
	found    bool            // a finding ended a process
	known    int             // processes that a finding known by then has ended,
	old      map[string]bool // and what was said of these
	flaky    map[string]int  // deaths whose input passes elsewhere, by what was said
}

const (
	// restartsMax is how often the process of a property is started again after its
	// end, and idleDeathsMax how often in a row without a run in between.
	restartsMax   = 50
	idleDeathsMax = 3
	// knownMax is how often what is known already may end a process.
	knownMax = 20
	// flakyDeaths is how many deaths alike, of inputs that pass when they are run
	// again, are no accident.
	flakyDeaths = 2
)

// work runs a worker. If its result is one for all, the others are asked to stop.
func (k *propertySearch) work(i int) (Result, error) {
	r, err := k.attempts(i)
	if err != nil || r.Failed && r.Verdict != event.Vacuous || r.State == event.Exhausted {
		k.group.Stop()
	}
	return r, err
}

// attempts searches in one process after the other until one completes: if a run
// crashes its process, the input is confirmed and the search goes on.
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
	now   proc.Now     // how far it came
	end   *event.Event // its last event; nil if it died before
}

// attempt runs a process. It makes other runs than the earlier processes of its worker
// did, or it would crash at the same one.
func (k *propertySearch) attempt(i int, h *history) (a attempt, err error) {
	if a.slot, err = k.slot(k.folder); err != nil {
		return a, err
	}
	k.attach(i, a.slot)
	conf := proc.Config{Slot: a.slot, Job: k.searchJob(i, h), Env: onOneCPU(), Stop: k.until}
	h.attempts++
	var events []event.Event
	a.death, events, err = k.process(launch.Task{Property: k.property, Config: conf, Hear: k.hear, Groups: []*launch.Group{&k.group}})
	a.now = a.slot.Look()
	k.detach(i, a.now.Seen)
	if n := len(events); n > 0 && events[n-1].Kind == event.Finished {
		end := whole(events)
		a.end = &end
	}
	return a, err
}

// completed takes the result of a process that reported one, and reports whether the
// worker is over. A worker whose process was evicted goes on when it is its turn again.
func (k *propertySearch) completed(i int, a attempt, h *history) (over bool) {
	a.slot.Remove()
	before := h.Event
	h.Event = *a.end
	add(&h.Event, before)
	h.Partial = h.Partial || h.deaths > 0 // a process that died took what it reached with it
	h.Failed = k.judge(&h.Event, a.death) || h.found
	if !k.evicted(i) || h.State == event.Exhausted || k.ended() {
		return true
	}
	h.Failed = false
	return false
}

// died deals with a process that died, and reports whether the worker is over.
func (k *propertySearch) died(a attempt, h *history) (over bool) {
	h.Verdict = event.Aborted
	seen := a.now.Seen
	add(&h.Event, event.Event{Runs: seen.Passed + seen.Discarded + 1, Passed: seen.Passed, Discarded: seen.Discarded, Paths: seen.Paths})
	if h.idle++; a.now.Run > 1 {
		h.idle = 0
	}
	h.deaths++
	if !h.old[a.death.Text] {
		k.tell(k.property, deathEvent(h.deaths, a.now.Started, a.death))
	}
	switch {
	case k.killed():
		a.slot.Close() // its input is confirmed when the search goes on
		return true
	case !a.death.Running:
		a.slot.Remove()
	default:
		k.explain(a, h)
	}
	if h.Failed && h.found && k.Search.KeepGoing {
		h.Failed, h.Last, h.Text = false, nil, "" // for now
	}
	return k.gaveUp(a.death, h)
}

// explain confirms the input that a process died with. If it is not a known failure and
// passes elsewhere, the death may be flaky.
func (k *propertySearch) explain(a attempt, h *history) {
	a.slot.Close()
	known := h.known
	if k.confirm(a.slot.Path(), h); h.known == known {
		h.again(a.death)
		return
	}
	if h.old == nil {
		h.old = map[string]bool{}
	}
	h.old[a.death.Text] = true
}

// gaveUp reports whether a worker whose process died is over, and why.
func (k *propertySearch) gaveUp(d proc.Death, h *history) bool {
	switch {
	case h.Failed || k.ended():
		h.Failed = h.Failed || h.found
	case h.known > knownMax && k.Search.Budget == 0:
		k.note(k.property, "findings that are known have ended %d of its processes; mend these first", h.known)
		h.Failed, h.Verdict = true, event.Failed
	case h.idle >= idleDeathsMax || h.deaths-h.known > restartsMax:
		h.Failed, h.Verdict, h.Crash, h.Text = true, event.Crashed, d.Text, d.Out+d.Err+d.Stack
	default:
		return false
	}
	return true
}

// deathEvent reports a process that died.
func deathEvent(worker, run int, d proc.Death) event.Event {
	e := event.Event{Kind: event.Died, Worker: worker, Death: d.Kind, Text: d.Text}
	if d.Running {
		e.Run = run
	}
	return e
}

// again ends a search whose processes die in the same way again and again, of inputs
// that pass in others. A signal from outside may come as often as it likes.
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
	h.Text = fmt.Sprintf("    flaky: processes end (%s), and their inputs pass when they are run again:\n"+
		"    earlier runs leave something behind, or chance decides. The last such input:\n\n%s\n", d.Text, prefixed(h.Input))
	if d.Stack != "" {
		h.Text += "\n" + prefixed(firstLines(d.Stack, stackLines)) + "\n"
	}
}

// stackLines is how much is shown of what the runtime said at such a death.
const stackLines = 24

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func prefixed(s string) string {
	return "        " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n        ")
}
