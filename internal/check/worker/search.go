//go:build go1.25

package worker

import (
	"encoding/json"
	"slices"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/store/dict"
	"github.com/allele-go/allele/internal/value/term"
)

// searcher is the search for the command. In addition to a search in plain go test it learns from the
// trace of each run, saves inputs to a corpus, and obeys the process that supervises it.
type searcher struct {
	plain.Search
	super  *supervisor
	keeper *keeper // nil if there is no corpus
	helpers
	faults *faultGuide // nil if the search is not guided by faults
	log    searchLog
	known  bool // the last failing run failed in a known way
}

// helpers are the ends of connections to other processes of the program.
type helpers struct {
	operands *operands // nil if there is no operand binary
	forge    *forge    // nil if the property has no encoder
}

// search runs a whole search: stored cases first, then the corpus, then new inputs.
func search(p *property.Property, w *watch.Watcher, super *supervisor) {
	p.TB.Helper()
	s := newSearcher(p, w, super)
	defer s.Handler.Flush()
	s.Handler.GoOn()
	defer s.finish()
	budget := p.Config.Budget
	if s.super.slot != nil {
		budget = 0 // the command stops the search through the slot
	}
	seeds, end, ok := s.Begin(budget)
	if !ok {
		return
	}
	defer end()
	if s.TrySeeds(seeds) && s.resume() && !s.spare() {
		s.All()
	}
}

func newSearcher(p *property.Property, w *watch.Watcher, super *supervisor) *searcher {
	s := &searcher{super: super}
	s.Init(p, s, handler(p, w, super))
	s.Watch, s.Runner, s.log.file = w, s.Handler.Runner, p.Job.Search.Log
	conf := plain.EngineConfig(p)
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
	conf.First = p.Job.Search.Past.First()
	s.keeper = s.openKeeper(&conf)
	if conf.Strategy != nil && (s.log.file != "" || s.keeper != nil) {
		conf.Log = s.logged
	}
	s.Bound(slowBounds(p)...)
	s.Handler.Keep = keepUnsaved(p)
	s.Engine = engine.New(conf)
	s.faults = newFaultGuide(s)
	proc.SetSearch(s.super.slot, p.Config.Seed, earlier(s))
	return s
}

