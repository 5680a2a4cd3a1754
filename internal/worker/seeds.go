package worker

import (
	"fmt"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
)

// trySeeds runs the seeds. It reports false if there is to be no search, because one
// failed, which it has shown by then.
func (s *searcher) trySeeds(seeds []property.Seed) bool {
	s.prop.TB.Helper()
	for _, x := range seeds {
		o := s.trySeed(x)
		switch o.Verdict {
		case engine.Passed:
			rich := s.engine.Rich
			s.engine.Pass(x.Term)
			s.tally.Seed(x, s.engine.Rich > rich || !s.engine.CanBeRich())
		case engine.Discarded:
			s.tally.LostSeed(x)
			s.prop.Say("%s was discarded by %s", x.From, s.prop.DiscardedBy(o))
		case engine.Failed:
			if !s.handler.Seed(x, o) {
				return false
			}
		}
		if s.prop.TB.Failed() {
			return false
		}
	}
	return true
}

// trySeed runs a seed, and has the search begin with it.
func (s *searcher) trySeed(x property.Seed) property.Outcome {
	s.prop.TB.Helper()
	if x.Runs.Isolated {
		return RunIsolated(s.prop, x)
	}
	o := s.runner.One(x.Term, true)
	if !o.Hung {
		var run trace.Run
		if s.watch != nil {
			run = s.watch.End(o.Verdict == engine.Passed)
		}
		s.engine.Seed(x.Term, o.Verdict, run)
	}
	return o
}

// resume runs what was kept before, and the search goes on with it. It reports
// false if it does not: one fails now, which it has shown by then.
//
// All of it is run, also if the same binary has run it before: what the search
// knows is made of what runs show.
func (s *searcher) resume() bool {
	s.prop.TB.Helper()
	k := s.keeper
	if k == nil {
		return true
	}
	k.resuming = true
	defer func() { k.resuming = false }()
	for _, e := range k.before.Entries {
		if s.super.slot.Paused() {
			s.super.rest()
		}
		if s.engine.Over() || s.super.slot.Stopped() {
			break
		}
		x, ok := s.prop.ParseKept(e.Input)
		if !ok {
			continue
		}
		o := s.runner.One(x, false)
		if o.Failed() {
			if s.handler.Ledger.PassOver(finding.Sign(o)) {
				continue
			}
			s.watch.Failed(s.watch.Again())
			from := fmt.Sprintf("an input that was kept in run %s; then it was %s", words.Group(e.Run), e.Verdict)
			if !s.handler.Deal(s.handler.New(x, o, finding.History{From: from})) {
				return false
			}
			continue
		}
		run := s.watch.End(o.Verdict == engine.Passed)
		k.resumed++
		s.engine.Resume(x, o.Verdict, run)
		k.renew(e, o, run)
	}
	return true
}
