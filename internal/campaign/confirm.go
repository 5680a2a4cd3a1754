//go:build go1.25

package campaign

import (
	"os"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// confirm handles the slot of a process that died during a run: it runs the input in the
// slot again, in a new process. It adds a finding to the history and reports the event to
// the listener. hung means that the run did not end.
func (k *propertySearch) confirm(slot string, h *history, hung bool) {
	s, err := proc.OpenSlot(slot)
	if err != nil {
		k.setAside(slot, err.Error())
		return
	}
	defer s.Close()
	now := s.Look()
	if !now.Running {
		s.Remove()
		return
	}
	task, err := k.confirmTask(slot, now.Multicore)
	if err != nil {
		k.note(k.property, "could not confirm the input that crashed a process: %v; the input is saved in %s", err, slot)
		return
	}
	task.Job.Confirm.Hung = hung
	d, events, left, err := find(k, s, task)
	if err != nil {
		k.note(k.property, "could not confirm the input that crashed a process: %v; the input is saved in %s", err, slot)
		return
	}
	b := first(events)
	if k.killed() && b == nil {
		if left {
			s.Remove() // the failure is stored and will be reported
		}
		return // otherwise the next campaign confirms the input
	}
	if d.Code != 0 && unexplained(b) {
		b = nil
	}
	switch b := b.(type) {
	case event.Note:
		if b.Slow == "" {
			k.setAside(slot, b.Text)
			return
		}
		// It is no finding. Later processes leave out inputs that are as large.
		h.slow++
		k.finds.leaveOut(b.Slow)
		k.report(k.property, b)
	case event.Found:
		k.confirmed(b, printed(d, d.Out, b.Text), h)
	case event.Unconfirmed:
		passesAgain(k, b, d.Out, h)
	default:
		h.Failed, h.Verdict, h.Text = true, event.Crashed, d.Out+d.Err+d.Stack
		h.Why = "could not confirm the input that crashed its process; the input is saved in " + slot
		return
	}
	s.Remove()
}

// unexplained reports whether an event is no reason for its process to fail.
func unexplained(b event.Body) bool {
	switch b := b.(type) {
	case event.Found:
		return b.Known
	case event.Unconfirmed:
		return b.Why == ""
	}
	return false
}

// confirmTask returns the task of the process that confirms an input. It uses the same
// binary and as many processors as the process that died.
func (k *propertySearch) confirmTask(slot string, multicore bool) (t launch.Task, err error) {
	t.Property = k.property
	t.Job, t.Env = k.job(job.Confirm, k.property), onOneCPU()
	if multicore {
		t.Job, t.Env = k.multicoreJob(job.Confirm), onManyCPUs()
		t.Path, err = k.Builds.Plain(k.property.Package)
	}
	t.Job.Confirm.Slot = slot
	if k.keeps {
		t.Job.Corpus = k.folder // for an input that cannot be stored
	}
	return t, err
}

// confirmed handles an input that fails when it is run again. printed is the output of the
// process that ran it.
func (k *propertySearch) confirmed(e event.Found, printed string, h *history) {
	h.input = e.Input
	if e.Known {
		h.known++
	} else {
		h.Failed, h.found, h.Verdict, h.Places.Last, h.Places.Hot, h.Text = true, true, e.Verdict, e.Places.Last, e.Places.Hot, printed
		if e.Silent {
			h.Text = e.Text + "\n"
		}
	}
	k.reportFound(e)
	k.finds.shown(e.Sign) // in the text of h
}

// passesAgain handles an input that does not fail when it is run again.
func passesAgain(k *propertySearch, e event.Unconfirmed, printed string, h *history) {
	if e.Why != "" { // the property is wrong, and the input is not a finding
		h.Failed, h.found, h.Verdict, h.Why, h.Text = true, true, event.Crashed, e.Why, printed
		return
	}
	h.input = e.Input
	k.report(k.property, e)
}

// setAside renames a slot that cannot be read, and leaves its input unconfirmed. The
// type of the inputs may have changed since the slot was written.
func (k *propertySearch) setAside(slot, why string) {
	aside := slot + ".unread"
	if err := os.Rename(slot, aside); err != nil {
		aside = slot
	}
	k.note(k.property, "cannot read the input that crashed a process (%s); "+
		"the input is left in %s, which may be deleted", why, aside)
}
