//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// A search can be guided by faults too: small deliberate changes of the program. A term whose
// run kills a fault that no earlier run killed is kept, even if its trace is not new, and it is
// favoured. This is algorithm 2 of the Mu2 paper. Which faults are run is decided elsewhere:
// the engine only gets to know how many faults a run has killed.
//
// Half of the mutants from the queue, and half of the terms that havoc changes, are those of
// favoured terms. A search without faults has no favoured terms, and does exactly what it
// would do without this file: how terms are picked and changed does not depend on the guide.

// parents is the terms that havoc changes.
type parents struct {
	corpus   []*kept // the latest kept terms
	favoured []*kept // the latest ones that killed faults
	killers  int     // how many have killed faults
	latest   *kept   // the term of the last run, if it was kept
}

// favouredMax is how many favoured terms havoc takes its terms from.
const favouredMax = 256

// Kept identifies a term that the search keeps. The zero value identifies none.
type Kept struct{ k *kept }

// Any reports whether there is such a term.
func (k Kept) Any() bool { return k.k != nil }

// Kept returns the term of the last run, if the search keeps it.
func (e *Engine) Kept() Kept {
	if e.guide == nil || e.guide.line == nil || !e.guide.own {
		return Kept{}
	}
	return Kept{e.guide.line.latest}
}

// Favour favours a term because it has killed faults. If k identifies no term, the term of
// the last run is kept first; run is the trace of that run. A search without a line ignores
// the call.
func (e *Engine) Favour(k Kept, kills int, run trace.Run) {
	if e.guide == nil || e.guide.start() == nil {
		return
	}
	l := e.guide.line
	if k.k == nil {
		if !e.guide.own {
			l.from = origin{how: fresh}
		}
		k.k = l.keepKiller(e.term, kills, run)
	}
	l.prefer(k.k)
}

// FavourOther is Favour for a term that is not the term of the last run. given says that the
// term is from the user or from an earlier search.
func (e *Engine) FavourOther(t term.Term, kills int, given bool) {
	if e.guide == nil || e.guide.start() == nil {
		return
	}
	l := e.guide.line
	if l.from = (origin{how: fresh}); given {
		l.from.how = seeded
	}
	l.prefer(l.keepKiller(t, kills, trace.Run{}))
}

// keepKiller keeps a term that passed and killed faults. It may be changed as often as a
// fresh term.
func (l *line) keepKiller(t term.Term, kills int, run trace.Run) *kept {
	l.bored, l.boring = 0, 0
	k := &kept{passed: true, chain: l.Chain, length: len(run.Symbols), prio: len(t)}
	if l.Energy {
		k.energy = l.power.of(run, true)
	}
	l.keep(t, k)
	l.guide.logKept(k, l.from, Passed, news{kills: kills})
	return k
}

// prefer makes a kept term a favoured one. Small terms come first.
func (l *line) prefer(k *kept) {
	l.queues[favouredQueue].Push(k, len(k.batch.Parent()))
	if len(l.favoured) < favouredMax {
		l.favoured = append(l.favoured, k)
	} else {
		l.favoured[l.killers%favouredMax] = k
	}
	l.killers++
}
