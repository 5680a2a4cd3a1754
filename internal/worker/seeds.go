//go:build go1.25

package worker

import (
	"fmt"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
)

// trySeeds runs the seeds: examples and stored cases. It returns false if there
// is to be no search because a seed failed. The failure has been reported by then.
func (s *searcher) trySeeds(seeds []property.Seed) bool {
	s.prop.TB.Helper()
	var idle []property.Idle
	for _, x := range seeds {
		o := x.Explain(s.trySeed(x))
		switch o.Verdict {
		case engine.Passed:
			if !x.ByFields() {
				s.engine.Pass(x.Term)
			}
			s.tally.Seed(x, s.engine.IsRich(x.Prop.World.Cells(x.Term)))
		case engine.Discarded:
			s.tally.LostSeed(x)
			if by := s.prop.DiscardedBy(o); x.File != "" && !x.Saved {
				idle = append(idle, property.Idle{File: x.File, By: by})
			} else {
				s.prop.Logf("%s was discarded by %s", x.From, by)
			}
		case engine.Failed:
			if !s.handler.Seed(x, o) {
				return false
			}
		}
		if s.prop.TB.Failed() {
			return false
		}
	}
	return (len(idle) == 0 || property.Warn(s.prop, property.IdleText(idle))) && s.tryBorrowed()
}

// tryBorrowed runs stored cases of other properties. It returns false if one fails, which has been
// reported by then.
func (s *searcher) tryBorrowed() bool {
	s.prop.TB.Helper()
	for _, x := range property.Borrowed(s.prop) {
		var o property.Outcome
		if x.Runs.Isolated {
			o = RunIsolated(s.prop, x)
		} else {
			o = x.Prop.Runner.One(x.Term, true)
		}
		if o.Failed() && !s.handler.Seed(x, o) || s.prop.TB.Failed() {
			return false
		}
	}
	return true
}

// trySeed runs a seed and passes it to the engine, which starts the search from it. A case
// that is made by fields is not an input of the search: the builders of the property may be
// unable to make it, so no other input is derived from it.
func (s *searcher) trySeed(x property.Seed) property.Outcome {
	s.prop.TB.Helper()
	if x.Runs.Isolated {
		return RunIsolated(s.prop, x)
	}
	runner := s.runner
	if x.ByFields() {
		runner = x.Prop.Runner // the slot cannot hold the term
	}
	o := runner.One(x.Term, true)
	if o.Hung {
		return o
	}
	var run trace.Run
	if s.watch != nil {
		run = s.watch.End(o.Verdict == engine.Passed)
	}
	if !x.ByFields() {
		s.engine.Seed(x.Term, o.Verdict, run)
		s.faults.given(x.Term, o, run)
	}
	return o
}

// resume runs the saved inputs of earlier processes, and the search continues from them.
// It returns false if one of them fails now and the search is to stop. The failure has been
// reported by then.
//
// All saved inputs are run, even if the same binary has run them before, because the
// search learns only from runs.
func (s *searcher) resume() bool {
	s.prop.TB.Helper()
	k := s.keeper
	if k == nil {
		return true
	}
	defer k.replay()()
	for _, e := range k.before.Entries {
		if s.super.slot.Paused() {
			s.super.rest()
		}
		if s.engine.Over() || s.super.slot.Stopped() {
			break
		}
		x, ok := s.prop.ParseKept(e.Input)
		if !ok {
			k.unfit++
			continue
		}
		o := s.runner.One(x, false)
		if o.Failed() {
			if s.handler.Ledger.PassOver(finding.Sign(o)) {
				continue
			}
			s.watch.Failed(s.watch.Again())
			if !s.handler.Deal(s.handler.New(x, o, finding.History{From: fromCorpus(e)})) {
				return false
			}
			continue
		}
		run := s.watch.End(o.Verdict == engine.Passed)
		s.engine.Resume(x, o.Verdict, run)
		s.faults.given(x, o, run)
		k.again(s.super.slot)
		k.renew(e, o, run)
	}
	for _, note := range k.unfitNote() {
		s.prop.Logf("note: %s", note)
	}
	return true
}

// fromCorpus returns the origin that is printed for a finding that was a saved input.
func fromCorpus(e corpus.Entry) string {
	then := "was discarded"
	if e.Verdict == event.Passed || e.Verdict == event.Failed {
		then = string(e.Verdict)
	}
	return fmt.Sprintf("the saved corpus (run %s, when it %s)", words.Group(e.Run), then)
}
