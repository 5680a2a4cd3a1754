// Package realbugs measures how a search finds known bugs of published modules.
//
// Each row is a version of a module with a public bug, and a property that a user of the module would write: over
// ordinary Go types or the types of the module, with nothing declared about them. The rows were fixed before anything
// was measured. Each has an input that fails with the bug (Example), which is only used to check the row, and a rule
// that tells the bug from another failure (Known). Inputs that fail in another way are discarded, in all arms alike.
//
// The arms are allele test, plain go test, rapid, and native fuzzing where the input is bytes or a text. rapid derives
// a generator where it can; else the row has the shortest one. A search has a budget of CPU time, all its processes
// together, and runs on one core from scratch. Package harness counts its runs. The builds are not counted.
//
// The rows called held out are from the bug lists of other modules. They are searched only to see what the search gives
// on programs that no change of it was made for.
package realbugs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment measures bugs of real modules.
var Experiment = lab.Experiment{
	Name: "realbugs",
	Doc:  "runs and CPU time until a known bug of a published module is found, beside plain go test, rapid and native fuzzing",
	Run:  run,
}

// HeldOut measures the rows that are held out.
var HeldOut = lab.Experiment{
	Name: "heldout",
	Doc:  "runs and CPU time until known bugs are found that no change of the search was made for, beside the same tools",
	Run: func(cfg lab.Config) (*lab.Result, error) {
		return start(cfg, "known bugs found that were held out", func(r row) bool { return r.heldOut })
	},
}

// firstSeed is the first seed of the reported searches, as in package search: smaller seeds were used for tuning.
const firstSeed = 5001

var budget = lab.Default[time.Duration]{Full: 120 * time.Second, Quick: 20 * time.Second}

// Seeds of an arm. Other tools stop after few, if these find nothing.
var (
	guidedSeeds = lab.Default[int]{Full: 10, Quick: 1}
	otherSeeds  = lab.Default[int]{Full: 5, Quick: 1}
)

// heldOutSeeds is the maximum number of searches of a tool for a row that is held out.
const heldOutSeeds = 5

// hopeless is the number of searches without success after which a tool other than guided makes no more.
const hopeless = 3

func run(cfg lab.Config) (*lab.Result, error) {
	return start(cfg, "known bugs of published modules found", func(r row) bool { return !r.heldOut })
}

// start measures some of the rows.
func start(cfg lab.Config, title string, of func(row) bool) (*lab.Result, error) {
	s := &study{Config: cfg, name: "full", title: title, rows: slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !of(r) }),
		arms: []arm{guided, plain, rapid, native}, budget: budget}
	return s.result()
}

// result makes the searches of a study.
func (s *study) result() (*lab.Result, error) {
	if s.Quick {
		s.name, s.arms = "quick", s.arms[:1]
		s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return !r.quick })
	}
	only, err := s.Match()
	if err != nil {
		return nil, err
	}
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return !only(r.name) })
	if len(s.rows) == 0 {
		return nil, errors.New("-only matches no row")
	}
	s.plan()
	err = s.run()
	if len(s.outcomes) == 0 {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	return res, errors.Join(err, s.check())
}

// plan lists the trials: the first seeds of all rows come first, and guided before the others.
func (s *study) plan() {
	for _, a := range s.arms {
		seeds := s.SeedsOr(otherSeeds)
		if a == guided {
			seeds = s.SeedsOr(guidedSeeds)
		}
		for i := range seeds {
			for _, r := range s.rows {
				if r.has(a) && (!r.heldOut || i < heldOutSeeds) {
					s.trials = append(s.trials, trial{row: r, Arm: a, Seed: firstSeed + uint64(i), Budget: s.BudgetOr(s.budget)})
				}
			}
		}
	}
	slices.SortStableFunc(s.trials, func(a, b trial) int { return cmp.Compare(a.Seed, b.Seed) })
}

// check returns an error if a quick search has found nothing: its rows are easy.
func (s *study) check() (err error) {
	if !s.Quick {
		return nil
	}
	for g, all := range s.outcomes {
		for _, o := range all {
			if !o.found() {
				err = errors.Join(err, fmt.Errorf("%s %s: the known bug was not found in %d runs", g.row, g.arm, o.Runs))
			}
		}
	}
	return err
}
