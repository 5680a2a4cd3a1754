//go:build go1.25

package finding

import (
	"fmt"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/words"
)

// goOn reports whether the search goes on after a report.
func (h *Handler) goOn() bool {
	l := h.Ledger
	if l.shown >= distinctMax && l.going {
		text := fmt.Sprintf("allele: the search stops after %d different failures; fix some of them first", l.shown)
		h.block(text, text)
	}
	return l.going && l.shown < distinctMax
}

// Report reports a finding both to the test and to the command, because the property may
// have closed the test's output. If the search goes on, the test is failed only at the
// end: until then a failed test shows that the property failed it by mistake.
func (h *Handler) Report(f Finding) {
	p, l := h.Prop, h.Ledger
	p.TB.Helper()
	text := Brief(p, f)
	h.block(Text(p, f), text)
	if f.Outcome.Kind() == proc.Cut {
		h.hot = f.Outcome.Cut.Hot
	}
	l.note(f.Sign, f.Flaky)
	l.shown++
	l.firm = l.firm || !f.Flaky
	switch p.Job.Mode {
	case job.Confirm, job.Multicore:
		return // these jobs emit an event of their own, and call Shown afterwards
	case job.Search:
		p.Emit(h.event(f, text))
	}
	ShownInput(h, &f)
}

// block prints a text as an error of the test, now or at the end. brief is the text for an event.
func (h *Handler) block(text, brief string) {
	h.Prop.TB.Helper()
	if h.reported != "" {
		h.reported += "\n\n"
	}
	h.reported += brief
	if !h.Ledger.going {
		h.Prop.TB.Error(text)
		return
	}
	h.blocks = append(h.blocks, text)
}

// Reported returns all reports so far, for an event.
func (h *Handler) Reported() string { return h.reported }

// Hot returns the site that the last run that was stopped and reported hit most often, or 0.
func (h *Handler) Hot() uint32 { return h.hot }

// Flush prints the reports that were held back until the end.
func (h *Handler) Flush() {
	h.Prop.TB.Helper()
	for _, text := range h.blocks {
		h.Prop.TB.Error(text)
	}
	h.blocks = nil
	if n := h.Ledger.over; n > 0 {
		h.Prop.Logf("%s failed in ways already reported", words.Count(n, "more run"))
	}
}

// announce reports to the command that the input of a finding is on disk. If this process ends before it
// reports the finding, the command does.
func announce(h *Handler, f Finding) {
	if h.Slot == nil && h.Prop.Job.Mode != job.Confirm {
		return
	}
	if f.Shrunk == 0 {
		f.Ended = beforeProcess
	}
	h.Prop.Emit(event.Stored{Found: h.event(f, Text(h.Prop, f))})
}

// event returns the event that reports a finding to the command.
func (h *Handler) event(f Finding, text string) event.Found {
	e := event.Found{Verdict: event.Failed, Sign: f.Sign, Failures: h.Ledger.shown, Run: f.History.Run, Case: f.Stored(),
		Death: f.Outcome.Kind(), Input: h.Prop.InputText(f.Term), Text: text, Traced: h.Watch != nil}
	if f.Flaky {
		e.Verdict = event.Unstable
	}
	if h.Watch != nil && f.Flaky {
		p := h.Watch.Parted()
		e.Places.Parted, e.Places.Same = p.At, p.Same()
	}
	if e.Death == proc.Cut {
		e.Places.Hot = f.Outcome.Cut.Hot
	}
	return e
}
