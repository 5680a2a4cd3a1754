//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// confirm investigates the case that a process was running when the process ended. The
// cause may be the case, or something outside the run. So confirm runs the case again, in
// new processes. If the case ends these processes too, or the property fails, the case is
// a finding: it is written to disk, shrunk in child processes, and reported. If the same
// failure was reported before, confirm only emits an event with the failure's sign.
func confirm(p *property.Property, w *watch.Watcher) {
	p.TB.Helper()
	h := handler(p, w, nil)
	h.Keep = keepUnsaved(p)
	if slot, err := proc.OpenSlot(p.Job.Confirm.Slot); err == nil {
		defer slot.Close()
		h.Ends = func() bool { return proc.Interrupted(slot) }
	}
	defer h.Flush()
	var result event.Body = event.Unconfirmed{}
	var f finding.Finding
	defer func() {
		p.Emit(result)
		if e, ok := result.(event.Found); ok && e.Text != "" {
			finding.ShownInput(h, &f)
		}
	}()
	result = examine(h, &f)
}

// examine runs the case of a process that has ended again, and returns what that showed. It sets f if that is a
// finding.
func examine(h *finding.Handler, f *finding.Finding) event.Body {
	p := h.Prop
	p.TB.Helper()
	x, before, err := deadCase(p, p.Job.Confirm.Slot)
	if err != nil {
		return event.Note{Text: err.Error()}
	}
	if p.Job.Confirm.Hung {
		if note, slow := noteSlow(p, x); slow {
			return note
		}
	}
	o, flaky, err := h.Confirm(x, p.Job.Repeat.Tries)
	if err != nil {
		p.TB.Errorf("allele: cannot rerun the input that was running when a process ended: %v", err)
		return event.Unconfirmed{}
	}
	input := p.InputText(x)
	if !o.Failed() {
		return event.Unconfirmed{Input: input}
	}
	if !p.Job.Confirm.Hung && o.Kind() == proc.Hang {
		if note, slow := noteSlow(p, x); slow {
			return note
		}
	}
	*f = h.New(x, o, finding.History{Run: before.Started, Earlier: before.Earlier, Passed: before.Passed, Discarded: before.Discarded})
	f.Sign, f.Tries, f.Flaky = finding.Sign(o), p.Job.Repeat.Tries, flaky
	if !h.Ledger.Claim(f.Sign) {
		return event.Found{Verdict: event.Failed, Known: true, Sign: f.Sign, Input: input}
	}
	switch {
	case f.Tries > 1:
		f.History.From = fromMulticore
	case before.Started == 0:
		f.History.From = "the saved corpus or a stored case" // they are run before the search
	}
	switch news := h.Confirmed(f); {
	case h.Misused != "":
		return event.Unconfirmed{Input: input, Why: misused}
	case !news:
		return event.Found{Verdict: event.Failed, Known: true, Sign: f.Sign, Input: input}
	}
	return confirmedEvent(h, *f)
}

// confirmedEvent returns the event of a case that failed again.
func confirmedEvent(h *finding.Handler, f finding.Finding) event.Found {
	e := event.Found{Verdict: event.Failed, Sign: f.Sign, Failures: h.Ledger.Distinct(), Run: f.History.Run, Case: f.Stored(),
		Death: f.Outcome.Kind(), Input: h.Prop.InputText(f.Term), Traced: h.Watch != nil, Text: h.Reported(), Silent: property.Silent()}
	if f.Flaky {
		e.Verdict = event.Unstable
	}
	if d := f.Outcome.Death; d != nil && len(d.Frames()) == 0 {
		e.Places.Last = d.Last
	}
	e.Places.Hot = h.Hot()
	return e
}

// deadCase reads the slot of a process that has ended: the case that was running, and the
// counts of earlier runs. The property gets the seed of that process, which reports contain: it may have been random.
func deadCase(p *property.Property, file string) (x term.Term, before proc.Now, err error) {
	slot, err := proc.OpenSlot(file)
	if err != nil {
		return nil, before, err
	}
	defer slot.Close()
	data, err := slot.Case()
	if err != nil {
		return nil, before, err
	}
	if before = slot.Look(); before.Started > 0 {
		p.Config.Seed = proc.Seed(slot)
	}
	x, err = operand.ParseTerm(p.World, data)
	return x, before, err
}
