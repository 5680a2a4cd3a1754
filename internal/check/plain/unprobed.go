//go:build go1.25

package plain

import (
	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// unprobed is the search in plain go test: the program has no probes, and nobody watches the process.
type unprobed struct {
	Search
	entry  *proc.Entry // of the journal, which the next process reads if this one dies; may be nil
	symbol [1]uint32
}

// search runs a whole search: stored cases first, then new inputs.
func search(p *property.Property) {
	p.TB.Helper()
	entry := enter(p)
	defer entry.Leave()
	if entry != nil {
		p.Runner = recorded{p.Runner, entry}
	}
	s := &unprobed{entry: entry}
	s.Init(p, s, finding.NewHandler(p))
	s.Runner, s.Engine = s.Handler.Runner, engine.New(EngineConfig(p))
	defer s.Handler.Flush()
	s.Handler.GoOn()
	seeds, end, ok := s.Begin(p.Config.Budget)
	if !ok {
		return
	}
	defer end()
	if (entry == nil || tryDied(p, s.Handler)) && s.TrySeeds(seeds) {
		s.All()
	}
}

// Series makes a series of runs. If a slow run has ended it, the run is noted, and there is another series.
func (s *unprobed) Series() (again bool) {
	s.Prop.TB.Helper()
	s.Prop.Runner.Many(s)
	text := s.slow.text
	if s.slow.text = ""; text != "" {
		property.Say(s.Prop, text)
	}
	return text != ""
}

// Given does nothing: without probes there is nothing to learn beside the verdict.
func (s *unprobed) Given(term.Term, property.Outcome, trace.Run) {}

// Excuses is false: Examine has decided before a slow run fails.
func (s *unprobed) Excuses(*Failure) bool { return false }

// Next returns the term of the next run.
func (s *unprobed) Next() (term.Term, bool) {
	x, ok := s.Engine.Next()
	if ok && s.Bounded() {
		x, ok = s.Skip(x)
	}
	switch {
	case !ok || s.entry == nil:
	case s.Engine.Current.Fresh():
		s.entry.Run(s.Engine.Started())
	default:
		s.entry.Begin(s.Engine.Started(), x.Memory())
	}
	return x, ok
}

// Done accounts for a run, and reports whether to go on. It is called after every run, so it
// must be fast.
func (s *unprobed) Done(r *property.Run) bool {
	switch r.Verdict {
	case engine.Failed:
		known := s.Handler.Ledger.PassOver(finding.Sign(*r.Failure))
		if s.Engine.Done(engine.Failed, trace.Run{}); !known {
			s.Fail(*r.Failure)
			return false
		}
	case engine.Discarded:
		s.Engine.Done(engine.Discarded, r.Reject.Trace(&s.symbol))
	default:
		s.Engine.Done(engine.Passed, trace.Run{})
	}
	s.Count(r)
	return s.Engine.Runs%AskEvery != 0 || s.Goes()
}

// Lost accounts for a run that was abandoned because it is slow, or that may never end.
func (s *unprobed) Lost(o property.Outcome) {
	if o.Slow {
		abandoned(s)
		return
	}
	s.Lose(o)
}
