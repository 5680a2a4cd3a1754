//go:build go1.25

// Package engine decides which term (input) is run next, and when the search ends.
//
// The engine runs nothing itself. Its caller requests a term, runs the property on
// it, and reports the outcome:
//
//	for {
//		t, ok := e.Next()
//		if !ok {
//			break
//		}
//		e.Done(run(t)) // a verdict and a trace
//	}
//
// The caller requests terms, rather than passing a function to the engine, because a run
// may end its goroutine. In this way, no state of the engine is on the stack of that
// goroutine.
//
// # Ways, a log and a schedule
//
// A search that is guided by the traces of runs (the branches that they took) has several ways to make the
// next term. Each way is a type in a file of its own, which proposes terms and learns from their runs. A
// schedule says which way is asked, and how often. A log says what was new in a run. A term whose run showed
// something new is kept, and the ways that change terms make more terms of it:
//
//	                  schedule (data of the Strategy)
//	                      |  which way?
//	   +---------+--------+-+---------+---------+---------+---------+
//	   v         v          v         v         v         v         v
//	encoder    climb     firsts     fresh    passed     havoc    batches     ways.go lists all ways
//	   |         |          |         |         |         |         |
//	   +---------+----------+----+----+---------+---------+---------+
//	                             v  a term and its origin
//	       Next --------------> run -----------> Done
//	                                               |  verdict, trace
//	                                               v
//	all ways <--learn-- outcome <--what is new?-- log
//	   ^                   |
//	   |                   v  worth keeping?
//	   +------keep------- kept term ----> corpus (random changes), stock (parts for other terms)
//
// The pieces, from the top down:
//
//	engine.go             Engine: Next, Done, and when the search ends
//	received.go           terms that the search has not made: of the user, of earlier and of other searches
//	search.go, plan.go    the loop above: a search asks its ways, keeps terms and tells the ways
//	ways.go               the table of ways; a new way is one file, one line here, and a name in a schedule
//	fresh.go, havoc.go... the ways: way.go says what a way is
//	shared.go             what the ways have in common: log, changes, stock, corpus
//	strategies.go         the strategies; a Strategy is data, not code
//	experiment.go         what an experiment adds: another notion of what is new, and ways of its own
//
// Before the ways of the schedule, those of the opening are asked: terms of other hosts, and plain terms,
// which are generated from the number of their run. All draws of a run come from one stream of random numbers,
// which depends on the seed and the number of the run, and ways draw in the order in which they are asked.
//
// A search without traces has no schedule. It runs plain terms (numbered.go), and if most of them are
// discarded, changes of those that passed (grow.go).
//
// The size of a term is counted in cells: roughly its tree nodes and list elements.
package engine

