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

// confirm looks into the case that a process ran when it ended: the process, or
// somebody else, may be to blame. The case is run again in fresh processes. If it ends
// them as well, or the property fails, it is a finding: it goes to disk, is shrunk,
// each try in a process that it may end, and is shown. If that failure was shown before
// it is told with its sign and nothing else.
func confirm(p *property.Property, w *watch.Watcher) {
	p.TB.Helper()
	h := handler(p, w, nil)
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
	o, flaky, err := h.Confirm(x, tries)
	if err != nil {
		p.TB.Errorf("allele: the input that a process ended with was not run again: %v", err)
		return
	}
	e.Input = p.InputText(x)
	if !o.Failed() {
		return
	}
	if e.Sign = finding.Sign(o); !h.Ledger.Claim(e.Sign) {
		e.Kind = event.Found
		return
	}
	f := h.New(x, o, finding.History{Run: before.Started, Passed: before.Passed, Discarded: before.Discarded})
	f.Sign, f.Tries, f.Flaky = e.Sign, tries, flaky
	if tries > 1 {
		f.History.From = fromMulticore
	}
	h.Confirmed(&f)
	e.Kind, e.Verdict = event.Found, event.Failed
	if flaky {
		e.Kind, e.Verdict = event.Flaky, event.Unstable
	}
	e.Death, e.Case = f.Outcome.Kind(), f.File
	if d := f.Outcome.Death; d != nil && len(d.Frames()) == 0 {
		e.Last = d.Last
	}
	e.Text, e.Failures, e.Run, e.Input = h.Said(), h.Ledger.Distinct(), f.History.Run, p.InputText(f.Term)
	e.Traced = w != nil
}

// deadCase reads the case from the slot of a process that has ended.
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
