//go:build go1.25

package worker

import (
	"slices"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/dict"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/verdict"
)

// searcher searches for an input that fails: the engine chooses the next input, the runner
// runs it, and the searcher passes the trace of the run back to the engine. It is the
// runner's property.Source.
type searcher struct {
	prop    *property.Property
	runner  property.Runner // for single runs
	engine  *engine.Engine
	watch   *watch.Watcher // nil without probes
	super   *supervisor    // its slot is nil in plain go test
	handler *finding.Handler
	tally   *verdict.Tally
	keeper  *keeper // nil if there is no corpus
	helpers
	faults *faultGuide // nil if the search is not guided by faults
	log    searchLog

	verdict event.Verdict
	known   bool // the last failing run failed in a known way
	series
	symbol [1]uint32
}

// helpers are the ends of connections to other processes of the program.
type helpers struct {
	operands *operands // nil if there is no operand binary
	forge    *forge    // nil if the property has no encoder

	entry *proc.Entry // of the journal, which the next process reads if this one dies; nil under the allele command
}

// series is what a searcher knows about a series of runs, and about the series before it.
type series struct {
	outside bool     // the enclosing test had failed before the series began
	found   *failure // the failure that ended the series
	slow    slowRuns // of all series
}

// failure is a run that failed.
type failure struct {
	outcome property.Outcome
	term    term.Term
	lost    bool           // the run was abandoned
	source  *engine.Source // of given bytes
	changed bool           // the bytes were changed after they were made
}

// search runs a whole search: stored cases first, then the corpus, then new inputs.
func search(p *property.Property, w *watch.Watcher, super *supervisor) {
	p.TB.Helper()
	newSearcher(p, w, super).search()
}

// searchPlain runs a whole search in plain go test.
func searchPlain(p *property.Property) {
	p.TB.Helper()
	entry := enter(p)
	defer entry.Leave()
	if entry != nil {
		p.Runner = recorded{p.Runner, entry}
	}
	s := newSearcher(p, nil, nil)
	s.entry = entry
	s.search()
}

