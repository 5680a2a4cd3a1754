package worker

import (
	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/term"
)

// The search runs on one processor, where goroutines take turns and hardly ever get
// into each other's way. So inputs that were kept and start goroutines are run
// again in a program without probes, on several processors, many times each.

// fromMulticore is where such findings come from.
const fromMulticore = "an input that was kept, run again on several processors"

// multicore runs what was kept again. What ends the process is looked into by another
// one, as in a search.
func multicore(p *property.Property, s *supervisor) {
	p.TB.Helper()
	h := handler(p, nil, s)
	defer h.Flush()
	e := event.Event{Kind: event.Repeated, Property: p.Name, Verdict: event.Passed}
	defer func() {
		e.Text = h.Said()
		if p.Emit(e); e.Sign != "" {
			h.Ledger.Shown(e.Sign)
		}
	}()
	kept, err := corpus.Read(p.Job.Corpus)
	if err != nil {
		p.TB.Errorf("allele: what was kept cannot be read: %v", err)
		return
	}
	for _, k := range kept.Entries {
		x, ok := p.ParseKept(k.Input)
		if !k.Spawned || !ok {
			continue
		}
		e.Resumed++
		f, runs := repeatUntilNew(h, s, x)
		if e.Runs += runs; f != nil {
			e.Sign, e.Verdict = f.Sign, event.Failed
			if h.ByChance(f); f.Flaky {
				e.Verdict = event.Unstable
			}
		}
		if f != nil || s.slot.Stopped() {
			return
		}
	}
}

// repeatUntilNew runs a term until it fails in a way that nobody has shown, or often.
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
			break // somebody has shown it
		}
		f := h.New(x, o, finding.History{From: fromMulticore})
		f.Tries, f.Sign = tries, sign
		return &f, runs
	}
	return nil, runs
}
