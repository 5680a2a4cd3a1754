//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/mutate"

// Guided returns allele's own strategy: a coarse notion of what is new, all one-step
// changes of the smallest and of the largest kept term in turns, several changes at
// once, and a share of fresh terms. For a pair the share of fresh terms is larger, and
// most other terms are pairs with nearly equal halves.
//
// docs/notes/search.md explains how the settings were chosen.
func Guided() Strategy {
	const kinds = mutate.Pure | mutate.Lists | mutate.Filled | mutate.Sampled | mutate.Mirror |
		mutate.Fragments | mutate.Dictionary | mutate.Text | mutate.Nested
	one := Settings{
		Schedule: Schedule{
			only("encoder"),
			only("climb"),
			{{Way: "firsts", Sides: 24}},
			{{Way: "fresh", Sides: 12}, {Way: "havoc", Sides: 16}, {Way: "copies", Sides: 4}, {Way: "batches", Sides: Rest}},
			{{Way: "havoc", Sides: 32}},
			only("fresh"),
		},
		Log:   LogSettings{Notion: Sets, Combinations: 20},
		Keep:  KeepSettings{Chain: 30, Progress: true},
		Fresh: FreshSettings{Size: 7, SizeMax: 20, SizeAfter: 1000, Reach: []int{2, 8}, Few: 60},
		Mutants: mutate.Config{Kinds: kinds, Samples: 1, NeighboursMax: 2, FragmentsMax: 2,
			DictionaryMax: 2*entriesMax + textEntriesMax, UnitsMax: 100},
		Firsts:  FirstSettings{Changes: 128, Kept: 300},
		Batches: BatchSettings{Large: 32, Edits: 16, Waiting: 20},
		Climb:   ClimbSettings{From: 1000, FromText: 200},
		Renew:   RenewSettings{Reset: 1000, Doubling: true, Restart: 60_000},
		Once:    true,
	}
	pair := one
	pair.Schedule = Schedule{
		only("encoder"),
		only("climb"),
		{{Way: "firsts", Sides: 24}},
		{{Way: "fresh", Sides: 20}, {Way: "passed", Sides: 32, Else: "fresh"}, {Way: "havoc", Sides: 4}, {Way: "batches", Sides: Rest}},
		{{Way: "havoc", Sides: 32}},
		only("fresh"),
	}
	pair.Log.Notion, pair.Batches.Defer = Edges, true
	pair.Fresh.Size, pair.Fresh.SizeMax, pair.Fresh.Reach = 40, 40, []int{3}
	return Strategy{
		Name: "guided", Opening: Schedule{only("visit"), only("plain")}, Search: &one, Pair: &pair,
		Plain: PlainSettings{Few: 60, Burst: 200, DenseEarly: 43, DenseLate: 16, EarlyRuns: 5000},
		Twins: twinsSome, LearnTwins: true,
	}
}

// twinsSome is enough to learn whether equal halves pass more often, and too few to delay bugs that need unequal halves.
const twinsSome = 8
