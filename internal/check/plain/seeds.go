//go:build go1.25

package plain

import (
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
)

// TrySeeds runs the seeds, which are examples and stored cases, and then the stored cases of other properties
// with the same inputs. It reports whether to search: not after a failure, unless the search keeps going, nor if
// the test has failed in another way. The reason has been printed by then.
func (s *Search) TrySeeds(seeds []property.Seed) (search bool) {
	s.Prop.TB.Helper()
	var idle []property.Idle
	for _, x := range seeds {
		o := x.Explain(s.trySeed(x))
		switch o.Verdict {
		case engine.Passed:
			if !x.ByFields() {
				s.Engine.Pass(x.Term)
			}
			s.Tally.Seed(x, s.Engine.Inputs.IsRich(x.Prop.World.Cells(x.Term)))
		case engine.Discarded:
			s.Tally.LostSeed(x, o)
			if by := s.Prop.DiscardedBy(o); o.Rejected.Known.Issue != "" {
				s.Prop.Logf("%s: %s", x.From, by)
			} else if x.File != "" && !x.Saved {
				idle = append(idle, property.Idle{File: x.File, By: by})
			} else {
				s.Prop.Logf("%s was discarded by %s", x.From, by)
			}
		case engine.Failed:
			if !s.Handler.Seed(x, o) {
				return false
			}
		}
		if s.Prop.TB.Failed() {
			return false
		}
	}
	return (len(idle) == 0 || property.Warn(s.Prop, property.IdleText(idle))) && s.tryBorrowed()
}

// tryBorrowed runs stored cases of other properties. The engine does not get them, and they are not counted. It
// reports whether to search, as TrySeeds does.
func (s *Search) tryBorrowed() (search bool) {
	s.Prop.TB.Helper()
	for _, x := range property.Borrowed(s.Prop) {
		var o property.Outcome
		if x.Runs.Isolated {
			o = RunIsolated(s.Prop, x)
		} else {
			o = x.Prop.Runner.One(x.Term, true)
		}
		if o.Failed() && !s.Handler.Seed(x, o) || s.Prop.TB.Failed() {
			return false
		}
	}
	return true
}

// trySeed runs a seed. The engine gets it, and starts the search from it, with three exceptions: a run in a process
// of its own has no path here, a run that hangs has none yet, and a case that is made by fields is not an input of
// the search, because the builders of the property may be unable to make it.
func (s *Search) trySeed(x property.Seed) property.Outcome {
	s.Prop.TB.Helper()
	if x.Runs.Isolated {
		return RunIsolated(s.Prop, x)
	}
	runner := s.Runner
	if x.ByFields() {
		runner = x.Prop.Runner // the slot cannot hold the term
	}
	o := runner.One(x.Term, true)
	if o.Hung {
		return o
	}
	var run trace.Run
	if s.Watch != nil {
		run = s.Watch.End(o.Verdict == engine.Passed)
	}
	if !x.ByFields() {
		s.Engine.Seed(x.Term, o.Verdict, run)
		s.kind.Given(x.Term, o, run)
	}
	return o
}
