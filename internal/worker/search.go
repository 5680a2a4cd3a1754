package worker

import (
	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/verdict"
)

// searcher looks for an input that fails: the engine says which input is next, the
// runner runs it, and what it showed goes back to the engine. It is the Source of the
// runner.
type searcher struct {
	prop     *property.Property
	runner   property.Runner // for runs by themselves
	engine   *engine.Engine
	watch    *watch.Watcher // nil without probes
	super    *supervisor    // its slot is nil in plain go test
	handler  *finding.Handler
	tally    *verdict.Tally
	keeper   *keeper   // nil if nothing is kept
	operands *operands // nil if there are none
	log      searchLog

	verdict event.Verdict
	known   bool     // the run that failed last did so in a way that is known
	outside bool     // the test around had failed before
	found   *failure // that ended the last series of runs
	symbol  [1]uint32
}

// failure is a run that failed.
type failure struct {
	outcome property.Outcome
	term    term.Term
	lost    bool // the run was abandoned
}

// search goes through a search from beginning to end.
func search(p *property.Property, w *watch.Watcher, super *supervisor) {
	p.TB.Helper()
	s := newSearcher(p, w, super)
	defer s.handler.Flush()
	s.verdict = event.Failed
	defer s.finish()
	budget := p.Config.Budget
	if s.super.slot != nil {
		budget = 0 // the slot says when
	}
	if !p.Limit(p.TB, budget, s.engine.Stop) {
		return
	}
	defer p.Unlimit()
	seeds, ok := p.Seeds()
	if !ok || !s.trySeeds(seeds) || !s.resume() {
		return
	}
	if !s.spare() {
		s.all()
	}
}

func newSearcher(p *property.Property, w *watch.Watcher, super *supervisor) *searcher {
	if super == nil {
		super = &supervisor{}
	}
	s := &searcher{prop: p, watch: w, super: super, handler: handler(p, w, super), tally: verdict.NewTally()}
	s.log.file = p.Job.Search.Log
	s.runner = s.handler.Runner
	conf := engineConfig(p)
	conf.Strategy = strategy(p.Job)
	if conf.Strategy != nil {
		conf.Literals = operand.NewLiterals(hook.Literals).Of
		if s.operands = askOperands(p); s.operands != nil {
			conf.Compare = s.operands.of
		}
	}
	s.keeper = s.openKeeper(&conf)
	if conf.Strategy != nil && (s.log.file != "" || s.keeper != nil) {
		conf.Log = s.logged
	}
	s.engine = engine.New(conf)
	return s
}

// engineConfig is how a property is searched, as far as every search goes.
func engineConfig(p *property.Property) engine.Config {
	c := p.Config
	return engine.Config{World: p.World, Seed: c.Seed, Size: c.Size, Tests: c.Tests, Runs: c.Runs}
}

// strategy is how to search in a program that tells its paths, and nil in one
// that does not.
func strategy(j *job.Job) *engine.Strategy {
	if j.Mode != job.Search || j.Search.Strategy == "random" {
		return nil
	}
	s, ok := engine.Named(j.Search.Strategy)
	if !ok {
		s = engine.Guided()
	}
	return &s
}

// all searches until something failed or, if it is to go on then, as long as there is
// to search.
func (s *searcher) all() {
	t := s.prop.TB
	t.Helper()
	before := t.Failed()
	for {
		f := s.next()
		if f == nil {
			break
		}
		if !s.handler.Deal(s.handler.New(f.term, f.outcome, s.history(f))) {
			return
		}
	}
	_, any := s.handler.Ledger.Verdict()
	switch {
	case t.Failed() && !before:
		t.Error(property.OuterExit(t) + ", and the input will be shown and shrunk")
	case !any:
		s.verdict = verdict.Check{Prop: s.prop, Engine: s.engine, Tally: s.tally}.Judge()
	}
}

// history is where the input of a failure came from.
func (s *searcher) history(f *failure) finding.History {
	h := finding.History{Run: s.engine.Started()}
	if f.outcome.Hung {
		return h // the run goes on, and what it counts is not ours to read
	}
	h.Passed, h.Discarded, h.Rejects = s.engine.Passed-s.tally.Seeded(), s.engine.Discarded, s.tally.Rejects(s.prop)
	if s.watch != nil {
		h.Origin = s.engine.Origin()
	}
	return h
}

