package finding

import (
	"fmt"

	"github.com/allele-go/allele/internal/ops/claims"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/words"
)

// Ledger is what this process knows of the ways in which a property fails, by their
// signs. A campaign shows each of them once.
type Ledger struct {
	going bool // the search goes on after a failure
	file  claims.File

	known   map[string]bool // sign -> flaky
	others  map[string]int  // signs that other processes look into -> runs that failed so
	strange map[string]int  // signs in the search -> runs that had a known one when looked at
	shown   int             // different ones, here
	over    int             // runs that failed in a way that is known
	firm    bool            // one was not flaky
}

const (
	// distinctMax is how many failures one process deals with: nobody fixes more of
	// them before the next campaign, and each takes as long as thousands of runs.
	distinctMax = 50
	// strangeMax is how often a sign is looked into that turns out to be another, known
	// one. There should be none: see Helper of allele.T.
	strangeMax = 3
)

func newLedger(j *job.Job) *Ledger {
	return &Ledger{going: j.Search.KeepGoing, file: claims.File(j.Claims),
		known: map[string]bool{}, others: map[string]int{}, strange: map[string]int{}}
}

// PassOver reports whether a run failed in a way that is known, and counts it then.
// It is asked for every run that fails, and must be cheap. What another process looks
// into is asked for again now and then: that process may have died of it.
func (l *Ledger) PassOver(sign string) bool {
	flaky, known := l.known[sign]
	if l.others[sign] > 0 {
		l.others[sign]++
		known = l.others[sign]&(l.others[sign]-1) != 0
	}
	if !known && l.strange[sign] < strangeMax {
		return false
	}
	l.count(flaky)
	return true
}

// count takes a failing run that is not shown.
func (l *Ledger) count(flaky bool) {
	l.over++
	l.firm = l.firm || !flaky
}

func (l *Ledger) countKnown(sign string) { l.count(l.known[sign]) }

// Claim reports whether a failure is for this process to show.
func (l *Ledger) Claim(sign string) bool {
	if _, known := l.known[sign]; known {
		return false
	}
	switch l.file.Claim(sign) {
	case claims.Shown:
		l.known[sign] = false
		return false
	case claims.Claimed:
		l.others[sign] = max(1, l.others[sign])
		return false
	}
	delete(l.others, sign)
	return true
}

// Shown says to other processes that a failure was shown.
func (l *Ledger) Shown(sign string) { l.file.Shown(sign) }

// Distinct is how many different failures were shown here.
func (l *Ledger) Distinct() int { return l.shown }

// Verdict is that on a property of which runs have failed.
func (l *Ledger) Verdict() (v event.Verdict, any bool) {
	if l.firm {
		return event.Failed, true
	}
	return event.Unstable, l.shown+l.over > 0
}

// goOn reports whether the search goes on after what was shown.
func (h *Handler) goOn() bool {
	l := h.Ledger
	if l.shown >= distinctMax && l.going {
		h.block(fmt.Sprintf("allele: these are %d different failures, and the search ends here: mend some of them first", l.shown))
	}
	return l.going && l.shown < distinctMax
}

// Report shows a finding, in the test and to the command: the property may have
// closed where tests print. If the search goes on the test hears of it at the end,
// because a property that fails the test itself is known by that.
func (h *Handler) Report(f Finding) {
	p, l := h.Prop, h.Ledger
	p.TB.Helper()
	text := Text(p, f)
	h.block(text)
	l.known[f.Sign] = f.Flaky
	l.shown++
	l.firm = l.firm || !f.Flaky
	switch p.Job.Mode {
	case job.Confirm, job.Multicore:
		return // they have an event of their own, and claim then
	case job.Search:
		p.Emit(h.event(f, text))
	}
	l.Shown(f.Sign)
}

// block shows a text, now or at the end.
func (h *Handler) block(text string) {
	h.Prop.TB.Helper()
	if h.said != "" {
		h.said += "\n\n"
	}
	h.said += text
	if !h.Ledger.going {
		h.Prop.TB.Error(text)
		return
	}
	h.blocks = append(h.blocks, text)
}

// Said is all that was said about failures.
func (h *Handler) Said() string { return h.said }

// Flush shows what was kept for the end.
func (h *Handler) Flush() {
	h.Prop.TB.Helper()
	for _, text := range h.blocks {
		h.Prop.TB.Error(text)
	}
	h.blocks = nil
	if n := h.Ledger.over; n > 0 {
		h.Prop.Say("%s failed in ways that are known", words.Count(n, "more run"))
	}
}

// event tells the command of a finding.
func (h *Handler) event(f Finding, text string) event.Event {
	p := h.Prop
	e := event.Event{Kind: event.Found, Property: p.Name, Verdict: event.Failed, Sign: f.Sign, Failures: h.Ledger.shown,
		Run: f.History.Run, Case: f.Stored(), Death: f.Outcome.Kind(), Input: p.InputText(f.Term), Text: text, Traced: h.Watch != nil}
	if f.Flaky {
		e.Kind, e.Verdict = event.Flaky, event.Unstable
	}
	if h.Watch != nil && f.Flaky {
		e.Parted = h.Watch.Parted()
	}
	if h.Watch != nil && e.Death == proc.Cut {
		e.Hot = h.Watch.Hot()
	}
	return e
}
