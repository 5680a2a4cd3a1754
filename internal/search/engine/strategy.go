package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
)

// Strategy is a way to search, as data: there is one loop, and every tool that we
// compare with is a setting of it.
type Strategy struct {
	Name string

	// Lines are searched side by side, each with its own notion of what is new.
	// Without any, all terms are fresh, as in QuickCheck.
	Lines []Line

	// Burst is how many fresh terms are run before anything else. A bug that they
	// find needs no search, and how many pass tells what kind of property it is.
	Burst int

	// Where nearly all fresh terms pass, there is little to be guided by: of so
	// many runs in 64 the terms stay fresh, Early of them up to run EarlyRuns.
	DenseEarly, DenseLate, EarlyRuns int

	// FloorShare is the least share of runs, in 64, that a line of two keeps
	// however little it finds. The rest goes where more new features are found
	// for the work. 0 means that lines take turns.
	FloorShare int

	// Twins is of how many fresh terms in 64 the second half is a copy of the
	// first, if the input is a pair: a property about two runs that must agree
	// has nothing to say about two unrelated ones.
	Twins int
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
	Name   string
	Notion Notion
	Level  trace.Level
	Loops  trace.Loops

	// Fresh terms keep a search from starving on what it has: without them the
	// queue of a program with many paths never empties.
	Fresh int
	// Grace is for one random change of a fresh term that passed, new or not.
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
	// Once leaves out terms that were run before.
	Once bool
	// Defer puts off changes at places where they never mattered.
	Defer bool
	// Large has, among Sets without a new edge, the largest terms first instead of
	// the smallest: what needs eight nodes is reached by growing, what needs the
	// right colors in six by trying everything small.
	Large bool
	// FIFO takes the oldest first and knows no priorities: an ablation.
	FIFO bool
	// Energy gives each kept term a number of random changes, as FuzzChick does,
	// instead of all changes in turn.
	Energy bool
}

// Random is QuickCheck: fresh terms only.
func Random() Strategy { return Strategy{Name: "random", Twins: twinsAlways} }

const (
	twinsAlways = 64
	twinsMost   = 56 // the rest is for properties about any two
)

// Mutagen is the loop of the paper: exhaustive mutants, path novelty, passed
// before discarded, shallow before deep, newest first.
func Mutagen(level trace.Level) Strategy {
	return Strategy{Name: "mutagen", Twins: twinsAlways, Lines: []Line{{
		Name: "m", Notion: Paths, Level: level, Size: 10, SizeMax: 10, Reach: []int{10},
		Mutants: mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: 10},
		Chain:   10, Reset: 1000, Doubling: true,
	}}}
}

// MutagenBitmap is what its authors made of it later.
func MutagenBitmap(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Lines[0].Notion = "mutagen-bitmap", Bitmap
	return s
}

// MutagenFIFO and MutagenNoReset are the ablations of the paper.
func MutagenFIFO(level trace.Level) Strategy {
	s := Mutagen(level)
	s.Name, s.Lines[0].FIFO = "mutagen-fifo", true
	return s
}

// MutagenNoReset has a fixed number of samples in place of the reset.
func MutagenNoReset(level trace.Level, samples int) Strategy {
	s := Mutagen(level)
	s.Name, s.Lines[0].Reset, s.Lines[0].Mutants.Samples = "mutagen-noreset", 0, samples
	return s
}

// FuzzChick is the loop of 2019: random mutators, energy, an edge map.
func FuzzChick() Strategy {
	return Strategy{Name: "fuzzchick", Twins: twinsAlways, Lines: []Line{{
		Name: "f", Notion: Edges, Size: 7, SizeMax: 7, Reach: []int{7}, Energy: true, FIFO: true,
		Mutants: mutate.Config{Size: 7}, Chain: 1 << 20,
	}}}
}

// Guided is ours: the coarse notion of sets on two lines, which differ in what
// they do with it, and a share of fresh terms in both. The first grows large
// terms and changes fresh ones that passed, the second tries everything small
// and several changes at once.
func Guided() Strategy {
	const kinds = mutate.Pure | mutate.Lists | mutate.Filled | mutate.Sampled | mutate.Fragments | mutate.Dictionary | mutate.Mirror
	mutants := mutate.Config{Kinds: kinds, Samples: 1, NeighboursMax: 3, FragmentsMax: 2, DictionaryMax: 4, UnitsMax: 100}
	wide := Line{
		Name: "wide", Notion: Sets, Fresh: 16, Grace: 16, Havoc: 16,
		Size: 20, SizeMax: 20, Reach: []int{2, 8},
		Mutants: mutants, Chain: 30, Progress: true, Reset: 1000, Doubling: true, Once: true, Defer: true, Large: true,
	}
	wide.Mutants.Samples = 2
	return Strategy{
		Name: "guided", Burst: 200, DenseEarly: 43, DenseLate: 16, EarlyRuns: 5000,
		FloorShare: 21, Twins: twinsMost,
		Lines: []Line{wide, {
			Name: "small", Notion: Sets, Fresh: 16, Havoc: 24,
			Size: 9, SizeMax: 20, SizeAfter: 1000, Reach: []int{2},
			Mutants: mutants, Chain: 30, Progress: true, Reset: 1000, Doubling: true, Once: true,
		}},
	}
}
