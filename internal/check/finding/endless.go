//go:build go1.25

package finding

import (
	"fmt"
	"time"

	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/claims"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// A run that takes more steps than the limit may be endless, or only long. So a search lets
// the run go on, for the timeout of one run. If the run ends in that time, it counts like any
// other run. If it does not, it is a finding, and from then on its input is run exactly: such
// runs are stopped at the limit, at the same step each time. Otherwise shrinking would wait
// for the timeout at every step. Only the shrunk input gets the whole time once more.

// memoryShare divides the memory limit of the process, for a run that goes on. An endless
// loop that allocates memory would otherwise end the process, and slow down the machine
// before it does. A list that grows by copying needs several times its size.
const memoryShare = 8

// GoOn lets later runs go on that take more steps than the limit, unless they are in a loop
// that was reported already. It returns a function that restores the limit.
func (h *Handler) GoOn() (restore func()) {
	return limit(h, watch.Limit{Steps: h.Prop.Job.Limits.StepsMax(), GoOn: func(loop string) bool {
		if h.Ledger.knows(Sign(property.Outcome{Cut: &property.Cut{Loop: loop}})) {
			return false
		}
		h.Slot.Long()
		return true
	}})
}

// exact stops later runs at the limit. A failure that needed more steps than the limit gets
// twice as many as it needed.
func exact(h *Handler, f *Finding) (restore func()) {
	return limit(h, watch.Limit{Steps: f.stepsMax(h.Prop)})
}

// Exact stops later runs at the limit. It returns a function that restores the limit.
func Exact(h *Handler) (restore func()) {
	return limit(h, watch.Limit{Steps: h.Prop.Job.Limits.StepsMax()})
}

// stepsMax returns how many steps a run may take to show the failure again; 0 means no limit.
func (f *Finding) stepsMax(p *property.Property) int64 {
	limit := p.Job.Limits.StepsMax()
	if limit > 0 && !f.Outcome.TooLong() {
		limit = max(limit, 2*f.Steps)
	}
	return limit
}

func limit(h *Handler, l watch.Limit) (restore func()) {
	if h.Watch == nil {
		return func() {}
	}
	memory := h.Prop.Memory()
	if memory == 0 {
		memory = property.MemoryDefault
	}
	l.Time, l.Memory = isolated.Timeout(h.Prop), memory/memoryShare
	old := h.Watch.Limit(l)
	return func() { h.Watch.Limit(old) }
}

// knows reports whether a failure was reported. Any goroutine of a run may call it.
func (l *Ledger) knows(sign string) bool {
	l.mu.Lock()
	_, known := l.known[sign]
	l.mu.Unlock()
	return known || l.file.Look(sign) == claims.Shown
}

// backMax is how many of the accepted inputs are run to their end, if the last of them ends.
const backMax = 4

// endless checks that the shrunk input of an endless run is endless too. Shrinking accepts
// every input that takes more steps than the limit. If the shrunk input ends, endless returns
// to an earlier one. one runs a term and lets it go on.
func (h *Handler) endless(f *Finding, s smaller, one func(term.Term) property.Outcome) smaller {
	if !f.Outcome.TooLong() || len(s.accepted) == 0 {
		return s
	}
	found := smaller{term: f.Term, outcome: f.Outcome, runs: s.runs}
	low, high := -1, len(s.accepted) // the first of them is not known to be endless
	for try, at := 0, high-1; try < backMax && low < at && (try == 0 || !interrupted(h)); try++ {
		o := one(s.accepted[at].term)
		if o.TooLong() && Sign(o) == Sign(f.Outcome) {
			low, found.term, found.outcome = at, s.accepted[at].term, s.accepted[at].outcome
			f.Waited, f.Memory = o.Cut.Waited, o.Cut.Memory
		} else {
			high = at
		}
		at = low + (high-low)/2
	}
	return found
}

// outlasted returns how long a run went on after its last allowed step.
func outlasted(waited time.Duration, memory int64) string {
	switch {
	case memory > 0:
		return fmt.Sprintf("\nWithout this limit, it had not ended when it used %s MB of memory.", words.Group(int(memory>>20)))
	case waited > 0:
		return fmt.Sprintf("\nWithout this limit, it had not ended after %v.", waited)
	}
	return ""
}
