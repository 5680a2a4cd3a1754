//go:build go1.25

package campaign

import (
	"os"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
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
	d, events, err := k.process(task)
	switch {
	case err != nil:
		k.note(k.property, "could not confirm the input that crashed a process: %v; the input is saved in %s", err, slot)
	case k.killed(): // the user stopped this campaign; the next campaign confirms the input
	case len(events) > 0 && events[0].Slow != "":
		// It is no finding. Later processes leave out inputs that are as large.
		h.slow++
		leaveOut(k, events[0].Slow)
		k.report(k.property, events[0])
		s.Remove()
	case len(events) > 0 && events[0].Kind == event.Note:
		k.setAside(slot, events[0].Text)
	case len(events) == 0 || d.Code != 0 && events[0].Verdict == "":
		h.Failed, h.Verdict, h.Text = true, event.Crashed, d.Out+d.Err+d.Stack
		h.Crash = "could not confirm the input that crashed its process; the input is saved in " + slot
	default:
		k.confirmed(events[0], d.Out, h)
		s.Remove()
	}
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

// confirmed handles the event of the process that runs the input again. The event of a
// new finding has a verdict, and that of a known finding has none. Any other event means
// that the input passes.
func (k *propertySearch) confirmed(e event.Event, printed string, h *history) {
	switch {
	case e.Verdict == event.Crashed: // the property is wrong, and the input is not a finding
		h.Failed, h.found, h.Verdict, h.Crash, h.Text = true, true, e.Verdict, e.Crash, printed
		return
	case e.Verdict != "":
		h.Failed, h.Last, h.Hot, h.Verdict, h.Text = true, e.Last, e.Hot, e.Verdict, printed
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
		k.reportFound(e)
	default:
		k.report(k.property, e)
	}
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
