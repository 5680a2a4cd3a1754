// Package text measures how a search finds inputs that a parser accepts.
//
// Each target is a real parser, with a strict definition of valid inputs, and the same property
// for each tool: an input is discarded unless it is valid. All tools run the same code, with
// copies of packages of the standard library, and package harness counts the runs of each. A
// search has a budget of CPU time, all its processes together, and runs on one core. It starts
// with an empty cache: from nothing, or from one small valid input. Of some parsers the format
// can be declared as a regular expression: rapid gets it, and allele too in the arm match.
// Afterwards all inputs that the search has run are run again with coverage counters, which
// count the blocks of the parser that they reach.
//
// The experiment magic does the same for properties that want a certain value. There a search
// ends with the first valid input. So it does in the experiment planted, where an input counts
// if it shows a bug in a copy of a parser.
package text

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment measures parsers.
var Experiment = lab.Experiment{
	Name: "text",
	Doc:  "valid inputs of real parsers: runs and CPU time to the first, how many, and blocks reached, beside native fuzzing and rapid",
	Run:  run,
}

// Magic measures magic values.
var Magic = lab.Experiment{
	Name: "magic",
	Doc:  "runs until an assumption about a magic value holds, beside native fuzzing",
	Run:  runMagic,
}

// Planted measures bugs.
var Planted = lab.Experiment{
	Name: "planted",
	Doc:  "runs and CPU time until a text shows a bug that was planted in a parser, beside native fuzzing",
	Run:  runPlanted,
}

// firstSeed is the first seed of the reported searches, as in package search: smaller seeds were
// used for tuning.
const firstSeed = 5001

var (
	budget = lab.Default[time.Duration]{Full: 20 * time.Second, Quick: 2 * time.Second}
	// From a seed, at most half as many trials are made as from nothing.
	repetitions = lab.Default[int]{Full: 10, Quick: 1}
	// whole is how many searches of each kind use all of their time. The others end with the first
	// valid input.
	whole = 3
)

func run(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "text", targets: parsers, arms: []arm{before, now, native, rapid, match}}
	if cfg.Quick {
		s.name, s.targets, s.arms = "quick", quick(parsers), []arm{now, match}
	}
	seeds := cfg.SeedsOr(repetitions)
	if err := s.choose(); err != nil {
		return nil, err
	}
	for i := range seeds {
		s.add(nothing, i, s.arms...)
		if !cfg.Quick && 2*i < len(seeds) && i < whole {
			s.add(seeded, i, now, native)
		}
	}
	s.prefer(now, native)
	return s.result(len(seeds))
}

func runMagic(cfg lab.Config) (*lab.Result, error) { return runFirst(cfg, "magic", magic) }

func runPlanted(cfg lab.Config) (*lab.Result, error) { return runFirst(cfg, "planted", planted) }

// runFirst makes searches that end with the first input that counts, from nothing.
func runFirst(cfg lab.Config, name string, targets []target) (*lab.Result, error) {
	s := &study{Config: cfg, name: name, targets: targets, arms: []arm{before, now, native}, first: true}
	if cfg.Quick {
		s.name, s.targets, s.arms = "quick"+name, quick(targets), []arm{now}
	}
	seeds := cfg.SeedsOr(repetitions)
	if err := s.choose(); err != nil {
		return nil, err
	}
	for i := range seeds {
		s.add(nothing, i, s.arms...)
	}
	s.prefer(now)
	return s.result(len(seeds))
}

func quick(all []target) (some []target) {
	for _, t := range all {
		if t.quick {
			some = append(some, t)
		}
	}
	return some
}

// choose leaves out targets that -only does not match.
func (s *study) choose() error {
	only, err := s.Match()
	if err != nil {
		return err
	}
	s.targets = slices.DeleteFunc(slices.Clone(s.targets), func(t target) bool { return !only(t.name) })
	if len(s.targets) == 0 {
		return errors.New("-only matches no target")
	}
	return nil
}

// add adds a trial of each target with each of the arms that it has.
func (s *study) add(from start, i int, arms ...arm) {
	for _, t := range s.targets {
		for _, a := range arms {
			if !t.has(a.kind()) {
				continue
			}
			s.trials = append(s.trials, trial{target: t, Start: from, Arm: a, Seed: firstSeed + uint64(i),
				Budget: s.BudgetOr(budget), First: s.first || i >= whole})
		}
	}
}

// prefer moves trials to the front: those of the given arms with the first seed, then the others
// of the first arm from nothing, then the other arms with the first seed, then the rest of the
// given arms. A run that is interrupted has made these.
func (s *study) prefer(arms ...arm) {
	slices.SortStableFunc(s.trials, func(a, b trial) int { return cmp.Compare(a.rank(arms), b.rank(arms)) })
}

func (tr trial) rank(arms []arm) int {
	switch {
	case slices.Contains(arms, tr.Arm) && tr.Seed == firstSeed:
		return 0
	case tr.Arm == arms[0] && tr.Start == nothing:
		return 1
	case tr.Seed == firstSeed:
		return 2
	case slices.Contains(arms, tr.Arm):
		return 3
	}
	return 4
}

// result runs the trials. A quick run fails if a search finds nothing.
func (s *study) result(seeds int) (*lab.Result, error) {
	err := s.run()
	if len(s.outcomes) == 0 {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{"first seed": firstSeed, "cpu s of a trial": s.BudgetOr(budget).Seconds()}}
	for i := range seeds {
		res.Seeds = append(res.Seeds, firstSeed+uint64(i))
	}
	s.report(res)
	if s.Quick {
		for g, os := range s.outcomes {
			for _, o := range os {
				if o.Runs == 0 || o.Valid == 0 || o.FirstRun == 0 {
					err = errors.Join(err, fmt.Errorf("%s: %d runs, %d valid", g, o.Runs, o.Valid))
				}
			}
		}
	}
	return res, err
}
