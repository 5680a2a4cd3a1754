//go:build go1.25

package plain

import (
	"time"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/check/verdict"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// Search searches for an input that fails: the engine chooses the next input, the runner runs it,
// and the result goes back to the engine. Its kind adds what is not the same in all searches.
type Search struct {
	Prop    *property.Property
	Runner  property.Runner // for single runs
	Engine  *engine.Engine
	Watch   *watch.Watcher // nil without probes
	Handler *finding.Handler
	Tally   *verdict.Tally
	Verdict event.Verdict
	Found   *Failure // the failure that ended the series

	kind    Kind
	outside bool     // the enclosing test had failed before the series began
	slow    slowRuns // of all series
}

// Kind is a kind of search. Its Source makes the runs of a series.
type Kind interface {
	property.Source
	// Series makes a series of runs. It reports whether to make another one at once.
	Series() (again bool)
	// Given is called after the run of a seed that the engine got.
	Given(x term.Term, o property.Outcome, run trace.Run)
	// Excuses reports whether a failure is none, because the run was only slow.
	Excuses(*Failure) bool
	// History returns where the input of a failure came from.
	History(*Failure) finding.History
}

// Failure is a run that failed.
type Failure struct {
	Outcome property.Outcome
	Term    term.Term
	Lost    bool           // the run was abandoned
	Source  *engine.Source // of given bytes
	Changed bool           // the bytes were changed after they were made
}

// Init prepares the search of a kind. The engine is made later.
func (s *Search) Init(p *property.Property, k Kind, h *finding.Handler) {
	s.Prop, s.kind, s.Handler, s.Tally, s.Verdict = p, k, h, verdict.NewTally(), event.Failed
}

// EngineConfig returns the configuration that all searches of a property share.
func EngineConfig(p *property.Property) engine.Config {
	c := p.Config
	return engine.Config{World: p.World, Seed: c.Seed, Size: c.Size, Tests: c.Tests, Runs: c.Runs}
}

// Begin limits the time of the search, and returns the seeds. If ok is true, call end when the
// search is over.
func (s *Search) Begin(budget time.Duration) (seeds []property.Seed, end func(), ok bool) {
	p := s.Prop
	p.TB.Helper()
	if !p.Limit(p.TB, budget, s.Engine.Stop) {
		return nil, nil, false
	}
	if left, ok := p.Left(); ok {
		p.Pace.Bound(left)
	}
	if seeds, ok = p.Seeds(); !ok {
		p.Unlimit()
	}
	return seeds, p.Unlimit, ok
}

// All searches until an input fails. With -keep-going it searches until the engine has no
// more inputs.
func (s *Search) All() {
	t := s.Prop.TB
	t.Helper()
	before := t.Failed()
	for {
		f := s.next()
		if f == nil {
			break
		}
		if s.kind.Excuses(f) {
			continue
		}
		if !s.Handler.Deal(s.Handler.New(f.Term, f.Outcome, s.kind.History(f))) {
			return
		}
	}
	_, any := s.Handler.Ledger.Verdict()
	switch {
	case t.Failed() && !before:
		t.Error(property.OuterExit(t) + ", so that the input is shown and shrunk")
	case !any:
		s.Verdict = s.Check().Judge()
	}
}

// Check returns what the verdict without a failure depends on.
func (s *Search) Check() verdict.Check {
	return verdict.Check{Prop: s.Prop, Engine: s.Engine, Tally: s.Tally, Varied: s.Watch.Varied(), Slow: s.slow.ended()}
}

// History returns where the input of a failure came from.
func (s *Search) History(f *Failure) finding.History {
	h := finding.History{Run: s.Engine.Started()}
	if f.Outcome.Hung {
		return h // the run is still going; reading the counts now would be a data race
	}
	h.Passed, h.Discarded, h.Rejects = s.Engine.Passed-s.Tally.Seeded(), s.Engine.Discarded, s.Tally.Rejects(s.Prop)
	return h
}

// next runs terms until one fails in a way that is not in the ledger, or until the engine
// has no more terms.
func (s *Search) next() *Failure {
	s.Prop.TB.Helper()
	for {
		s.Found, s.outside = nil, s.Prop.TB.Failed()
		if s.kind.Series() {
			continue
		}
		f := s.Found
		if f == nil || !f.Lost || f.Outcome.Hung || !s.Handler.Ledger.PassOver(finding.Sign(f.Outcome)) {
			return f
		}
	}
}

// Bounded reports whether some inputs are left out, because they would be slow.
func (s *Search) Bounded() bool { return len(s.slow.bounds) > 0 }

// Bound makes the search leave out inputs.
func (s *Search) Bound(b ...slow.Bound) { s.slow.bounds = append(s.slow.bounds, b...) }

// Skip returns the first term that is not left out: x, or a later one of the engine.
func (s *Search) Skip(x term.Term) (term.Term, bool) {
	ok := true
	for ok && s.slow.leaveOut(s.Prop.World, x) {
		s.Engine.LeaveOut()
		x, ok = s.Engine.Next()
	}
	return x, ok
}

// Fail notes a run that failed, which ends the series.
func (s *Search) Fail(o property.Outcome) {
	s.Found = &Failure{Outcome: o, Term: s.Engine.Current.Term().Clone()}
	s.Found.Source, s.Found.Changed = s.Engine.Source()
}

// Lose notes a run that was abandoned, or that may never end.
func (s *Search) Lose(o property.Outcome) {
	s.Found = &Failure{Outcome: o, Term: s.Engine.Current.Lost(), Lost: true}
	s.Found.Source, s.Found.Changed = s.Engine.Source()
}

// Count counts what a run that did not fail has shown.
func (s *Search) Count(r *property.Run) {
	if r.Verdict == engine.Discarded {
		s.Tally.Reject(r.Reject)
	} else if r.Labels != nil {
		s.Tally.Label(r.Labels)
	}
}

// After every AskEvery runs, Goes checks whether the property has failed the enclosing test
// by mistake, and whether its runs check anything. A check after every run would take a tenth of the time of the run.
const AskEvery = 64

// Goes reports whether the series goes on.
func (s *Search) Goes() bool { return (s.outside || !s.Prop.TB.Failed()) && !s.Alike() }

// Alike reports whether all runs of a program have ended with the same error. Then more runs would be of no use.
func (s *Search) Alike() bool {
	return !s.Prop.Settings.Vacuous && s.Prop.Endings.Runs() >= outside.Least && s.Prop.Endings.Vacuous(s.Watch.Varied()) != ""
}
