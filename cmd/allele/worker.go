package main

import (
	"fmt"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
)

// result is what came of a property.
type result struct {
	event.Event                 // what is told of it; Text is what its process printed
	failed      bool            // it did not hold, or could not be tried
	deaths      map[string]int  // of processes whose input passes elsewhere, by what was said
	found       bool            // a finding ended a process
	known       int             // processes that a finding known by then has ended
	old         map[string]bool // what was said of these
}

const (
	// restartsMax is how often the process of a property is started again after its
	// end, and idleMax how often in a row without a run in between.
	restartsMax = 50
	idleMax     = 3
	// knownMax is how often what is known already may end a process.
	knownMax = 20
)

// worker searches in one process after the other until one comes to its end:
// whatever a run does to its process, its case is looked into and the search goes on.
func (k *crew) worker(i int) (r result, err error) {
	idle, deaths := 0, 0
	for first := true; k.enter(i); first = false {
		s, err := k.stint(i, r.Runs, first, deaths > 0)
		if err != nil {
			return r, err
		}
		if s.end != nil {
			s.slot.Remove()
			before := r.Event
			r.Event = *s.end
			add(&r.Event, before)
			r.Partial = r.Partial || deaths > 0 // what others reached, they took with them
			if r.failed = k.judge(&r.Event, s.death) || r.found; !k.evicted(i, r) {
				return r, nil
			}
			r.failed = false
			continue
		}
		r.Verdict = event.Aborted
		add(&r.Event, event.Event{Runs: s.now.Passed + s.now.Discarded + 1, Passed: s.now.Passed, Discarded: s.now.Discarded, Paths: s.now.Paths})
		if idle++; s.now.Run > 1 {
			idle = 0
		}
		if deaths++; k.ends(s, &r, deaths, idle) {
			return r, nil
		}
	}
	if r.failed = r.found; r.found {
		r.Verdict = event.Failed
	} else if r.Verdict == "" {
		r.Verdict = event.Aborted
	}
	return r, nil
}

// stint is one process of a worker.
type stint struct {
	slot  *proc.Slot
	death proc.Death
	now   proc.Now     // how far it came
	end   *event.Event // what it told at its end; nil if it did not come to that
}

// stint runs a process, after so many runs of others in the same seat: it makes other
// runs than they did, or it would come to the same end.
func (k *crew) stint(i, runs int, first, careful bool) (s stint, err error) {
	if s.slot, err = k.slot(k.folder); err != nil {
		return s, err
	}
	k.sit(i, s.slot, proc.Seen{})
	var events []event.Event
	j := k.job(i, first, careful)
	j.Search.Before = runs
	s.death, events, err = k.process(k.property, proc.Config{Slot: s.slot, Job: j, Env: onOne(), Stop: k.until}, &k.company)
	s.now = s.slot.Look()
	k.sit(i, nil, s.now.Seen)
	if n := len(events); n > 0 && events[n-1].Kind == event.Finished {
		end := whole(events)
		s.end = &end
	}
	return s, err
}

// evicted reports whether the process of a seat ended to make room, and the search
// goes on when it is its turn again.
func (k *crew) evicted(i int, r result) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seats[i].evict && r.State != event.Exhausted && !k.stopped() && !k.late()
}

// ends deals with a process that did not come to its end, and reports whether the
// worker has.
func (k *crew) ends(s stint, r *result, deaths, idle int) bool {
	if !r.old[s.death.Text] {
		k.tell(k.property, died(deaths, s.now.Started, s.death))
	}
	switch {
	case k.killed():
		s.slot.Close() // what it was at is looked into when the search goes on
		return true
	case !s.death.Running:
		s.slot.Remove()
	default:
		s.slot.Close()
		known := r.known
		if k.settle(s.slot.Path(), r); r.known == known {
			k.again(r, s.death)
			break
		}
		if r.old == nil {
			r.old = map[string]bool{}
		}
		r.old[s.death.Text] = true
	}
	if r.failed && r.found && k.keepGoing {
		r.failed, r.Last, r.Text = false, nil, "" // for now
	}
	switch {
	case r.failed || k.stopped() || k.late():
		r.failed = r.failed || r.found
		return true
	case r.known > knownMax && k.budget == 0:
		k.note(k.property, "findings that are known have ended %d of its processes; mend these first", r.known)
		r.failed, r.Verdict = true, event.Failed
		return true
	case idle >= idleMax || deaths-r.known > restartsMax:
		r.failed, r.Verdict, r.Crash, r.Text = true, event.Crashed, s.death.Text, s.death.Out+s.death.Err+s.death.Stack
		return true
	}
	return false
}

// died is a process that did not come to its end.
func died(worker, run int, d proc.Death) event.Event {
	e := event.Event{Kind: event.Died, Worker: worker, Death: d.Kind, Text: d.Text}
	if d.Running {
		e.Run = run
	}
	return e
}

// flakyDeaths is how many deaths alike, of inputs that pass when they are run again,
// are no accident.
const flakyDeaths = 2

// again ends a search whose processes die in the same way again and again, of inputs
// that pass in others. A signal from outside may come as often as it likes.
func (c *campaign) again(r *result, d proc.Death) {
	if r.failed || d.Kind == proc.Killed {
		return
	}
	if r.deaths == nil {
		r.deaths = map[string]int{}
	}
	if r.deaths[d.Text]++; r.deaths[d.Text] < flakyDeaths {
		return
	}
	r.failed, r.Verdict = true, event.Unstable
	r.Text = fmt.Sprintf("    flaky: processes end (%s), and their inputs pass when they are run again:\n"+
		"    earlier runs leave something behind, or chance decides. The last such input:\n\n%s\n", d.Text, prefixed(r.Input))
	if d.Stack != "" {
		r.Text += "\n" + prefixed(firstLines(d.Stack, stackLines)) + "\n"
	}
}