// next runs terms until one fails in a way that is not known, or enough passed.
func (s *searcher) next() *failure {
	for {
		s.found, s.outside = nil, s.prop.TB.Failed()
		s.prop.Runner.Many(s)
		f := s.found
		if f == nil || !f.lost || f.outcome.Hung || !s.handler.Ledger.PassOver(finding.Sign(f.outcome)) {
			return f
		}
	}
}

// Next is the term of the next run.
func (s *searcher) Next() (term.Term, bool) {
	x, ok := s.engine.Next()
	if ok && s.watch != nil {
		s.super.slot.Start(s.engine.Started())
		s.super.slot.Begin(x.Memory())
	}
	return x, ok
}

// Done accounts for a run, and reports whether to go on. It is called for every run.
func (s *searcher) Done(r *property.Run) bool {
	switch {
	case r.Verdict == engine.Failed:
		if !s.failed(*r.Failure) {
			return false
		}
	case s.watch != nil:
		s.engine.Done(r.Verdict, s.watch.End(r.Verdict == engine.Passed))
	case r.Verdict == engine.Discarded:
		s.engine.Done(engine.Discarded, r.Reject.Trace(&s.symbol))
	default:
		s.engine.Done(engine.Passed, trace.Run{})
	}
	if s.super.slot != nil {
		s.endRun(s.super.slot)
	}
	if r.Verdict == engine.Discarded {
		s.tally.Reject(r.Reject)
	} else if r.Labels != nil {
		s.tally.Label(r.Labels)
	}
	return s.engine.Runs%askEvery != 0 || s.outside || !s.prop.TB.Failed()
}

// askEvery is how many runs there are between looks at the test around the property,
// which that may fail by mistake. To ask after every run which one did would cost a tenth
// of it.
const askEvery = 64

// failed accounts for a run that failed. One that failed in a way that is known is only
// counted, and the series goes on.
func (s *searcher) failed(o property.Outcome) (goOn bool) {
	s.known = s.handler.Ledger.PassOver(finding.Sign(o))
	var run trace.Run
	if s.watch != nil {
		if run = s.watch.End(false); !s.known {
			s.watch.Failed(watch.Went(run))
		}
	}
	s.engine.Done(engine.Failed, run)
	if !s.known {
		s.found = &failure{outcome: o, term: s.engine.Term().Clone()}
		if s.super.slot != nil {
			s.endRun(s.super.slot)
		}
	}
	return s.known
}

// Lost accounts for a run that was abandoned, or that may never end.
func (s *searcher) Lost(o property.Outcome) {
	s.found = &failure{outcome: o, term: s.engine.Lost(), lost: true}
	if o.Hung {
		return
	}
	run := s.watch.End(false)
	s.watch.Failed(watch.Went(run))
	s.engine.Done(engine.Failed, run)
	if s.super.slot != nil {
		s.endRun(s.super.slot)
	}
}

// lookEvery is how many runs there are between looks at the clock and at who started
// this process.
const lookEvery = 1 << 10

// endRun notes that a run is over, for the supervisor, and does what that wants.
func (s *searcher) endRun(slot *proc.Slot) {
	n := s.engine.Counts
	features, kept := s.engine.Learnt()
	slot.End(proc.Seen{Passed: n.Passed, Discarded: n.Discarded, Paths: s.watch.Paths(), Features: features, Kept: kept})
	if slot.Paused() {
		s.super.rest()
	}
	if slot.Stopped() {
		s.engine.Stop()
	}
	if s.keeper != nil && s.keeper.client.Waiting(slot.Messages()) {
		s.receive(slot.Messages())
	}
	if n.Runs%lookEvery == 0 {
		s.keeper.ran(false)
		if s.super.gone() {
			s.engine.Stop() // nobody waits for it any more
		}
	}
}

// spare reports whether this is not the first of several workers and all inputs are
// tried one by one, which one worker does: then it has waited for that.
func (s *searcher) spare() bool {
	if !s.engine.Whole() || s.prop.Job.Search.Worker == 0 {
		return false
	}
	s.verdict = event.Aborted
	s.super.waitForStop()
	return true
}
