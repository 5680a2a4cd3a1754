// Package mu2 repeats the experiment of the paper Mu2 (Laybourn, Vikram, Li, Padhye: Guiding greybox
// fuzzing with mutation testing, ISSTA 2023) with Go programs: does a search that saves the inputs
// which kill new faults find better inputs than a search that is guided by coverage alone?
//
// Both arms use the same generators and the same changes of inputs. They differ in what is saved. The
// arm coverage runs a program without faults, as a user would. After a search all saved inputs judge
// all faults again, also those that the search has killed, so both arms are measured in the same way.
//
//	time      saved inputs after the same CPU time (Table I of the paper)
//	trials    the coverage arm cut at the number of runs of the other arm (Table II)
//	coverage  blocks that the saved inputs reach, relative to the coverage arm (Fig. 8)
//	oracle    share of the kills by difference, and the score without comparing runs (Fig. 7)
//	split     half of the faults guide the search, and the other half only scores it
//	speed     runs per second with and without pruning (Fig. 6), and time over runs (Fig. 5)
//
// Each trial is one call of the command, with one process, from scratch. Its outcome is kept in the
// cache, by the checksum of the command and the property.
package mu2

import (
	"errors"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/proc/job"
)

// Experiment makes all trials and all tables.
var Experiment = lab.Experiment{
	Name: "mu2",
	Doc:  "searches guided by coverage and by killed faults, on five modules: which faults the saved inputs kill",
	Run:  run,
}

// firstSeed is the first seed of the reported searches, as in package search: smaller seeds were
// used for tuning.
const firstSeed = 5001

// figureSeeds is how many searches the figures need that compare costs.
const figureSeeds = 3

// arm is a setting of the search.
type arm string

const (
	coverage arm = "coverage"
	faults   arm = "faults" // guided by killed faults too
	split    arm = "split"  // guided by the faults with even numbers

	// The algorithm of the paper runs the faults that are alive with every input: those that change a
	// value, those at places that a run reaches, or all of them.
	infection arm = "infection"
	execution arm = "execution"
	unpruned  arm = "unpruned"
)

// onlySpeed reports whether an arm shows only how fast a search is. What its inputs kill is not judged.
func (a arm) onlySpeed() bool { return a == infection || a == execution || a == unpruned }

// guides has what the arms that use faults change: the algorithm of the Mu2 paper with all of its pruning, with some
// of it and with none; and guidance by half of the faults.
var guides = map[arm]job.Mu2{
	faults:    {},
	infection: {Pure: true},
	execution: {Pure: true, Prune: "execution"},
	unpruned:  {Pure: true, Prune: "none"},
	split:     {Half: true},
}

func run(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "full", targets: targets}
	s.budget = cfg.BudgetOr(lab.Default[time.Duration]{Full: time.Minute, Quick: time.Second})
	if cfg.Quick {
		s.name, s.targets = "quick", targets[:1]
	}
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	s.targets = slices.DeleteFunc(slices.Clone(s.targets), func(t target) bool { return !only(t.name) })
	if len(s.targets) == 0 {
		return nil, errors.New("-only matches no target")
	}
	s.plan()
	err = s.run()
	if len(s.outcomes) == 0 {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{"budget cpu s": s.budget.Seconds()}}
	s.report(res)
	return res, err
}

// plan lists the trials, the first seed of all targets first. The arm faults comes before the arm
// coverage, which is cut at its number of runs.
func (s *study) plan() {
	n := len(s.SeedsOr(lab.Default[int]{Full: 20, Quick: 1}))
	for i := range n {
		for _, t := range s.targets {
			arms := []arm{faults, coverage}
			if !s.Quick {
				arms = append(arms, split)
			}
			if i < figureSeeds && !s.Quick {
				arms = append(arms, infection, execution, unpruned)
			}
			for _, a := range arms {
				s.trials = append(s.trials, trial{target: t, Arm: a, Seed: firstSeed + uint64(i), Budget: s.budget})
			}
		}
	}
}
