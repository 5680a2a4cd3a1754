// Package papers has the search loops that allele is compared with, as settings of its own search: those
// of QuickCheck, FuzzChick and MUTAGEN with their variants, and earlier versions of allele.
//
//	loop, err := papers.Named("mutagen:clauses")               // for a search in this process
//	cmd.Env = append(cmd.Env, papers.Variable("guided-atoms")) // for a search by the command
//
// The command has no names for these strategies. It reads their settings from an environment variable that is for
// experiments only.
package papers

import (
	"slices"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/mutate"
)

// only is a stage of a single way.
func only(way string) engine.Stage { return engine.Stage{{Way: way}} }

// Guided returns allele's own strategy.
func Guided() *engine.Strategy {
	s := engine.Guided()
	return &s
}

// Random returns the strategy of QuickCheck: fresh terms only.
func Random() *engine.Strategy {
	return &engine.Strategy{Name: "random", Opening: engine.Schedule{only("plain")}}
}

// twinsAlways makes all fresh pairs twins.
const twinsAlways = 64

// RandomTwins returns the strategy of QuickCheck, with the generator for pairs that the
// papers used for every tool: it generates one half and copies it.
func RandomTwins() *engine.Strategy {
	s := Random()
	s.Name, s.Twins = "random-twins", twinsAlways
	return s
}

// In the MUTAGEN paper, the size is the depth of a term and also the range of its
// numbers. Here the size is a number of cells: of the sizes that were tried, paperSize
// comes nearest to the paper's results.
const (
	paperSize  = 16
	paperReach = 3
)

// paper is the schedule of the papers' search loops: they change kept terms, and generate a fresh
// term when they have no change to make.
func paper(way string) engine.Schedule {
	return engine.Schedule{only("encoder"), {{Way: way, Sides: engine.Rest}}, only("fresh")}
}

// Mutagen returns the search loop of the MUTAGEN paper. It tries all mutants of a term
// and keeps terms with new paths. Passed terms come before discarded ones, shallow before
// deep, and the newest first.
func Mutagen() *engine.Strategy {
	return &engine.Strategy{Name: "mutagen", Twins: twinsAlways, Opening: engine.Schedule{only("visit")}, Search: &engine.Settings{
		Schedule: paper("batches"),
		Fresh:    engine.FreshSettings{Size: paperSize, SizeMax: paperSize, Reach: []int{paperReach}},
		Mutants:  mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: paperReach},
		Keep:     engine.KeepSettings{Chain: 10},
		Renew:    engine.RenewSettings{Reset: 1000, Doubling: true},
	}}
}

// MutagenBitmap returns the later version of MUTAGEN by its authors, for the notion
// bitmap.
func MutagenBitmap() *engine.Strategy {
	s := Mutagen()
	s.Name = "mutagen-bitmap"
	return s
}

// MutagenFIFO returns an ablation of the paper, for the notion oldest.
func MutagenFIFO() *engine.Strategy {
	s := Mutagen()
	s.Name = "mutagen-fifo"
	return s
}

// MutagenNoReset returns the other ablation of the paper: a fixed number of samples
// instead of the reset.
func MutagenNoReset(samples int) *engine.Strategy {
	s := Mutagen()
	s.Name, s.Search.Renew.Reset, s.Search.Mutants.Samples = "mutagen-noreset", 0, samples
	return s
}

// FuzzChick returns the search loop of the FuzzChick paper (2019): random changes,
// energy, and an edge map.
func FuzzChick() *engine.Strategy {
	return &engine.Strategy{Name: "fuzzchick", Twins: twinsAlways, Opening: engine.Schedule{only("visit")}, Search: &engine.Settings{
		Schedule: paper("energy"),
		Log:      engine.LogSettings{Notion: engine.Edges},
		Fresh:    engine.FreshSettings{Size: 7, SizeMax: 7, Reach: []int{7}},
		Mutants:  mutate.Config{Size: 7},
		Keep:     engine.KeepSettings{Chain: 1 << 20, Discarded: true},
	}}
}

// Queued returns Guided as it was before the way firsts: a term with a new edge waits for its turn in the queue, and
// no part is nested in itself. There are no copies from field to field either, fewer lists are short, and the queues
// have no bound.
func Queued() *engine.Strategy {
	s := NoCopies()
	s.Name, s.Plain.Few = "guided-queued", 0
	for _, l := range []*engine.Settings{s.Search, s.Pair} {
		l.Fresh.Few, l.Batches.Waiting = 32, 0
		l.Schedule = slices.DeleteFunc(l.Schedule, func(stage engine.Stage) bool { return stage[0].Way == "firsts" })
		l.Mutants.Kinds &^= mutate.Nested
	}
	return s
}

// guidedWith returns Guided with another setting.
func guidedWith(name string, set func(*engine.Settings)) *engine.Strategy {
	s := Guided()
	s.Name = name
	set(s.Search)
	set(s.Pair)
	return s
}

// FirstsAlways returns Guided with first changes from the start of the search.
func FirstsAlways() *engine.Strategy {
	return guidedWith("guided-firsts-always", func(l *engine.Settings) { l.Firsts.Kept = 0 })
}

// NestsFirst returns Guided with nests only among the first changes.
func NestsFirst() *engine.Strategy {
	return guidedWith("guided-nests-first", func(l *engine.Settings) { l.Mutants.Kinds &^= mutate.Nested })
}

// Unbounded returns Guided with queues that hold whatever is kept, however little of it can be worked off.
func Unbounded() *engine.Strategy {
	return guidedWith("guided-unbounded", func(l *engine.Settings) { l.Batches.Waiting = 0 })
}

// LongLists returns Guided with fresh lists of any length only, as they were before some became short.
func LongLists() *engine.Strategy {
	return guidedWith("guided-long-lists", func(l *engine.Settings) { l.Fresh.Few = 0 })
}

// NoCopies returns Guided without copies of numbers and texts from field to field. Havoc has their turns.
func NoCopies() *engine.Strategy {
	return guidedWith("guided-no-copies", func(l *engine.Settings) {
		for i, stage := range l.Schedule {
			copies := slices.IndexFunc(stage, func(s engine.Share) bool { return s.Way == "copies" })
			if copies < 0 {
				continue
			}
			sides := stage[copies].Sides
			stage = slices.Delete(slices.Clone(stage), copies, copies+1)
			for k := range stage {
				if stage[k].Way == "havoc" {
					stage[k].Sides += sides
				}
			}
			l.Schedule[i] = stage
		}
	})
}

// GuidedAtoms returns Queued without what it does about texts and about properties that hardly
// any input passes: a text is changed as a whole, discarded terms are no stepping stones, and
// any combination of features is a reason to keep a term. Experiments compare Guided with it.
func GuidedAtoms() *engine.Strategy {
	s := Queued()
	s.Name = "guided-atoms"
	for _, l := range []*engine.Settings{s.Search, s.Pair} {
		l.Climb, l.Log.Combinations = engine.ClimbSettings{}, 0
		l.Mutants.Kinds &^= mutate.Text
	}
	return s
}

// Faults returns the strategy of the MutaGen paper: a finite list of faults in an encoder. Which faults
// are made depends on the Forger, so the strategy has several names.
func Faults(name string) *engine.Strategy {
	return &engine.Strategy{Name: name, Opening: engine.Schedule{only("faults")}}
}
