//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// Experiment is what the experiments of this repository change in a search beside its strategy. The zero value
// changes nothing.
type Experiment struct {
	// Exact makes Config.Runs a limit that is never exceeded, see closeTimes. So all searches
	// that are compared have the same limit.
	Exact bool

	// Novelty says what is new in a path, in place of the strategy.
	Novelty *Novelty

	// Ways has ways beside those of the table in ways.go, by the names that schedules use. A name of the table is an
	// error.
	Ways map[string]func(Corpus) Way
}

// Novelty is a notion of what is new in a path that LogSettings has no name for. Some loops of the papers
// have one: see package papers of eval. Runs that are sets of sites are looked at as in any search.
type Novelty struct {
	New func() Look // returns a Look that knows nothing
	Why string      // the reason to keep a term whose run took no new edge
}

// Look adds a path to what is known. It returns whether the path is new and the priority of its term; lower is
// more urgent. known has the features of runs with the same kind of verdict; if path is added to it, its news
// are returned too.
type Look func(path []uint32, known *novelty.Features) (is bool, prio int, n novelty.News)

// Way is a way that makes random changes of kept terms.
type Way interface {
	// Change returns a change and the term that was changed, or nil if there is nothing to change. The change is
	// valid until the next call.
	Change(r *rng.Rand) (t term.Term, parent Kept)
	// Keep adds a kept term, with the trace of its run. It reports whether another one was dropped in its favour.
	Keep(k Kept, run trace.Run) (dropped bool)
}

// Corpus returns the kept terms that passed, and those of other searches.
type Corpus func() []Kept
