//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// way is one way to make terms. A search asks its ways for terms as its Schedule says, and each way of the schedule
// gets to know the runs of the terms of all of them. A way of the opening learns from its own terms only.
//
// A new way is a type in a file of its own, which embeds quiet, and a line in the table of ways.go; a strategy with
// the name of the way in its schedule uses it. What it gets to know is in kept.go, what it can use is in shared.go, and
// changes.go makes changes of terms. climb.go has a way that learns, and a name of its own in reports (named, in how.go).
// A name in reports also gets a line in docs/guide/glossary.md. Experiment.Ways tries a way without a line in the table.
//
// Some things to know:
//
//   - A strategy has a schedule for inputs that are pairs, Strategy.Pair, beside that of Strategy.Search.
//   - A way that changes a kept term uses changes.next or changes.havoc, which use the term's own comparisons. One that uses a
//     mutator itself first calls stock.use, or the values to try are those for another term.
//   - The parent of an origin is the kept term that was changed. Each change takes one step of its chain. A discarded term is
//     kept only if it has a parent.
//   - Terms that were run before are proposed again, unless the way asks changes.first.
//   - The entries of a map in a term are sorted by key: the changes of package mutate see to that, and a way that
//     writes terms itself must.
//   - Terms of other workers are in the corpus, but keep is not called for them. Given bytes of a world with an encoder
//     are kept, but are not in the corpus: see shared.isRaw.
//   - A way that changes kept terms prefers the favoured ones (corpus.go), as havoc does.
//   - A search is exhausted only after batches has run out of changes (log.peak.emptied).
//   - Any change of a schedule changes all draws after it. Tests of this package that want a certain result of a search
//     take several seeds and have room for such changes; eval measures whether a search is better, and
//     its package samesearch records the terms of searches (-update).
type way interface {
	// propose returns a term to run and where it comes from, or nil if there is nothing to propose.
	// The term is valid until the next call of propose, of any way.
	propose(now *turn) (term.Term, origin)
	// ready reports whether propose may return a term. It makes no draws. It is asked to skip a stage, and not before each
	// call of propose.
	ready() bool

	// learn is called after the run of a term of the schedule, whichever way has made it, and of a term of the opening
	// that this way has made.
	learn(o *outcome)
	// keep is called with every term that is kept and the trace of its run: after learn, if the term was
	// just run. Terms that the user gave are kept again, without a trace, when the search starts over.
	keep(k *kept, run trace.Run)

	// busy reports whether the way still learns much from what the log knows. Then the log is not emptied.
	busy() bool
	// forget is called when the log has been emptied.
	forget()
	// restart is called when the search starts over. All kept terms are to be dropped. forget follows.
	restart()
}

// turn is a run to make a term for.
type turn struct {
	run  uint64   // number of the run
	dice rng.Rand // the random numbers of this run
}

// quiet is a way that is always ready and learns nothing. Ways embed it.
type quiet struct{}

func (quiet) ready() bool                 { return true }
func (quiet) learn(o *outcome)            {}
func (quiet) keep(k *kept, run trace.Run) {}
func (quiet) busy() bool                  { return false }
func (quiet) forget()                     {}
func (quiet) restart()                    {}
