//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// This file has what a search receives beside the outcomes of its runs: terms of the user, of earlier
// searches and of other searches, and terms that are to be favoured. First come the calls of Engine, then what
// a guided search does about them.

// Seed adds a term from the user, with the verdict and the trace of its run. A guided
// search starts from such terms. A search without guidance changes them if most fresh
// terms are discarded.
func (e *Engine) Seed(t term.Term, v Verdict, run trace.Run) {
	switch {
	case e.search == nil && v == Passed:
		r := rng.At(e.config.Seed, term.Hash(t))
		e.grower.keep(&r, t)
	case e.search != nil && e.search.start():
		e.search.seed(t, v, run)
	}
}

// Resume adds a term that an earlier search kept, with the verdict and the trace of its
// latest run. The term is kept again if this trace is new to this search.
func (e *Engine) Resume(t term.Term, v Verdict, run trace.Run) {
	if v == Passed {
		e.Replayed++
		e.Inputs.count(t)
		e.Inputs.weigh(t)
	}
	switch {
	case e.search == nil:
		e.Seed(t, v, run)
	case e.search.start():
		e.search.resume(t, v, run)
	}
}

// Share adds a term that another search keeps, with the verdict and the trace of its run
// there. From now on the trace counts as known, and this search tries random changes of
// the term. The systematic changes of the term are left to the other search.
func (e *Engine) Share(t term.Term, v Verdict, run trace.Run) {
	if e.search != nil && e.search.start() {
		e.search.with.share(t, v, run)
	}
}

// Visit adds a term that a search on another host keeps. It is one of the next terms to be run.
// After its run it is treated as by Share.
func (e *Engine) Visit(t term.Term) {
	if e.search != nil && e.search.start() {
		e.search.visit(t)
	}
}

// Kept returns the term of the last run, if the search keeps it.
func (e *Engine) Kept() Kept {
	if e.search == nil || e.search.by != nil {
		return Kept{}
	}
	return Kept{e.search.latest}
}

// Favour favours a term because it has killed faults. If k identifies no term, the term of
// the last run is kept first; run is the trace of that run. A search without a schedule ignores
// the call.
func (e *Engine) Favour(k Kept, kills int, run trace.Run) {
	if e.search != nil && e.search.start() {
		e.search.favour(k.k, kills, run)
	}
}

// FavourOther is Favour for a term that is not the term of the last run. given says that the
// term is from the user or from an earlier search.
func (e *Engine) FavourOther(t term.Term, kills int, given bool) {
	if e.search != nil && e.search.start() {
		e.search.favourOther(t, kills, given)
	}
}

// seed keeps a term that the user gave, even if it shows nothing new.
func (g *search) seed(t term.Term, v Verdict, run trace.Run) {
	n := g.look(t, v, run)
	if v == Failed {
		return
	}
	s := planted{term: t.Clone(), passed: v == Passed, length: len(run.Symbols), prio: n.prio}
	g.with.corpus.addSeed(s)
	g.log(g.plant(s, run), &g.now)
}

// resume keeps a term of an earlier search if its trace is new to this search.
func (g *search) resume(t term.Term, v Verdict, run trace.Run) {
	n := g.look(t, v, run)
	if v == Failed || !n.is {
		return
	}
	g.log(g.plant(planted{term: t, passed: v == Passed, length: len(run.Symbols), prio: n.prio, kept: true}, run), &g.now)
}

// look makes a given term the current one, and adds its run to the log.
func (g *search) look(t term.Term, v Verdict, run trace.Run) news {
	g.now.from, g.now.verdict = origin{how: howSeed}, v
	g.now.news = g.with.log.look(t, v, run)
	return g.now.news
}

// keepKiller keeps a term that passed and killed faults. It may be changed as often as a
// fresh term.
func (g *search) keepKiller(t term.Term, kills int, run trace.Run) *kept {
	g.renewal.boring = 0
	k := &kept{passed: true, chain: g.with.settings.Keep.Chain, length: len(run.Symbols), prio: len(t)}
	g.keep(t, k, run)
	g.log(k, &outcome{from: g.now.from, verdict: Passed, news: news{kills: kills}})
	return k
}

// favour favours a kept term because it has killed faults. If k is nil, the current term is kept first.
func (g *search) favour(k *kept, kills int, run trace.Run) {
	if k == nil {
		if g.by != nil {
			g.now.from = origin{}
		}
		k = g.keepKiller(g.now.term, kills, run)
	}
	g.with.favoured.add(k)
}

// favourOther is favour for a term that is not the current one.
func (g *search) favourOther(t term.Term, kills int, given bool) {
	if g.now.from = (origin{}); given {
		g.now.from.how = howSeed
	}
	g.with.favoured.add(g.keepKiller(t, kills, trace.Run{}))
}

// visit adds a term of another host, if the strategy takes such terms.
func (g *search) visit(t term.Term) {
	if v, ok := g.opener.made["visit"].(*visitors); ok {
		v.add(t)
	}
}
