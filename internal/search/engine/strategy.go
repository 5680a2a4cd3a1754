//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/mutate"

// Strategy describes how to search. It is data, not code: there is only one search loop,
// and each tool that allele is compared with is a setting of that loop. Two of them need code
// as well: see Experiment.
type Strategy struct {
	Name string

	// Opening lists the ways that are asked before those of Search. The trace of the run of such a
	// term is not looked at, and only the way that has made the term learns from its run. If no way
	// proposes a term, and there is no Search, the search is over.
	Opening Schedule

	// Search is the search that is guided by traces. If it is nil all terms are made by the ways of
	// Opening.
	Search *Settings
	// Pair replaces Search if the input is a pair: two parts of one type. nil means to use
	// Search.
	Pair *Settings

	Plain PlainSettings

	// If the input is a pair, the second half is a copy of the first in Twins of 64 fresh
	// terms. A property about two runs that must agree cannot be tested with two
	// unrelated halves. With LearnTwins, a guided search learns which pass more often, pairs
	// with equal halves or other pairs, and generates more of that kind. Then Twins
	// applies only to the terms of the way plain.
	Twins      int
	LearnTwins bool
}

// Settings configures a guided search: a schedule of ways, and what these ways and the parts that
// they share need to know.
type Settings struct {
	Schedule Schedule
	Log      LogSettings
	Keep     KeepSettings
	Fresh    FreshSettings
	Mutants  mutate.Config
	Firsts   FirstSettings
	Batches  BatchSettings
	Climb    ClimbSettings
	Renew    RenewSettings

	// Once skips terms that were run before, except those of havoc.
	Once bool
}

// PlainSettings configures the way plain: see plain.go.
type PlainSettings struct {
	// Burst is how many fresh terms are run before anything else. A bug that the burst
	// finds needs no search, and the number of terms that pass shows what kind of
	// property is being tested.
	Burst int

	// If nearly all fresh terms pass, there is little to guide the search. Then many runs
	// use fresh terms: up to run EarlyRuns, DenseEarly in 64 runs; after that, DenseLate
	// in 64 runs.
	DenseEarly, DenseLate, EarlyRuns int

	// Few of 64 lists are short: see gen.Gen.
	Few int
}

// LogSettings configures what counts as new: see log.go.
type LogSettings struct {
	Notion Notion

	// Of 1000 runs, at most Combinations are kept for nothing but a combination of features
	// that were seen before. 0 means no limit.
	Combinations int
}

// Notion defines what counts as new in a trace.
type Notion uint8

// The notions, from fine to coarse. Whole paths would be finer: on a program with a probe in every branch nearly
// every path is new, and a search that keeps every new path keeps too many terms; see
// docs/notes.
const (
	Sets  Notion = iota // a combination of edges and hit counts not seen before
	Edges               // an edge whose hit count is in a range (bucket) not seen before: AFL's notion
)

// KeepSettings configures which terms with a new trace are kept.
type KeepSettings struct {
	// Chain is the maximum number of mutation steps from a fresh term.
	Chain int
	// A discarded term with a new trace is kept only if its parent passed. With Progress,
	// it is also kept if its run got further than the run of its parent. With Discarded, it is
	// always kept.
	Progress, Discarded bool
}

// FreshSettings configures the way fresh: see fresh.go.
type FreshSettings struct {
	// Size is the size of fresh terms. It grows by one, up to SizeMax, after SizeAfter
	// runs without a new trace: small terms satisfy preconditions and run fast, and
	// when they show nothing new it is time for larger ones.
	Size, SizeMax, SizeAfter int
	// Reach is how far from zero most numbers are. Small numbers are often equal to each
	// other and are valid indices of short lists, but eight different keys need a larger
	// range. So there may be several values to choose from; those whose terms pass more
	// often are chosen more often.
	Reach []int
	// Few of 64 lists are short: see gen.Gen.
	Few int
}

// FirstSettings configures the way firsts: see firsts.go.
type FirstSettings struct {
	// Changes is how many changes a term with a new edge gets at once, beside its nests.
	Changes int
	// Kept is how many terms must have been kept since the search started over. With fewer, no term waits for long.
	Kept int
}

// BatchSettings configures the way batches: see batches.go.
type BatchSettings struct {
	// Defer postpones changes at places where changes hardly ever mattered: see
	// places.go.
	Defer bool
	// If texts are parts of the input, about Edits of 64 mutants from the queue are edits of
	// texts. Further edits are deferred until there is nothing else to do. A text of a few
	// letters has thousands of edits, and a search that makes all of them hardly ever changes
	// anything else. 0 means no limit.
	Edits int
	// Of 64 runs that take mutants from the queue, Large change the largest kept term
	// instead of the smallest. A failure that needs a tree of eight nodes is reached by
	// growing large terms. A failure that needs the right colors in a tree of six nodes
	// is reached by trying all changes of small terms.
	Large int
	// Of 1000 runs, at most Waiting terms wait in each queue; waitingMin is always allowed. If
	// there are more, the least urgent one is dropped. 0 means that queueMax is the only limit.
	Waiting int
}

// ClimbSettings configures the way climb: from run From on, while hardly any term passes, most
// runs change discarded terms that came further than others (see climb.go). If the input has
// texts, FromText replaces From. 0 means never.
type ClimbSettings struct{ From, FromText int }

// RenewSettings configures when a search forgets, and when it starts over: see renew.go.
type RenewSettings struct {
	// If the queue is empty and the last Reset runs showed nothing new, the search
	// forgets all traces. 0 means never. With Doubling, both Reset and
	// Mutants.Samples double each time.
	Reset    int
	Doubling bool
	// After Restart runs the search drops the kept terms too and starts over. The number
	// doubles each time. The reason is that a few searches in a hundred keep poor terms
	// first, and would take ten times as long. 0 means never.
	Restart int
}
