//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/term"
)

// The search runs on one core, where goroutines take turns and hardly ever interfere with
// each other. So saved inputs that start goroutines are run again on several cores, many
// times each, in a program without probes.

// fromMulticore is the origin that a report prints for an input that failed on several cores.
const fromMulticore = "the saved corpus, run again on several cores"

// multicore runs saved inputs again. An input that ends the process is confirmed by
// another process, as in a search.
func multicore(p *property.Property, s *supervisor) {
	p.TB.Helper()
	h := handler(p, nil, s)
	defer h.Flush()
	e := event.Repeated{Verdict: event.Passed}
	defer func() {
		e.Text = h.Reported()
		if p.Emit(e); e.Sign != "" {
			h.Ledger.Shown(e.Sign)
		}
	}()
	kept, err := corpus.Read(p.Job.Corpus)
	if err != nil {
		p.TB.Errorf("allele: cannot read the corpus: %v", err)
		return
	}
	for _, k := range kept.Entries {
		x, ok := p.ParseKept(k.Input)
		if !k.Spawned || !ok {
			continue
		}
		e.Inputs++
		f, runs := repeatUntilNew(h, s, x)
		if e.Runs += runs; f != nil {
			e.Sign, e.Verdict = f.Sign, event.Failed
			switch h.ByChance(f); {
			case h.Misused != "":
				e.Verdict, e.Why = event.Crashed, misused
			case f.Flaky:
				e.Verdict = event.Unstable
			}
		}
		if f != nil || s.slot.Stopped() {
			return
		}
	}
}

// repeatUntilNew runs a term until it fails, at most Tries times. It returns no finding if
// another process has reported the same failure.
func repeatUntilNew(h *finding.Handler, s *supervisor, x term.Term) (f *finding.Finding, runs int) {
	tries := h.Prop.Job.Repeat.Tries
	for runs < tries && !s.slot.Stopped() {
		runs++
		o := h.Runner.One(x, true)
		if !o.Failed() {
			continue
		}
		sign := finding.Sign(o)
		if !h.Ledger.Claim(sign) {
			break // another process has reported it
		}
		f := h.New(x, o, finding.History{From: fromMulticore})
		f.Tries, f.Sign = tries, sign
		return &f, runs
	}
	return nil, runs
}
