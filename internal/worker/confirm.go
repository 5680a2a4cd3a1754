//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
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
	defer h.Flush()
	e := event.Event{Kind: event.Unconfirmed, Property: p.Name}
	defer func() {
		e.Silent = property.Silent()
		if p.Emit(e); e.Text != "" && e.Sign != "" {
			h.Ledger.Shown(e.Sign)
		}
	}()
	x, before, err := deadCase(p, p.Job.Confirm.Slot)
	if err != nil {
		e.Kind, e.Text = event.Note, err.Error()
		return
	}
	tries := p.Job.Repeat.Tries
	if p.Job.Confirm.Hung && noteSlow(p, x, &e) {
		return
	}
	o, flaky, err := h.Confirm(x, tries)
	if err != nil {
		p.TB.Errorf("allele: cannot rerun the input that was running when a process ended: %v", err)
		return
	}
	e.Input = p.InputText(x)
	if !o.Failed() || !p.Job.Confirm.Hung && o.Kind() == proc.Hang && noteSlow(p, x, &e) {
		return
	}
	if e.Sign = finding.Sign(o); !h.Ledger.Claim(e.Sign) {
		e.Kind = event.Found
		return
	}
	f := h.New(x, o, finding.History{Run: before.Started, Earlier: before.Earlier, Passed: before.Passed, Discarded: before.Discarded})
	f.Sign, f.Tries, f.Flaky = e.Sign, tries, flaky
	switch {
	case tries > 1:
		f.History.From = fromMulticore
	case before.Started == 0:
		f.History.From = "the saved corpus or a stored case" // they are run before the search
	}
	if h.Confirmed(&f); h.Misused != "" {
		e.Verdict, e.Crash = event.Crashed, misused
		return
	}
	e.Kind, e.Verdict = event.Found, event.Failed
	if flaky {
		e.Kind, e.Verdict = event.Flaky, event.Unstable
	}
	e.Death, e.Case = f.Outcome.Kind(), f.Stored()
	if d := f.Outcome.Death; d != nil && len(d.Frames()) == 0 {
		e.Last = d.Last
	}
	e.Hot = h.Hot()
	e.Text, e.Failures, e.Run, e.Input = h.Reported(), h.Ledger.Distinct(), f.History.Run, p.InputText(f.Term)
	e.Traced = w != nil
}

// deadCase reads the slot of a process that has ended: the case that was running, and the
// counts of earlier runs.
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
	x, err = operand.ParseTerm(p.World, data)
	return x, slot.Look(), err
}
