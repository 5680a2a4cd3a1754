package campaign

import (
	"os"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

// confirm has a new process run the input that another process died with. What it
// finds goes to the history, and as an event to the listener.
func (k *propertySearch) confirm(slot string, h *history) {
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
		k.note(k.property, "the input that ended a process is kept in %s: %v", slot, err)
		return
	}
	d, events, err := k.process(task)
	switch {
	case err != nil:
		k.note(k.property, "the input that ended a process could not be looked into: %v", err)
	case k.killed(): // it is confirmed when the search goes on
	case len(events) > 0 && events[0].Kind == event.Note:
		k.setAside(slot, events[0].Text)
	case len(events) == 0 || d.Code != 0 && events[0].Verdict == "":
		h.Failed, h.Verdict, h.Text = true, event.Crashed, d.Out+d.Err+d.Stack
		h.Crash = "the input that ended its process could not be looked into; it is kept in " + slot
	default:
		k.confirmed(events[0], d.Out, h)
		s.Remove()
	}
}

// confirmTask is the process that confirms: on as many processors, and with the binary,
// that the input was run with.
func (k *propertySearch) confirmTask(slot string, multicore bool) (t launch.Task, err error) {
	t.Property = k.property
	t.Job, t.Env = k.job(job.Confirm, k.property), onOneCPU()
	if multicore {
		t.Job, t.Env = k.multicoreJob(job.Confirm), onManyCPUs()
		t.Path, err = k.Builds.Plain(k.property.Package)
	}
	t.Job.Confirm.Slot = slot
	return t, err
}

// confirmed takes the answer: a finding has a verdict, one that is known has none, and
// any other event says that the input passes.
func (k *propertySearch) confirmed(e event.Event, printed string, h *history) {
	switch {
	case e.Verdict != "":
		h.Failed, h.Last, h.Verdict, h.Text = true, e.Last, e.Verdict, printed
		if e.Silent {
			h.Text = e.Text + "\n"
		}
		h.found = true
	case e.Kind == event.Found:
		h.known++
	}
	h.Input = e.Input
	switch e.Kind {
	case event.Found, event.Flaky:
		k.tellFound(e)
	default:
		k.tell(k.property, e)
	}
}

// setAside puts a slot away that cannot be read: the type of the inputs may have
// changed since. What was in it was never confirmed.
func (k *propertySearch) setAside(slot, why string) {
	aside := slot + ".unread"
	if err := os.Rename(slot, aside); err != nil {
		aside = slot
	}
	k.note(k.property, "the input that a process was ended with cannot be read any more (%s); "+
		"it is left in %s, which may be deleted", why, aside)
}
