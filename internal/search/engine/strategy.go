package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
)

// Strategy describes how to search, as data: there is one loop, and every tool that
// allele is compared with is a setting of it.
type Strategy struct {
	Name string

	// Line is the guided search. If it is nil all terms are fresh, as in QuickCheck.
	Line *Line
	// Pair replaces Line if the input is a pair of one type. nil means to use Line.
	Pair *Line

	// Burst is how many fresh terms are run before anything else. A bug that the
	// burst finds needs no search, and the number of terms that pass shows what kind
	// of property it is.
	Burst int

	// If nearly all fresh terms pass, there is little to guide the search. Then so
	// many runs in 64 use fresh terms: DenseEarly up to run EarlyRuns, then DenseLate.
	DenseEarly, DenseLate, EarlyRuns int

	// Twins is how many fresh terms in 64 have a second half that is a copy of the
	// first, if the input is a pair. A property about two runs that must agree cannot
	// be tested with two unrelated halves. With LearnTwins a line prefers whichever
	// passes more often, copies or not; then Twins applies only to terms that are not
	// from a line.
	Twins      int
	LearnTwins bool
}

// Notion defines what counts as new in a trace.
type Notion uint8

// The notions, from fine to coarse. On a program with a probe in every branch nearly
// every path is new, and a search that keeps every new path keeps too many terms; see
// docs/notes.
const (
	Paths  Notion = iota // a path never taken: the tree log of the MUTAGEN paper
	Sets                 // a combination of edges and hit counts not seen before
	Edges                // an edge with a hit count in a bucket not seen before: AFL's notion
	Bitmap               // an edge never taken: MUTAGEN's default since 2022
)

// Line describes one search. Fresh, Grace and Havoc are shares of 64 runs; the remaining
// runs take mutants from the queue.
type Line struct {
	Notion Notion
	Level  trace.Level
	Loops  trace.Loops
	Sites  []uint32 // the sites that count; none means all

	// Fresh is the share of fresh terms. Without them the search would only change
	// what it has: the queue of a program with many paths never empties.
	Fresh int
	// Grace is the share of random changes of fresh terms that passed, new or not.
	// Terms whose runs did what few others do come first: see passedpool.go.
	Grace int
	// Havoc is the share of several random changes at once of a kept term. They reach
	// terms that no chain of single steps reaches, because a step between is worse.
	Havoc int

	// Size is the size of fresh terms. It grows by one, up to SizeMax, after SizeAfter
	// runs without a new trace: small terms satisfy preconditions and run fast, and
	// when they show nothing new it is time for larger ones.
	Size, SizeMax, SizeAfter int
	// Reach is how far from zero most numbers are. Small numbers are often equal to
	// each other and index short lists, but eight keys in order need a larger range.
	// So there may be several values to choose from; those whose terms pass more often
	// are chosen more often.
	Reach []int

	Mutants mutate.Config

	// Chain is the maximum number of mutation steps from a fresh term.
	Chain int
	// Progress keeps a discarded term whose run got further than the run of its parent,
	// even if the parent was discarded too. Otherwise the parent must have passed.
	Progress bool
	// Reset is the number of runs without anything new, with nothing in the queue,
	// after which everything is forgotten. 0 means never. With Doubling, Reset and the
	// number of samples double each time.
	Reset    int
	Doubling bool
	// Restart is the number of runs after which even kept terms are dropped and the
	// search starts over. The number doubles each time. A few searches in a hundred
	// are unlucky in what they keep first, and would take ten times as long. 0 means
	// never.
	Restart int
	// Once leaves out terms that were run before.
	Once bool
	// Defer defers changes at places where changes never mattered.
	Defer bool
	// Large is how many in 64 runs from the queue use the largest kept term as parent
	// instead of the smallest. A failure that needs eight nodes is reached by growing;
	// one that needs the right colors in six nodes is reached by trying all changes of
	// small terms.
	Large int
	// FIFO takes the oldest term first and ignores priorities: an ablation.
	FIFO bool
	// Energy gives each kept term a number of random changes, as FuzzChick does,
	// instead of all changes in turn.
	Energy bool
}

// Random returns the strategy of QuickCheck: fresh terms only.
func Random() Strategy { return Strategy{Name: "random"} }

// RandomTwins returns QuickCheck with the generator for pairs that the papers gave to
// every tool: it makes one half and copies it.
func RandomTwins() Strategy { return Strategy{Name: "random-twins", Twins: twinsAlways} }

const (
	twinsAlways = 64
	twinsSome   = 8 // enough to see which passes more often; too few to delay bugs that unequal halves show
)

// The paper's size is a depth, and also the range of numbers. Of the sizes in cells
// that were tried, paperSize comes nearest to the paper's results.
const (
	paperSize  = 16
	paperReach = 3
)

// Mutagen returns the loop of the MUTAGEN paper: exhaustive mutants, path novelty,
// passed before discarded, shallow before deep, newest first.
func Mutagen(level trace.Level) Strategy {
	return Strategy{Name: "mutagen", Twins: twinsAlways, Line: &Line{
		Notion: Paths, Level: level, Size: paperSize, SizeMax: paperSize, Reach: []int{paperReach},
		Mutants: mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: paperReach},
		Chain:   10, Reset: 1000, Doubling: true,
	}}
}

// MutagenBitmap returns the later version of the authors of MUTAGEN, with Bitmap novelty.
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

// FuzzChick returns the loop of the FuzzChick paper (2019): random mutators, energy, an
// edge map.
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
	const kinds = mutate.Pure | mutate.Lists | mutate.Filled | mutate.Sampled | mutate.Fragments | mutate.Dictionary | mutate.Mirror
	line := Line{
		Notion: Sets, Fresh: 12, Havoc: 20, Large: 32,
		Size: 7, SizeMax: 20, SizeAfter: 1000, Reach: []int{2, 8},
		Mutants: mutate.Config{Kinds: kinds, Samples: 1, NeighboursMax: 2, FragmentsMax: 2, DictionaryMax: 3 * entriesMax, UnitsMax: 100},
		Chain:   30, Progress: true, Reset: 1000, Doubling: true, Restart: 60_000, Once: true,
	}
	pair := line
	pair.Notion, pair.Fresh, pair.Grace, pair.Havoc = Edges, 20, 32, 4
	pair.Size, pair.SizeMax, pair.Reach, pair.Defer = 40, 40, []int{3}, true
	return Strategy{
		Name: "guided", Burst: 200, DenseEarly: 43, DenseLate: 16, EarlyRuns: 5000,
		Twins: twinsSome, LearnTwins: true, Line: &line, Pair: &pair,
	}
}

// Named returns a strategy that users can select by name, and whether there is one.
func Named(name string) (Strategy, bool) {
	switch name {
	case "", "guided":
		return Guided(), true
	case "random":
		return Random(), true
	case "mutagen":
		return Mutagen(trace.Clauses), true
	case "fuzzchick":
		return FuzzChick(), true
	}
	return Strategy{}, false
}