// earlier returns how many of the runs that the engine counts were made by earlier searches. If it tries all values
// of a type one by one, it starts over each time.
func earlier(s *searcher) int {
	if s.Engine.Whole() {
		return 0
	}
	return max(0, s.Prop.Job.Search.Past.Searches)
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

// strategy returns the search strategy for a program with probes, and nil for a program
// without.
func strategy(j *job.Job) *engine.Strategy {
	if j.Mode != job.Search || j.Search.Strategy == job.Random {
		return nil
	}
	s := engine.Guided()
	if x := j.Search.Experiment; x != nil && x.Strategy != nil {
		s = engine.Strategy{}
		if err := json.Unmarshal(x.Strategy, &s); err != nil {
			panic("allele: the strategy of the experiment: " + err.Error())
		}
	}
	return &s
}

// Series makes a series of runs. During it, an encoder can ask what the current input was made of.
func (s *searcher) Series() (again bool) {
	s.Prop.TB.Helper()
	if s.forge != nil {
		property.Made = s.forge.made(s.Engine)
		defer func() { property.Made = nil }()
	}
	s.Prop.Runner.Many(s)
	return false
}

// Given tries faults on a seed.
func (s *searcher) Given(x term.Term, o property.Outcome, run trace.Run) { s.faults.given(x, o, run) }

// Excuses reports whether a run that took too many steps is slow.
func (s *searcher) Excuses(f *plain.Failure) bool { return slowSteps(s, f) }

// History returns where the input of a failure came from.
func (s *searcher) History(f *plain.Failure) finding.History {
	h := s.Search.History(f)
	h.Earlier, h.Source = earlier(s), s.forge.source(f)
	if !f.Outcome.Hung {
		h.Origin = s.Engine.Origin()
	}
	return h
}

// Next returns the term of the next run.
func (s *searcher) Next() (term.Term, bool) {
	x, ok := s.Engine.Next()
	if ok && s.Bounded() {
		x, ok = s.Skip(x)
	}
	if ok {
		s.super.slot.Start(s.Engine.Started())
		s.super.slot.Begin(x.Memory())
	}
	return x, ok
}

// Done accounts for a run, and reports whether to go on. It is called after every run, so it
// must be fast.
func (s *searcher) Done(r *property.Run) bool {
	if r.Verdict == engine.Failed {
		if !s.failed(*r.Failure) {
			return false
		}
	} else {
		run := s.end(r.Verdict == engine.Passed)
		s.Engine.Done(r.Verdict, run)
		if s.faults != nil {
			s.faults.after(r, run)
		}
	}
	if s.super.slot != nil {
		s.endRun(s.super.slot)
	}
	s.Count(r)
	return s.Engine.Runs%plain.AskEvery != 0 || s.Goes()
}

// end returns the trace of a run. A run that took more steps than the limit is marked, so
// that the search makes no more inputs like that, unless most runs of the property are long.
func (s *searcher) end(passed bool) trace.Run {
	run := s.Watch.End(passed)
	run.Long = run.Long && 2*s.Watch.Longs() <= s.Engine.Runs
	return run
}

// failed accounts for a run that failed. A known failure is only counted, and the series
// goes on.
func (s *searcher) failed(o property.Outcome) (goOn bool) {
	sign := finding.Sign(o)
	s.known = s.Handler.Ledger.PassOver(sign)
	run := s.Watch.End(false)
	s.known = s.known && !s.Handler.Ledger.LooksAt(sign, run)
	if !s.known {
		s.Watch.Failed(watch.Went(run))
	}
	s.Engine.Done(engine.Failed, run)
	if !s.known {
		s.Fail(o)
		if s.super.slot != nil {
			s.endRun(s.super.slot)
		}
	}
	return s.known
}

// Lost accounts for a run that was abandoned, or that may never end.
func (s *searcher) Lost(o property.Outcome) {
	s.Lose(o)
	if o.Hung {
		return
	}
	run := s.Watch.End(false)
	s.Watch.Failed(watch.Went(run))
	s.Engine.Done(engine.Failed, run)
	if s.super.slot != nil {
		s.endRun(s.super.slot)
	}
}

// After every lookEvery runs, endRun checks the clock and the parent process.
const lookEvery = 1 << 10

// endRun notes in the slot that a run is over, and carries out the requests that the
// supervisor has written there.
func (s *searcher) endRun(slot *proc.Slot) {
	n := s.Engine.Counts
	features, kept := s.Engine.Learnt()
	slot.End(proc.Seen{Passed: n.Passed, Discarded: n.Discarded, Paths: s.Watch.Paths(), Features: features, Kept: kept,
		Distinct: n.Distinct, Replayed: s.keeper.replayed()})
	if slot.Paused() {
		s.super.rest()
	}
	if slot.Stopped() {
		s.Engine.Stop()
	}
	if s.keeper != nil && s.keeper.client.Waiting(slot.Messages()) {
		s.receive(slot.Messages())
	}
	if n.Runs%lookEvery == 0 {
		s.keeper.ran(false)
		if s.super.gone() {
			s.Engine.Stop() // no process waits for the result any more
		}
	}
}

// spare reports whether this worker is not needed. If the type has so few values that all
// inputs are tried one by one, the first worker does that alone. In all other workers, spare
// waits until the worker is stopped.
func (s *searcher) spare() bool {
	if !s.Engine.Whole() || s.Prop.Job.Search.Others.Worker == 0 {
		return false
	}
	s.Verdict = event.Aborted
	s.super.waitForStop()
	return true
}
