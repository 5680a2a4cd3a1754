package finding

import (
	"time"

	"github.com/allele-go/allele/internal/isolated"
	"github.com/allele-go/allele/internal/ops/claims"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/term"
)

// surely is how many deaths in a row make a finding.
const surely = 3

// Confirm runs a term again, in fresh processes as it ends them. It must fail every
// time; one that passes as well is flaky. A hang is believed the first time: it
// takes long, and it was waited for before. So is what was shown before.
func (h *Handler) Confirm(x term.Term, tries int) (last property.Outcome, flaky bool, err error) {
	r := isolated.New(h.Prop, tries)
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
		if tries > 1 || failed >= surely || passed > 0 || o.Death != nil && o.Death.Kind == proc.Hang || known {
			break
		}
	}
	return last, failed > 0 && passed > 0 && tries <= 1, nil
}

// Confirmed stores, shrinks and shows a finding that Confirm has confirmed and that is
// this process's to show.
func (h *Handler) Confirmed(f *Finding) {
	h.Prop.TB.Helper()
	if !f.Flaky {
		h.save(f)
		h.ShrinkIsolated(f)
	}
	h.Report(*f)
}

// ByChance deals with an input that fails by an ordinary failure where it passed on one
// processor.
func (h *Handler) ByChance(f *Finding) {
	h.Prop.TB.Helper()
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

const (
	// shrinkTime bounds shrinking where every failure costs a process.
	shrinkTime = time.Minute
	// hangShare is how much shorter the timeout of a run is while a hang is shrunk; what
	// comes of it is then waited for as long as the first.
	hangShare = 10
	hangMin   = 300 * time.Millisecond
	// triesShare is how much less often a term is tried that may pass by chance.
	triesShare = 5
)

// ShrinkIsolated shrinks a finding that ends its process.
func (h *Handler) ShrinkIsolated(f *Finding) {
	r := isolated.New(h.Prop, max(1, max(1, f.Tries)/triesShare))
	defer r.Close()
	if f.Outcome.Death != nil && f.Outcome.Death.Kind == proc.Hang {
		r.SetTimeout(max(r.Timeout()/hangShare, hangMin))
	}
	end := time.Now().Add(shrinkTime)
	s := h.minimise(f, r, func() bool { return r.Err != nil || h.Prop.Stopped() || time.Now().After(end) })
	r.Close()
	again := isolated.New(h.Prop, f.Tries)
	defer again.Close()
	if last := again.One(s.term, true); again.Err == nil && last.Failed() && Sign(last) == Sign(s.outcome) {
		s.outcome = last
		h.replace(f, s)
	}
}
