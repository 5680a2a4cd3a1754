//go:build go1.25

package engine

import (
	"fmt"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// search is a search that follows a strategy. It asks the ways for terms as the schedule says, adds
// the runs to the log, keeps terms that showed something new, and tells the ways.
type search struct {
	with     *shared
	opener   planner // of opening; these ways learn from their own terms only
	planner  planner // of schedule
	opening  plan
	schedule plan // nil until it is needed: see start
	renewal  renewal
	inside   inside

	turn   turn
	now    outcome // of the current term; its verdict, run and news are set when the run is over
	by     way     // has made the current term, if it is a way of the opening
	latest *kept   // the term of the last run, if it was kept
}

func newSearch(c *Config, n *numbered) *search {
	g := &search{with: newShared(c, n)}
	g.opener, g.planner = newPlanner(g.with, openers), newPlanner(g.with, ways)
	g.opener.check(c.Strategy.Opening)
	g.opening = g.opener.plan(c.Strategy.Opening)
	if g.with.settings != nil {
		g.planner.check(g.with.settings.Schedule)
	}
	return g
}

// start makes the schedule if there is one. It reports whether there is one.
func (g *search) start() bool {
	if g.with.settings == nil {
		return false
	}
	if g.schedule == nil {
		g.with.start()
		g.schedule = g.planner.plan(g.with.settings.Schedule)
		g.renewal = newRenewal(g.with.settings.Renew)
	}
	return true
}

// next returns the next term to run, or nil if the search is over.
func (g *search) next(run uint64) term.Term {
	g.turn = turn{run, rng.At(g.with.config.Seed+1, run)}
	g.now.term, g.now.from, g.by = g.opening.ask(&g.turn)
	if g.now.term == nil && g.start() {
		g.now.term, g.now.from = g.scheduled()
	}
	return g.now.term
}

// scheduled returns the next term of the schedule. It skips terms that break a tag if there were too
// many of them.
func (g *search) scheduled() (term.Term, origin) {
	for range redraws {
		if g.renewal.startsOver() {
			g.startAgain()
		}
		if t, from, _ := g.schedule.ask(&g.turn); g.inside.admits(g.with.config.World, t) {
			return t, from
		}
	}
	t, from, _ := g.schedule[len(g.schedule)-1:].ask(&g.turn)
	return t, from
}

// visiting reports whether the current term is from another host.
func (g *search) visiting() bool {
	_, is := g.by.(*visitors)
	return is
}

// done processes the verdict and the trace of the run of the current term.
func (g *search) done(v Verdict, run trace.Run) {
	o := &g.now
	if v == Passed && run.Early {
		v = Discarded // the search is for inputs that the rest of the property tests
	}
	o.verdict, o.run = v, run
	if !g.visiting() { // a visitor does not belong to the burst
		g.with.progress.runs++
	}
	if v == Passed {
		g.with.progress.pass(o.term)
	}
	if g.by != nil {
		g.by.learn(o)
	} else {
		g.learn(o)
	}
	if v == Failed {
		g.with.journal().failed(o.term, o.from)
	}
}

// learn processes the run of a term of the schedule.
func (g *search) learn(o *outcome) {
	g.latest = nil
	g.with.log.add(o)
	g.with.counts.add(&o.from, o.verdict, o.news.is)
	g.with.changes.learn(o)
	for _, w := range g.planner.all {
		w.learn(o)
	}
	if g.renewal.learn(o) && !g.busy() {
		g.forget()
		if g.renewal.forgot() {
			g.with.changes.more()
		}
	}
	if o.news.is {
		g.consider(o)
	}
}

// busy reports whether a way still needs the log.
func (g *search) busy() bool {
	for _, w := range g.planner.all {
		if w.busy() {
			return true
		}
	}
	return false
}

// consider keeps a term with a new trace if it is worth changing.
func (g *search) consider(o *outcome) {
	chain := g.with.settings.Keep.Chain
	if o.from.parent != nil {
		chain = o.from.parent.chain - 1
	}
	if chain <= 0 || !g.worth(o) || !g.with.log.affords(o.news, o.run) {
		return
	}
	k := &kept{passed: o.passed(), chain: chain, length: len(o.run.Symbols), steps: stepsOf(o.run), prio: o.news.prio,
		edges: o.news.Edges > 0}
	k.source, _ = g.source()
	g.latest = g.keep(o.term, k, o.run)
	g.log(k, o)
}

// worth reports whether a term with a new trace is worth changing.
func (g *search) worth(o *outcome) bool {
	c, parent := &g.with.settings.Keep, o.from.parent
	switch {
	case o.run.Long:
		return false // changes of it take long too
	case o.passed() || o.verdict == Discarded && (c.Discarded || o.from.how == howFault):
		return true
	case o.verdict == Failed || parent == nil:
		return false
	}
	return parent.passed || c.Progress && len(o.run.Symbols) > parent.length
}

// keep adds a term to the corpus, and tells the ways.
func (g *search) keep(t term.Term, k *kept, run trace.Run) *kept {
	g.with.made(t, k)
	if !g.with.isRaw(k.term()) {
		g.with.remember(k, k.id)
	}
	for _, w := range g.planner.all {
		w.keep(k, run)
	}
	return k
}

func (g *search) log(k *kept, o *outcome) {
	g.with.journal().kept(k, o.from, o.verdict, g.with.log.why(o.news), o.news)
}

// forget empties the log, so that every trace counts as new again.
func (g *search) forget() {
	g.with.log.forget()
	g.with.changes.forget()
	for _, w := range g.planner.all {
		w.forget()
	}
}

// startAgain drops all kept terms except those that the user gave. It keeps the
// statistics about the settings for fresh terms.
func (g *search) startAgain() {
	for _, w := range g.planner.all {
		w.restart()
	}
	g.forget()
	g.with.corpus.clear()
	g.with.favoured.clear()
	g.with.stock.fragments = fragments{}
	g.latest, g.renewal.boring = nil, 0
	for _, s := range g.with.corpus.seeds {
		g.plant(s, trace.Run{})
	}
}

// plant keeps a term that was given.
func (g *search) plant(s planted, run trace.Run) *kept {
	k := &kept{passed: s.passed, given: true, chain: g.with.settings.Keep.Chain, length: s.length, prio: s.prio, edges: true}
	k.unasked = s.kept
	return g.keep(s.term, k, run)
}

// source returns what the bytes of the current term were made from: see Engine.Source.
//
//go:norace
func (g *search) source() (s *Source, changed bool) {
	if g.by != nil || g.schedule == nil {
		return nil, false
	}
	e, ok := g.planner.made["encoder"].(*encoder)
	if !ok {
		return nil, false
	}
	return e.sourceOf(g.now.term, g.now.from)
}

// origin describes in a few words where the current term comes from.
func (g *search) origin() string {
	f := &g.now.from
	switch {
	case g.visiting():
		return "a case from another host"
	case f.how == howMutant:
		return fmt.Sprintf("%s change of case %d", mutate.Names()[kindIndex(f.kind)], f.parent.id)
	case f.parent == nil:
		return hows[f.how]
	case f.parent.id == 0:
		return hows[f.how] + " of a case from another worker"
	}
	return fmt.Sprintf("%s of case %d", hows[f.how], f.parent.id)
}
