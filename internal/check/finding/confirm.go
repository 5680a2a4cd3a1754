//go:build go1.25

package finding

import (
	"time"

	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/claims"
	"github.com/allele-go/allele/internal/value/term"
)

// deathsInRow is how many failures in a row are enough for a finding.
const deathsInRow = 3

// Confirm runs a term again several times, in child processes. When the term ends its
// process, the next run is in a new process. A term that fails in some runs and passes in
// others is flaky. One failure is enough if tries is more than 1, if the failure was reported
// before, or if the run does not end. Waiting for more such runs would take too long.
func (h *Handler) Confirm(x term.Term, tries int) (last property.Outcome, flaky bool, err error) {
	r := isolated.New(h.Prop, tries)
	r.GoOn()
	defer r.Close()
	failed, passed := 0, 0
	for range againRuns {
		o := r.One(x, true)
		if r.Err != nil {
			return o, false, r.Err
		}
		if !o.Failed() {
			if passed++; failed == 0 && passed == 1 {
				last = o
			}
			continue
		}
		failed++
		last = o
		known := h.Ledger.file.Look(Sign(o)) == claims.Shown
		if tries > 1 || failed >= deathsInRow || passed > 0 || o.Kind() == proc.Hang || o.TooLong() || known {
			break
		}
	}
	return last, failed > 0 && passed > 0 && tries <= 1, nil
}

// Confirmed stores, shrinks and reports a finding that Confirm has confirmed and that this
// process has claimed. It returns false, and reports nothing, if the shrunk input turns out to be known.
func (h *Handler) Confirmed(f *Finding) (news bool) {
	h.Prop.TB.Helper()
	if misused(h, f.Outcome) {
		return true
	}
	if !f.Flaky {
		h.save(f)
		if h.ShrinkIsolated(f); knownInput(h, f) {
			return false
		}
		keep(h, f)
	}
	h.Report(*f)
	return true
}

// ByChance handles an input that passed on one core and failed on several cores, but did
// not end its process.
func (h *Handler) ByChance(f *Finding) {
	h.Prop.TB.Helper()
	if misused(h, f.Outcome) {
		return
	}
	h.save(f)
	r := isolated.New(h.Prop, f.Tries)
	again := r.One(f.Term, true)
	r.Close()
	if r.Err == nil && again.Failed() {
		if Sign(again) == f.Sign {
			f.Outcome = again
		}
		h.ShrinkIsolated(f)
	} else {
		f.Flaky = true
		h.forget(f)
	}
	h.Report(*f)
}

// triesShare divides the number of tries while an input that may pass by chance is shrunk.
const triesShare = 5

// ShrinkIsolated shrinks a finding in child processes, because the input may end them.
func (h *Handler) ShrinkIsolated(f *Finding) {
	proc.SetShrinking(h.Slot, true)
	defer proc.SetShrinking(h.Slot, false)
	child := isolated.New(h.Prop, max(1, max(1, f.Tries)/triesShare))
	defer child.Close()
	child.SetSteps(f.stepsMax(h.Prop))
	var r property.Runner = child
	last := time.Duration(0)
	if f.Outcome.Kind() == proc.Hang {
		last = child.Timeout()
		r = newHasty(child)
	}
	over := bound(h, f, last)
	if over() {
		return
	}
	s := h.minimise(f, r, func() bool { return child.Err != nil || over() })
	child.Close()
	shrunkApart(h, f, s)
	deadline(h, f)
}

// shrunkApart runs the result of shrinking with the full timeout, and puts it in place of the
// first input if it fails in the same way.
func shrunkApart(h *Handler, f *Finding, s smaller) {
	again := isolated.New(h.Prop, f.Tries)
	again.SetSteps(f.stepsMax(h.Prop))
	defer again.Close()
	if f.Outcome.TooLong() {
		again.GoOn()
		h.replace(f, h.endless(f, s, func(x term.Term) property.Outcome { return again.One(x, true) }))
		return
	}
	if last := again.One(s.term, true); again.Err == nil && !last.Hung && last.Failed() && Sign(last) == Sign(s.outcome) {
		s.outcome = last
		h.replace(f, s)
	}
}
