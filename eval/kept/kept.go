// Package kept measures whether novelty selects: what share of its runs a guided search keeps on
// real modules, and in how many runs it finds known bugs of them.
//
// A search keeps an input that shows something new. In a large program nearly every second run
// shows a combination of edges that was not seen before, and a search that keeps all of these
// selects nothing. So the strategy guided keeps combinations for a small share of runs only. It
// is compared with the same strategy without that limit, without edits of texts and without
// climbing ("before").
//
// Each search is one call of the command, with one process, from scratch.
package kept

import (
	"errors"
	"fmt"
	"slices"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment measures shares and bugs.
var Experiment = lab.Experiment{
	Name: "kept",
	Doc:  "share of runs that a search keeps on three real modules, and runs to two of their known bugs, before and now",
	Run:  run,
}

// firstSeed is the first seed of the reported searches, as in package search: smaller seeds were
// used for tuning.
const firstSeed = 5001

const (
	shareMax  = 0.10 // the share of runs that a search may keep
	shareRuns = 100_000
	bugRuns   = 1_000_000 // after so many runs a bug counts as not found
	quickRuns = 5_000
	quickMax  = 0.20 // a short search keeps more, because most edges are new
)

// seeds is how many searches each subject gets.
var seeds = map[string]int{"expr": 3, "roaring": 3, "jsonpatch": 3, "expr857": 5, "indices": 10}

// arm is a setting of the search.
type arm string

const (
	before arm = "before"
	now    arm = "now"

	unbounded arm = "unbounded" // see waiting.go
)

func (a arm) strategy() string {
	switch a {
	case before:
		return "guided-atoms"
	case unbounded:
		return "guided-unbounded"
	}
	return "guided"
}

func run(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "full", subjects: subjects}
	if cfg.Quick {
		s.name, s.subjects = "quick", subjects[2:3]
	}
	if err := s.choose(); err != nil {
		return nil, err
	}
	s.plan()
	err := s.run()
	if len(s.outcomes) == 0 {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	return res, errors.Join(err, s.check())
}

// choose leaves out subjects that -only does not match.
func (s *study) choose() error {
	only, err := s.Match()
	if err != nil {
		return err
	}
	s.subjects = slices.DeleteFunc(slices.Clone(s.subjects), func(x subject) bool { return !only(x.name) })
	if len(s.subjects) == 0 {
		return errors.New("-only matches no subject")
	}
	return nil
}

// plan lists the trials, the first seed of all subjects first.
func (s *study) plan() {
	most := s.Seeds
	if most == 0 {
		most = slices.Max([]int{seeds["expr"], seeds["expr857"], seeds["indices"]})
	}
	for i := range most {
		for _, x := range s.subjects {
			if s.Seeds == 0 && i >= seeds[x.name] {
				continue
			}
			for _, a := range []arm{before, now} {
				s.trials = append(s.trials, trial{subject: x, Arm: a, Seed: firstSeed + uint64(i), Passes: s.passes(x)})
			}
		}
	}
	if s.Quick {
		s.trials = slices.DeleteFunc(s.trials[:2], func(tr trial) bool { return tr.Arm == before })
	}
}

// passes returns how many runs of a subject must pass before its search ends: the command counts
// only these. The number of all runs is then about shareRuns, or at least bugRuns.
func (s *study) passes(x subject) int {
	runs := shareRuns
	switch {
	case s.Quick:
		runs = quickRuns
	case x.bug.name != "":
		runs = bugRuns
	}
	if x.pass > 0 {
		return int(x.pass * float64(runs))
	}
	return runs
}

// check returns an error if a search keeps too much, or if a search for a bug was too short.
func (s *study) check() (err error) {
	most := shareMax
	if s.Quick {
		most = quickMax
	}
	for _, x := range s.subjects {
		if x.bug.name != "" {
			err = errors.Join(err, s.checkRuns(x))
			continue
		}
		for _, o := range s.outcomes[group{x.name, now}] {
			if o.share() >= most {
				err = errors.Join(err, fmt.Errorf("%s: %d of %d runs are kept, and less than %.0f %% are expected",
					x.name, o.Kept, o.Runs, 100*most))
			}
		}
	}
	return err
}

// checkRuns returns an error if a search for a bug ended without it before bugRuns runs: then the
// searches that are compared do not have the same number of runs.
func (s *study) checkRuns(x subject) (err error) {
	for _, a := range []arm{before, now} {
		for _, o := range s.outcomes[group{x.name, a}] {
			if o.Found == 0 && o.Runs < bugRuns {
				err = errors.Join(err, fmt.Errorf("%s, %s: a search ended after %d runs, but all must make %d; "+
					"raise the share that passes in subjects.go", x.name, a, o.Runs, bugRuns))
			}
		}
	}
	return err
}
