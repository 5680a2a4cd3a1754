package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
)

// Strategy is a way to search, as data: there is one loop, and every tool that we
// compare with is a setting of it.
type Strategy struct {
	Name string

	// Line is the search. Without one all terms are fresh, as in QuickCheck.
	Line *Line
	// Pair is the search instead if the input is a pair of one type. nil means the
	// same one.
	Pair *Line

	// Burst is how many fresh terms are run before anything else. A bug that they
	// find needs no search, and how many pass tells what kind of property it is.
	Burst int

	// Where nearly all fresh terms pass, there is little to be guided by: of so
	// many runs in 64 the terms stay fresh, Early of them up to run EarlyRuns.
	DenseEarly, DenseLate, EarlyRuns int

	// Twins is of how many fresh terms in 64 the second half is a copy of the
	// first, if the input is a pair: a property about two runs that must agree
	// has nothing to say about two unrelated ones. LearnTwins has lines choose
	// what passes more; then Twins is for the others.
	Twins      int
	LearnTwins bool
}

// Notion is what counts as new in a trace.
type Notion uint8

// From fine to coarse. On a program with a probe in every branch nearly every
// path is new, and a search that keeps each drowns in them; see docs/notes.
const (
	Paths  Notion = iota // a path never taken: the tree log of the MUTAGEN paper
	Sets                 // edges and how often, all together, as never before
	Edges                // an edge about as often as never before: AFL's notion
	Bitmap               // an edge never taken: MUTAGEN's default since 2022
)

// Line is one search. Shares are of 64 runs; what they leave goes to the queue.
type Line struct {
	Notion Notion
	Level  trace.Level
	Loops  trace.Loops
	Sites  []uint32 // those that count; none means all

	// Fresh terms keep a search from starving on what it has: without them the
	// queue of a program with many paths never empties.
	Fresh int
	// Grace is for random changes of fresh terms that passed, new or not, those
	// first whose runs did what few others do: see grace.go.
	Grace int
	// Havoc is for several random changes at once of a kept term: it reaches what
	// no chain of single steps does, because one between is worse.
	Havoc int

	// Size of fresh terms. It grows by one, up to SizeMax, after SizeAfter runs
	// without a new trace: small terms satisfy preconditions and run fast, and when
	// nothing is left in them it is time for larger ones.
	Size, SizeMax, SizeAfter int
	// Reach is how far from zero most numbers are. Small ones are equal to each
	// other and index short lists, but eight keys in order need more of them, so
	// there may be several to choose from; more is chosen of what passes more.
	Reach []int

	Mutants mutate.Config

	// Chain is how many steps of mutation lead away from a fresh term.
	Chain int
	// Progress keeps a discarded term that got further than the one it was made
	// of, even if that was discarded too. Otherwise one must have passed.
	Progress bool
	// Reset is after how many runs without news, with nothing in the queue, all
	// is forgotten. 0 means never. Doubling doubles it, and the samples, each time.
	Reset    int
	Doubling bool
	// Restart is after how many runs even kept terms are given up and the search
	// begins anew, next time after twice as many. A few searches in a hundred are
	// unlucky in what they keep first, and would take ten times as long. 0 means never.
	Restart int
	// Once leaves out terms that were run before.
	Once bool
	// Defer puts off changes at places where they never mattered.
	Defer bool
	// Large is of how many runs of the queue, in 64, the parent is the largest kept
	// term instead of the smallest: what needs eight nodes is reached by growing,
	// what needs the right colors in six by trying everything small.
	Large int
	// FIFO takes the oldest first and knows no priorities: an ablation.
	FIFO bool
	// Energy gives each kept term a number of random changes, as FuzzChick does,
	// instead of all changes in turn.
	Energy bool
}

// Random is QuickCheck: fresh terms only.
func Random() Strategy { return Strategy{Name: "random"} }

// RandomTwins is QuickCheck with the generator for pairs that the papers gave to
// every tool: one half, twice.
func RandomTwins() Strategy { return Strategy{Name: "random-twins", Twins: twinsAlways} }

const (
	twinsAlways = 64
	twinsSome   = 8 // enough to see what passes more; too few to delay what any two show
)

// The paper's size is a depth, and numbers reach as far; of the sizes in cells that
// were tried this comes nearest to its results.
const (
	paperSize  = 16
	paperReach = 3
)

// Mutagen is the loop of the paper: exhaustive mutants, path novelty, passed
// before discarded, shallow before deep, newest first.
func Mutagen(level trace.Level) Strategy {
	return Strategy{Name: "mutagen", Twins: twinsAlways, Line: &Line{
		Notion: Paths, Level: level, Size: paperSize, SizeMax: paperSize, Reach: []int{paperReach},
		Mutants: mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: paperReach},
		Chain:   10, Reset: 1000, Doubling: true,
	}}
}

// MutagenBitmap is what its authors made of it later.
func MutagenBitmap(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.Notion = "mutagen-bitmap", Bitmap
	return s
}

// MutagenFIFO and MutagenNoReset are the ablations of the paper.
func MutagenFIFO(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.FIFO = "mutagen-fifo", true
	return s
}

// MutagenNoReset has a fixed number of samples in place of the reset.
func MutagenNoReset(level trace.Level, samples int) Strategy {
	s := Mutagen(level)
	s.Name, s.Line.Reset, s.Line.Mutants.Samples = "mutagen-noreset", 0, samples
	return s
}

// FuzzChick is the loop of 2019: random mutators, energy, an edge map.
func FuzzChick() Strategy {
	return Strategy{Name: "fuzzchick", Twins: twinsAlways, Line: &Line{
		Notion: Edges, Size: 7, SizeMax: 7, Reach: []int{7}, Energy: true, FIFO: true,
		Mutants: mutate.Config{Size: 7}, Chain: 1 << 20,
	}}
}

// Guided is ours: a coarse notion of what is new, all changes of one step from the
// smallest kept term and from the largest in turns, several changes at once, and a
// share of fresh terms. For a pair more is fresh, and most of the rest is to make
// halves that are nearly equal.
//
// docs/notes/search.md has what the settings were chosen by.
func Guided() Strategy {
	const kinds = mutate.Pure | mutate.Lists | mutate.Filled | mutate.Sampled | mutate.Fragments | mutate.Dictionary | mutate.Mirror
	line := Line{
		Notion: Sets, Fresh: 12, Havoc: 20, Large: 32,
		Size: 7, SizeMax: 20, SizeAfter: 1000, Reach: []int{2, 8},
		Mutants: mutate.Config{Kinds: kinds, Samples: 1, NeighboursMax: 2, FragmentsMax: 2, DictionaryMax: 3 * wordsMax, UnitsMax: 100},
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

// Named gives the strategies a user can ask for.
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
