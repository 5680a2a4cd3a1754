//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
)

// Strategy describes how to search. It is data, not code: there is only one search loop,
// and each tool that allele is compared with is a setting of that loop.
type Strategy struct {
	Name string

	// Line is the guided search. If it is nil all terms are fresh, as in QuickCheck.
	Line *Line
	// Pair replaces Line if the input is a pair: two parts of one type. nil means to use
	// Line.
	Pair *Line

	// Burst is how many fresh terms are run before anything else. A bug that the burst
	// finds needs no search, and the number of terms that pass shows what kind of
	// property is being tested.
	Burst int

	// If nearly all fresh terms pass, there is little to guide the search. Then many runs
	// use fresh terms: up to run EarlyRuns, DenseEarly in 64 runs; after that, DenseLate
	// in 64 runs.
	DenseEarly, DenseLate, EarlyRuns int

	// If the input is a pair, the second half is a copy of the first in Twins of 64 fresh
	// terms. A property about two runs that must agree cannot be tested with two
	// unrelated halves. With LearnTwins, a line learns which pass more often, pairs
	// with equal halves or other pairs, and generates more of that kind. Then Twins
	// applies only to terms that are not from a line.
	Twins      int
	LearnTwins bool

	// With Forged, the search encodes one value, and then runs what encoders with faults make of
	// it, each fault once, whatever the runs show.
	Forged bool
}

// Notion defines what counts as new in a trace.
type Notion uint8

// The notions, from fine to coarse. On a program with a probe in every branch nearly
// every path is new, and a search that keeps every new path keeps too many terms; see
// docs/notes.
const (
	Paths  Notion = iota // a path never taken: the tree log of the MUTAGEN paper
	Sets                 // a combination of edges and hit counts not seen before
	Edges                // an edge whose hit count is in a range (bucket) not seen before: AFL's notion
	Bitmap               // an edge never taken: MUTAGEN's default since 2022
)

// Line configures a guided search. Fresh, Grace and Havoc are shares of 64 runs; the
// remaining runs take mutants from the queue.
type Line struct {
	Notion Notion
	Level  trace.Level
	Loops  trace.Loops
	Sites  []uint32 // the sites that count; none means all

	// Fresh is the share of fresh terms. Without fresh terms the search would only change
	// the terms that it has, because in a program with many paths the queue never becomes
	// empty.
	Fresh int
	// Grace is the share of runs that use a random change of a fresh term that passed,
	// whether or not its trace was new. Terms whose traces are rare come first: see
	// passedpool.go.
	Grace int
	// Havoc is the share of runs that use a kept term with several random changes at
	// once. Such changes reach terms that no chain of single steps reaches, because a
	// term in between would not be kept.
	Havoc int

	// Size is the size of fresh terms. It grows by one, up to SizeMax, after SizeAfter
	// runs without a new trace: small terms satisfy preconditions and run fast, and
	// when they show nothing new it is time for larger ones.
	Size, SizeMax, SizeAfter int
	// Reach is how far from zero most numbers are. Small numbers are often equal to each
	// other and are valid indices of short lists, but eight different keys need a larger
	// range. So there may be several values to choose from; those whose terms pass more
	// often are chosen more often.
	Reach []int

	Mutants mutate.Config

	// Chain is the maximum number of mutation steps from a fresh term.
	Chain int
	// A discarded term with a new trace is kept only if its parent passed. With Progress,
	// it is also kept if its run got further than the run of its parent.
	Progress bool
	// Of 1000 runs, at most Combinations are kept for nothing but a combination of features
	// that were seen before. 0 means no limit.
	Combinations int
	// From run Climb on, while hardly any term passes, most runs change discarded terms that came
	// further than others: see climb.go. If the input has texts, ClimbText replaces Climb. 0 means
	// never.
	Climb, ClimbText int
	// If the queue is empty and the last Reset runs showed nothing new, the search
	// forgets all traces. 0 means never. With Doubling, both Reset and
	// Mutants.Samples double each time.
	Reset    int
	Doubling bool
	// After Restart runs the search drops the kept terms too and starts over. The number
	// doubles each time. The reason is that a few searches in a hundred keep poor terms
	// first, and would take ten times as long. 0 means never.
	Restart int
	// Once skips terms that were run before.
	Once bool
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
	// FIFO takes the oldest term first and ignores priorities. It is for ablation
	// studies.
	FIFO bool
	// With Energy, each kept term is changed at random a number of times, as in
	// FuzzChick. Otherwise all changes of the term are tried in turn.
	Energy bool
}

// Random returns the strategy of QuickCheck: fresh terms only.
func Random() Strategy { return Strategy{Name: "random"} }

// RandomTwins returns the strategy of QuickCheck, with the generator for pairs that the
// papers used for every tool: it generates one half and copies it.
func RandomTwins() Strategy { return Strategy{Name: "random-twins", Twins: twinsAlways} }