import (
	"sync/atomic"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Engine is a search in progress. Only one goroutine at a time may call its methods,
// except Stop and Started, and Lost of Current, which any goroutine may call.
type Engine struct {
	Counts
	Current Current // the term of the current run
	Inputs  Inputs  // the terms that passed

	config Config
	search *search // nil without a strategy
	grower grower  // for a search without a strategy
	stop   atomic.Bool
}

// New starts a search.
func New(c Config) *Engine {
	c.Size = max(1, c.Size)
	e := &Engine{config: c}
	n := &e.Current.numbered
	*n = newNumbered(&e.config)
	e.Inputs = newInputs(&e.config, &e.Counts, n)
	e.grower = grower{world: c.World, gen: n.gen, seed: c.Seed, most: n.gen.Bound(c.Size)}
	if n.all == 0 {
		e.Current.run.set(uintptr(max(0, c.First)))
		if c.Strategy != nil {
			e.search = newSearch(&e.config, n)
		}
	}
	return e
}

// Next returns the next term to run, or false if the search is over. The term is
// valid until the next call.
func (e *Engine) Next() (term.Term, bool) {
	if e.Over() {
		return nil, false
	}
	run := e.Current.begin()
	if e.search == nil {
		if t := e.grower.propose(run); t != nil {
			e.Current.own(t)
			return t, true
		}
		return e.Current.fresh(run), true
	}
	t := e.search.next(run)
	if t == nil {
		e.Stop()
		return nil, false
	}
	e.Current.own(t)
	return t, true
}

// Started returns how many runs were started. Any goroutine may call it.
func (e *Engine) Started() int { return int(e.Current.run.get()) }

// Done records how the run of the last term ended, and the trace of that run. Without a
// strategy, the trace of a discarded run is one symbol: the assumption that discarded the
// term.
func (e *Engine) Done(v Verdict, run trace.Run) {
	e.Runs++
	switch {
	case e.search != nil:
		e.search.done(v, run)
	case !e.Whole():
		e.grower.learn(e.Current.term, e.Current.Fresh(), v, run.Symbols)
	}
	switch v {
	case Passed:
		e.Pass(e.Current.term)
	case Discarded:
		e.Discarded++
	}
}

// Pass counts a term that passed. It is also called for terms that do not come from the
// search.
func (e *Engine) Pass(t term.Term) {
	e.Passed++
	e.Inputs.pass(t)
	picky := e.grower.picky()
	if e.Inputs.flat && !picky {
		return // the term has no cells (a number, say): inspecting it may cost more than running it
	}
	e.Inputs.weigh(t)
	if picky {
		r := rng.At(e.config.Seed, ^uint64(e.Runs))
		e.grower.keep(&r, t)
	}
}

// LeaveOut records that the last term is not run. It counts as a run, so a search that leaves
// out nearly all terms ends.
func (e *Engine) LeaveOut() {
	e.Counts.LeftOut++
	if e.search != nil {
		e.Done(Discarded, trace.Run{Long: true})
		return
	}
	e.Runs++
}

// Abandon records that the run of the last term was abandoned. The goroutine of that run may
// still read the term, so all later terms are in other memory. It is for searches without a strategy.
func (e *Engine) Abandon() {
	e.LeaveOut()
	n := &e.Current.numbered
	n.gen = n.generator()
	e.grower.abandon(n.gen)
	e.Current.grown.Store(nil)
}

// Origin describes in a few words where the term of the current run comes from.
func (e *Engine) Origin() string {
	if e.search == nil {
		return hows[howFresh]
	}
	return e.search.origin()
}

// Source returns what the bytes of the current term were made from, and whether the bytes
// were changed after that. It returns nil for a term that is an encoded value, and for bytes
// that no encoder has made. Any goroutine may call it during a run.
//
//go:norace
func (e *Engine) Source() (s *Source, changed bool) {
	if e.search == nil {
		return nil, false
	}
	return e.search.source()
}

// Report returns a summary of the search. It is empty if the search was not guided.
func (e *Engine) Report() Report {
	if e.search == nil || e.search.schedule == nil {
		return Report{}
	}
	return e.search.report()
}

// Learnt returns the maximum number of features that were known at any time, and how
// many terms were kept.
func (e *Engine) Learnt() (features, kept int) {
	if e.search == nil || e.search.schedule == nil {
		return 0, 0
	}
	return e.search.with.log.peak.features, e.search.with.counts.kept
}

// Over reports whether the search has ended.
func (e *Engine) Over() bool {
	c, whole := &e.config, e.Current.numbered.all
	switch {
	case e.stop.Load():
		return true
	case whole > 0:
		return uint64(e.Runs) >= whole
	case e.Runs%exhaustedEvery == 0 && e.Exhausted():
		return true
	}
	return e.Passed >= c.Tests && !e.same(c) || c.Runs > 0 && e.Runs >= c.Runs && !e.close(c)
}

// exhaustedEvery is the number of runs between two checks whether anything is left to
// try.
const exhaustedEvery = 1 << 10

// Stop ends the search after the current run. Any goroutine may call it.
func (e *Engine) Stop() { e.stop.Store(true) }

// Stopped reports whether Stop was called.
func (e *Engine) Stopped() bool { return e.stop.Load() }

// Whole reports whether the search tries every term of the input type, one by one.
func (e *Engine) Whole() bool { return e.Current.numbered.all > 0 }

// All reports whether every term of the input type has been tried.
func (e *Engine) All() bool {
	all := e.Current.numbered.all
	return all > 0 && uint64(e.Runs) >= all && e.LeftOut == 0
}

// A search gives up after many runs without anything new: as many as the type has terms, but
// at least barrenMin and at most barrenMax.
const (
	barrenMin = 1 << 17
	barrenMax = 1 << 22
	// saturatedMin takes the place of barrenMin if Config.Saturate is set.
	saturatedMin = 1 << 20
)

// Exhausted reports whether nothing is left to try. That is so if every term was run. It
// is also so if all of these hold: the type has finitely many terms, or Config.Saturate is
// set; every one-step change of every kept term was run; neither the second half of all runs
// nor the last N runs have shown anything new. N is the number of terms of the type, but at
// least barrenMin and at most barrenMax.
func (e *Engine) Exhausted() bool {
	if e.All() {
		return true
	}
	count := e.config.World.Root.Count
	finite := count < schema.Unbounded
	if e.search == nil || e.search.schedule == nil || !finite && !e.config.Saturate {
		return false
	}
	n := barrenMin
	switch {
	case finite:
		n = max(n, min(int(count), barrenMax))
	case e.config.Saturate:
		n = saturatedMin
	}
	s := e.search.with
	return s.log.peak.emptied && s.counts.overflown == 0 && s.log.peak.barren >= max(n, e.Runs/2)
}
