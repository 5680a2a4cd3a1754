//go:build go1.25

package finding

import (
	"sync"

	"github.com/allele-go/allele/internal/proc/claims"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/trace"
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
	ways    ways            // of failing at one place
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
		known: map[string]bool{}, others: map[string]int{}, strange: map[string]int{}, ways: ways{}}
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

// LooksAt counts a run that failed in a known way, by its sign. It reports whether to look at the run again, because it
// may have failed in another way at the same place.
func (l *Ledger) LooksAt(sign string, run trace.Run) bool { return l.ways.looksAt(sign, run) }

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