const (
	twinsAlways = 64
	twinsSome   = 8 // enough to learn whether equal halves pass more often; too few to delay bugs that need unequal halves
)

// In the MUTAGEN paper, the size is the depth of a term and also the range of its
// numbers. Here the size is a number of cells: of the sizes that were tried, paperSize
// comes nearest to the paper's results.
const (
	paperSize  = 16
	paperReach = 3
)

// Mutagen returns the search loop of the MUTAGEN paper. It tries all mutants of a term
// and keeps terms with new paths. Passed terms come before discarded ones, shallow before
// deep, and the newest first.
func Mutagen(level trace.Level) Strategy {
	return Strategy{Name: "mutagen", Twins: twinsAlways, Line: &Line{
		Notion: Paths, Level: level, Size: paperSize, SizeMax: paperSize, Reach: []int{paperReach},
		Mutants: mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: paperReach},
		Chain:   10, Reset: 1000, Doubling: true,
	}}
}

// MutagenBitmap returns the later version of MUTAGEN by its authors, with the notion
// Bitmap.
func MutagenBitmap(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.Notion = "mutagen-bitmap", Bitmap
	return s
}

// MutagenFIFO returns an ablation of the paper: the oldest term comes first.
func MutagenFIFO(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.FIFO = "mutagen-fifo", true
	return s
}

// MutagenNoReset returns the other ablation of the paper: a fixed number of samples
// instead of the reset.
func MutagenNoReset(level trace.Level, samples int) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.Reset, s.Line.Mutants.Samples = "mutagen-noreset", 0, samples
	return s
}

// FuzzChick returns the search loop of the FuzzChick paper (2019): random changes,
// energy, and an edge map.
func FuzzChick() Strategy {
	return Strategy{Name: "fuzzchick", Twins: twinsAlways, Line: &Line{
		Notion: Edges, Size: 7, SizeMax: 7, Reach: []int{7}, Energy: true, FIFO: true,
		Mutants: mutate.Config{Size: 7}, Chain: 1 << 20,
	}}
}

// Guided returns allele's own strategy: a coarse notion of what is new, all one-step
// changes of the smallest and of the largest kept term in turns, several changes at
// once, and a share of fresh terms. For a pair the share of fresh terms is larger, and
// most other terms are pairs with nearly equal halves.
//
// docs/notes/search.md explains how the settings were chosen.
func Guided() Strategy {
	const kinds = mutate.Pure | mutate.Lists | mutate.Filled | mutate.Sampled | mutate.Mirror |
		mutate.Fragments | mutate.Dictionary | mutate.Text
	line := Line{
		Notion: Sets, Combinations: 20, Climb: 1000, ClimbText: 200, Fresh: 12, Havoc: 20, Large: 32, Edits: 16,
		Size: 7, SizeMax: 20, SizeAfter: 1000, Reach: []int{2, 8},
		Mutants: mutate.Config{Kinds: kinds, Samples: 1, NeighboursMax: 2, FragmentsMax: 2,
			DictionaryMax: 2*entriesMax + textEntriesMax, UnitsMax: 100},
		Chain: 30, Progress: true, Reset: 1000, Doubling: true, Restart: 60_000, Once: true,
	}
	pair := line
	pair.Notion, pair.Fresh, pair.Grace, pair.Havoc = Edges, 20, 32, 4
	pair.Size, pair.SizeMax, pair.Reach, pair.Defer = 40, 40, []int{3}, true
	return Strategy{
		Name: "guided", Burst: 200, DenseEarly: 43, DenseLate: 16, EarlyRuns: 5000,
		Twins: twinsSome, LearnTwins: true, Line: &line, Pair: &pair,
	}
}

// GuidedAtoms returns Guided without what it does about texts and about properties that hardly
// any input passes: a text is changed as a whole, discarded terms are no stepping stones, and
// any combination of features is a reason to keep a term. Experiments compare Guided with it.
func GuidedAtoms() Strategy {
	s := Guided()
	s.Name = "guided-atoms"
	for _, l := range []*Line{s.Line, s.Pair} {
		l.Climb, l.ClimbText, l.Combinations = 0, 0, 0
		l.Mutants.Kinds &^= mutate.Text
	}
	return s
}

// Faults returns the strategy of the MutaGen paper: a finite list of faults in an encoder. Which faults
// are made depends on the Forger, so the strategy has several names.
func Faults(name string) Strategy { return Strategy{Name: name, Forged: true} }

// Named returns the strategy that users select with a name, and whether the name is
// known.
func Named(name string) (Strategy, bool) {
	switch name {
	case "", "guided":
		return Guided(), true
	case "guided-atoms":
		return GuidedAtoms(), true
	case "faults", "faults-paper", "faults-slice":
		return Faults(name), true
	case "random":
		return Random(), true
	case "mutagen":
		return Mutagen(trace.Clauses), true
	case "fuzzchick":
		return FuzzChick(), true
	}
	return Strategy{}, false
}
