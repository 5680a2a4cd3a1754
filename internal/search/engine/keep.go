//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// kept is a term whose run showed something new.
type kept struct {
	id       int // counted from 1
	batch    mutate.Batch
	compared []operand.Compared // comparisons with parts of the term
	passed   bool
	counted  bool // all its mutants were run, and the report has counted it
	late     bool // all mutants but deferred ones were made
	unasked  bool // compared has not been requested yet: that happens before the first change
	chain    int  // how many further steps of mutation are allowed
	length   int  // length of its trace
	prio     int
	energy   int
	edges    bool    // its run has shown a new edge
	source   *Source // of given bytes
}

// news describes what a run has shown that no earlier run had.
type news struct {
	is   bool // something was new
	prio int  // priority of the term; lower is more urgent
	novelty.News
	kills int // faults that no earlier run has killed
}

// look adds a trace to the log for its verdict. It returns whether the trace is new, and
// the priority of its term.
func (l *line) look(t term.Term, v Verdict, run trace.Run) news {
	log := &l.logs[0]
	if v != Passed {
		log = &l.logs[1]
	}
	if run.Outside {
		// Hit counts make almost every set of features a new one.
		n := log.features.AddOutside(run.Symbols)
		prio := len(t)
		if n.Edges > 0 {
			prio = -n.Edges
		}
		return news{is: n.Features > 0, prio: prio, News: n}
	}
	if run.Set {
		n := log.features.AddSet(run.Symbols)
		return news{is: n.Set, prio: len(run.Symbols) - n.Edges, News: n}
	}
	path := l.lens.View(run.Symbols)
	if l.Notion == Paths {
		added, depth := log.paths.Add(path)
		return news{is: added > 0, prio: depth}
	}
	n := log.features.Add(path)
	switch {
	case l.Notion == Edges:
		return news{is: n.Features > 0, prio: len(path) - n.Features, News: n}
	case l.Notion == Bitmap:
		return news{is: n.Edges > 0, prio: len(path) - n.Edges, News: n}
	case n.Edges > 0:
		return news{is: n.Set, prio: -n.Edges, News: n}
	}
	return news{is: n.Set, prio: len(t), News: n}
}

// worth reports whether a term with a new trace is worth changing.
func (l *line) worth(v Verdict, run trace.Run, f origin) bool {
	switch {
	case run.Long:
		return false // changes of it take long too
	case v == Passed || v == Discarded && (l.Energy || f.how == forged):
		return true
	case v == Failed || f.parent == nil:
		return false
	}
	return f.parent.passed || l.Progress && len(run.Symbols) > f.parent.length
}

// affords reports whether one more term may be kept for this news. If nothing is new but a
// combination of features that were seen before, only a small share of runs is kept: in a
// large program every second run shows a new combination, and a search that keeps all of
// them selects nothing. Terms of other searches count too, or the share would grow with the
// number of workers. A slow run is kept only for a new edge: if it were kept because it took
// known edges more often than any run before, its changes would be slower still.
func (l *line) affords(n news, run trace.Run) bool {
	if l.Combinations == 0 || l.Notion == Paths {
		return true
	}
	if n.Edges == 0 && l.Notion == Sets && l.pace.slow(run) {
		return false
	}
	if n.Features > 0 {
		return true
	}
	if l.counts.combinations*1000 >= l.Combinations*l.guide.runs {
		return false
	}
	l.counts.combinations++
	return true
}

func (l *line) keep(t term.Term, k *kept) {
	own := t.Clone()
	r := rng.New(term.Hash(own))
	l.mut.Size, l.dice.Size = l.reach(&r), l.reach(&r)
	k.batch = l.mut.Batch(own, term.Hash(own))
	if !k.unasked {
		k.compared = l.guide.compare(own)
	}
	l.counts.kept++
	k.id = l.counts.kept
	if l.isRaw(own) {
		l.keepRaw(k)
		if l.text {
			l.alphabet.collect(own)
		}
		return
	}
	if k.passed {
		l.counts.full(l.queues[passedQueue].Push(k, k.prio))
		if l.Large > 0 {
			l.queues[largeQueue].Push(k, newEdgesFirst*min(0, k.prio)-len(own))
		}
	} else {
		l.counts.full(l.queues[discardedQueue].Push(k, k.prio))
	}
	l.remember(k, k.id)
	if l.levels != nil {
		l.keepBelow(own, k)
	}
}

// In the priority of large terms, one new edge counts as much as newEdgesFirst nodes.
const newEdgesFirst = 1000

// seed keeps a term that the user gave, even if it shows nothing new.
func (l *line) seed(t term.Term, v Verdict, run trace.Run) {
	l.from = origin{how: seeded}
	n := l.look(t, v, run)
	if v == Failed {
		return
	}
	s := given{term: t.Clone(), passed: v == Passed, length: len(run.Symbols), prio: n.prio}
	if len(l.seeds) < seedsMax {
		l.seeds = append(l.seeds, s)
	}
	l.guide.logKept(l.plant(s), l.from, v, n)
}

// resume keeps a term of an earlier search if its trace is new to this search.
func (l *line) resume(t term.Term, v Verdict, run trace.Run) {
	l.from = origin{how: seeded}
	n := l.look(t, v, run)
	if v == Failed || !n.is {
		return
	}
	l.guide.logKept(l.plant(given{term: t, passed: v == Passed, length: len(run.Symbols), prio: n.prio, kept: true}), l.from, v, n)
}

// share adds a term of another search if its trace is new to this search.
func (l *line) share(t term.Term, v Verdict, run trace.Run) {
	if n := l.look(t, v, run); v == Failed || !n.is || !l.affords(n, run) {
		return
	}
	own := t.Clone()
	l.shared++
	l.remember(&kept{batch: l.mut.Batch(own, term.Hash(own)), passed: v == Passed, chain: l.Chain, length: len(run.Symbols)}, l.shared)
}

// remember adds a kept term to the corpus, from which havoc takes the terms that it
// changes. If the corpus is full, the term replaces an older one.
func (l *line) remember(k *kept, n int) {
	if len(l.corpus) < corpusMax {
		l.corpus = append(l.corpus, k)
	} else {
		l.corpus[n%corpusMax] = k
	}
	if l.mut.Kinds&mutate.Fragments != 0 {
		l.parts.add(l.world, k.batch.Parent())
	}
	if l.text {
		l.alphabet.collect(k.batch.Parent())
	}
}

// given is a term from the user or from an earlier search, with the result of its run.
type given struct {
	term   term.Term
	passed bool
	length int
	prio   int
	kept   bool // the term is from an earlier search; there are many such terms, so their comparisons are requested later
}

// seedsMax is how many terms of the user are kept again when the search starts over.
const seedsMax = 256

func (l *line) plant(s given) *kept {
	k := &kept{passed: s.passed, chain: l.Chain, length: s.length, prio: s.prio, unasked: s.kept, edges: true}
	l.keep(s.term, k)
	return k
}
