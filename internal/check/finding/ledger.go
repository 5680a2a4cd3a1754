//go:build go1.25

package finding

import (
	"fmt"
	"sync"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/claims"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/words"
)

// Ledger lists the failures of a property that this process knows, by their signs. A
// campaign reports each of them once.
type Ledger struct {
	going bool // the search goes on after a failure
	file  claims.File

	mu      sync.Mutex      // held to change known, and by goroutines of runs to read it
	known   map[string]bool // sign -> flaky
	others  map[string]int  // signs that other processes have claimed -> runs that failed with them
	strange map[string]int  // signs of search runs -> how often the rerun had another, known sign
	shown   int             // different failures reported by this process
	over    int             // runs that failed in a known way
	firm    bool            // at least one failure was not flaky
}

const (
	// distinctMax is how many failures one process reports. Users rarely fix more of them
	// before the next campaign, and each report takes as long as thousands of runs.
	distinctMax = 50
	// strangeMax is how often inputs with the same new sign are rerun, if each rerun fails
	// with another sign, which is known. A rerun should have the same sign: see Helper of
	// allele.T.
	strangeMax = 3
)

func newLedger(j *job.Job) *Ledger {
	return &Ledger{going: j.Search.KeepGoing, file: claims.File(j.Claims),
		known: map[string]bool{}, others: map[string]int{}, strange: map[string]int{}}
}

// PassOver reports whether a run failed in a known way, and if so counts the run. It is
// called for every run that fails, so it must be cheap. It returns false now and then for
// a sign that another process has claimed, so that the claim is checked again: that
// process may have died.
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

// count counts a failing run that is not reported.
func (l *Ledger) count(flaky bool) {
	l.over++
	l.firm = l.firm || !flaky
}

func (l *Ledger) countKnown(sign string) { l.count(l.known[sign]) }

// Claim reports whether this process is the one that reports a failure.
func (l *Ledger) Claim(sign string) bool {
	if _, known := l.known[sign]; known {
		return false
	}
	switch l.file.Claim(sign) {
	case claims.Shown:
		l.note(sign, false)
		return false
	case claims.Claimed:
		l.others[sign] = max(1, l.others[sign])
		return false
	}
	delete(l.others, sign)
	return true
}

// note records that a failure is known.
func (l *Ledger) note(sign string, flaky bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[sign] = flaky
}

// Shown notes for other processes that a failure was reported.
func (l *Ledger) Shown(sign string) { l.file.Shown(sign) }

// Distinct returns how many different failures this process has reported.
func (l *Ledger) Distinct() int { return l.shown }

// Verdict returns the verdict on the property, if any run has failed.
func (l *Ledger) Verdict() (v event.Verdict, any bool) {
	if l.firm {
		return event.Failed, true
	}
	return event.Unstable, l.shown+l.over > 0
}

// goOn reports whether the search goes on after a report.
func (h *Handler) goOn() bool {
	l := h.Ledger
	if l.shown >= distinctMax && l.going {
		h.block(fmt.Sprintf("allele: the search stops after %d different failures; fix some of them first", l.shown))
	}
	return l.going && l.shown < distinctMax
}

// Report reports a finding both to the test and to the command, because the property may
// have closed the test's output. If the search goes on, the test is failed only at the
// end: until then a failed test shows that the property failed it by mistake.
func (h *Handler) Report(f Finding) {
	p, l := h.Prop, h.Ledger
	p.TB.Helper()
	text := Text(p, f)
	h.block(text)
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
	l.Shown(f.Sign)
}

// block prints a text as an error of the test, now or at the end.
func (h *Handler) block(text string) {
	h.Prop.TB.Helper()
	if h.reported != "" {
		h.reported += "\n\n"
	}
	h.reported += text
	if !h.Ledger.going {
		h.Prop.TB.Error(text)
		return
	}
	h.blocks = append(h.blocks, text)
}

// Reported returns all reports so far.
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

// event returns the event that reports a finding to the command.
func (h *Handler) event(f Finding, text string) event.Found {
	e := event.Found{Verdict: event.Failed, Sign: f.Sign, Failures: h.Ledger.shown, Run: f.History.Run, Case: f.Stored(),
		Death: f.Outcome.Kind(), Input: h.Prop.InputText(f.Term), Text: text, Traced: h.Watch != nil}
	if f.Flaky {
		e.Verdict = event.Unstable
	}
	if h.Watch != nil && f.Flaky {
		e.Places.Parted = h.Watch.Parted()
	}
	if e.Death == proc.Cut {
		e.Places.Hot = f.Outcome.Cut.Hot
	}
	return e
}