func (s *searcher) search() {
	p := s.prop
	p.TB.Helper()
	defer s.handler.Flush()
	s.handler.GoOn()
	s.verdict = event.Failed
	defer s.finish()
	budget := p.Config.Budget
	if s.super.slot != nil {
		budget = 0 // the command stops the search through the slot
	}
	if !p.Limit(p.TB, budget, s.engine.Stop) {
		return
	}
	defer p.Unlimit()
	if left, ok := p.Left(); ok {
		p.Pace.Bound(left)
	}
	seeds, ok := p.Seeds()
	if !ok || s.entry != nil && !tryDied(p, s.handler) || !s.trySeeds(seeds) || !s.resume() {
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
	conf.Strategy, conf.Saturate = strategy(p.Job), p.Job.Search.Default
	if conf.Strategy != nil {
		literals := operand.NewLiterals(hook.Literals)
		conf.Literals, conf.Words = literals.Of, slices.Concat(dictionary(p), literals.Words())
		if s.operands = askOperands(p, super); s.operands != nil {
			conf.Compare = s.operands.of
		}
		if s.forge = newForge(p); s.forge != nil {
			conf.Forger = s.forge
		}
	}
	s.keeper = s.openKeeper(&conf)
	if conf.Strategy != nil && (s.log.file != "" || s.keeper != nil) {
		conf.Log = s.logged
	}
	s.slow.bounds = slowBounds(p)
	s.handler.Keep = keepUnsaved(p)
	s.engine = engine.New(conf)
	s.faults = newFaultGuide(s)
	proc.SetEarlier(s.super.slot, s.keeper.earlier())
	return s
}

// dictionary returns the words that the user gave the search. They come before the words of
// the program.
func dictionary(p *property.Property) []string {
	file := p.Job.Search.Dict
	if file == "" {
		return nil
	}
	words, err := dict.Read(file)
	if err != nil {
		p.TB.Errorf("allele: cannot read the dictionary: %v", err) // it has changed since the command checked it
	}
	return words
}

// engineConfig returns the configuration that all searches of a property share.
func engineConfig(p *property.Property) engine.Config {
	c := p.Config
	return engine.Config{World: p.World, Seed: c.Seed, Size: c.Size, Tests: c.Tests, Runs: c.Runs}
}

// strategy returns the search strategy for a program with probes, and nil for a program
// without.
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

// all searches until an input fails. With -keep-going it searches until the engine has no
// more inputs.
func (s *searcher) all() {
	t := s.prop.TB
	t.Helper()
	before := t.Failed()
	for {
		f := s.next()
		if f == nil {
			break
		}
		if slowSteps(s, f) {
			continue
		}
		found := s.handler.New(f.term, f.outcome, s.history(f))
		found.History.Source = s.forge.source(f)
		if !s.handler.Deal(found) {
			return
		}
	}
	_, any := s.handler.Ledger.Verdict()
	switch {
	case t.Failed() && !before:
		t.Error(property.OuterExit(t) + ", so that the input is shown and shrunk")
	case !any:
		s.verdict = s.check().Judge()
	}
}

func (s *searcher) check() verdict.Check {
	return verdict.Check{Prop: s.prop, Engine: s.engine, Tally: s.tally, Varied: s.watch.Varied(), Slow: s.slow.ended()}
}

// history returns where the input of a failure came from.
func (s *searcher) history(f *failure) finding.History {
	h := finding.History{Run: s.engine.Started(), Earlier: s.keeper.earlier()}
	if f.outcome.Hung {
		return h // the run is still going; reading the counts now would be a data race
	}
	h.Passed, h.Discarded, h.Rejects = s.engine.Passed-s.tally.Seeded(), s.engine.Discarded, s.tally.Rejects(s.prop)
	if s.watch != nil {
		h.Origin = s.engine.Origin()
	}
	return h
}

// next runs terms until one fails in a way that is not in the ledger, or until the engine
// has no more terms.
func (s *searcher) next() *failure {
	s.prop.TB.Helper()
	if s.forge != nil {
		property.Made = s.forge.made(s.engine)
		defer func() { property.Made = nil }()
	}
	for {
		s.found, s.outside = nil, s.prop.TB.Failed()
		s.prop.Runner.Many(s)
		f := s.found
		if text := s.slow.text; text != "" {
			s.slow.text = ""
			property.Say(s.prop, text)
			continue
		}
		if f == nil || !f.lost || f.outcome.Hung || !s.handler.Ledger.PassOver(finding.Sign(f.outcome)) {
			return f
		}
	}
}

// Next returns the term of the next run.
func (s *searcher) Next() (term.Term, bool) {
	x, ok := s.engine.Next()
	for ok && len(s.slow.bounds) > 0 && s.slow.leaveOut(s.prop.World, x) {
		s.engine.LeaveOut()
		x, ok = s.engine.Next()
	}
	switch {
	case !ok:
	case s.watch != nil:
		s.super.slot.Start(s.engine.Started())
		s.super.slot.Begin(x.Memory())
	case s.entry == nil:
	case s.engine.Fresh():
		s.entry.Run(s.engine.Started())
	default:
		s.entry.Begin(s.engine.Started(), x.Memory())
	}
	return x, ok
}

// Done accounts for a run, and reports whether to go on. It is called after every run, so it
// must be fast.
func (s *searcher) Done(r *property.Run) bool {
	switch {
	case r.Verdict == engine.Failed:
		if !s.failed(*r.Failure) {
			return false
		}
	case s.watch != nil:
		run := s.end(r.Verdict == engine.Passed)
		s.engine.Done(r.Verdict, run)
		if s.faults != nil {
			s.faults.after(r, run)
		}
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
	return s.engine.Runs%askEvery != 0 || (s.outside || !s.prop.TB.Failed()) && !s.alike()
}

// alike reports whether all runs of a program have ended with the same error. Then more runs would be of no use.
func (s *searcher) alike() bool {
	return !s.prop.Settings.Vacuous && s.prop.Endings.Runs() >= outside.Least && s.prop.Endings.Vacuous(s.watch.Varied()) != ""
}

// end returns the trace of a run. A run that took more steps than the limit is marked, so
// that the search makes no more inputs like that, unless most runs of the property are long.
func (s *searcher) end(passed bool) trace.Run {
	run := s.watch.End(passed)
	run.Long = run.Long && 2*s.watch.Longs() <= s.engine.Runs
	return run
}

// After every askEvery runs, Done checks whether the property has failed the enclosing test
// by mistake, and whether its runs check anything. A check after every run would take a tenth of the time of the run.
const askEvery = 64

// failed accounts for a run that failed. A known failure is only counted, and the series
// goes on.
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
		s.found.source, s.found.changed = s.engine.Source()
		if s.super.slot != nil {
			s.endRun(s.super.slot)
		}
	}
	return s.known
}

// Lost accounts for a run that was abandoned, or that may never end.
func (s *searcher) Lost(o property.Outcome) {
	if o.Slow {
		abandoned(s)
		return
	}
	s.found = &failure{outcome: o, term: s.engine.Lost(), lost: true}
	s.found.source, s.found.changed = s.engine.Source()
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

// After every lookEvery runs, endRun checks the clock and the parent process.
const lookEvery = 1 << 10

// endRun notes in the slot that a run is over, and carries out the requests that the
// supervisor has written there.
func (s *searcher) endRun(slot *proc.Slot) {
	n := s.engine.Counts
	features, kept := s.engine.Learnt()
	slot.End(proc.Seen{Passed: n.Passed, Discarded: n.Discarded, Paths: s.watch.Paths(), Features: features, Kept: kept,
		Distinct: n.Distinct, Replayed: s.keeper.replayed()})
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
			s.engine.Stop() // no process waits for the result any more
		}
	}
}

// spare reports whether this worker is not needed. If the type has so few values that all
// inputs are tried one by one, the first worker does that alone. In all other workers, spare
// waits until the worker is stopped.
func (s *searcher) spare() bool {
	if !s.engine.Whole() || s.prop.Job.Search.Worker == 0 {
		return false
	}
	s.verdict = event.Aborted
	s.super.waitForStop()
	return true
}
