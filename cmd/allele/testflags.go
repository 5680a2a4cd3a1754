package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/job"
)

// searchFlags are the flags of allele test that say how to search.
type searchFlags struct {
	params   job.Params // what the flags amount to
	workers  int
	strategy string
	tests    string
	seed     string
	operands string
	fresh    bool
}

func (s *searchFlags) register(f *flag.FlagSet) {
	p := &s.params
	f.DurationVar(&p.Budget, "for", 0, "spend this `time` on all properties together, instead of a number of tests on each")
	f.StringVar(&s.tests, "tests", "", "`number` of passed runs each property wants")
	f.StringVar(&s.seed, "seed", "", "seed of the random inputs, a `number` or random")
	f.StringVar(&s.strategy, "strategy", "", "the `way` to search: guided by the paths of runs, which is the default, "+
		"random, or one of the papers': mutagen, fuzzchick")
	f.StringVar(&p.Log, "log", "", "write a line to this `file` for every input that is kept, and why, and for one that fails")
	f.StringVar(&s.operands, "operands", "auto", "look for what inputs are compared with, in a second build and process: auto or `off`")
	f.IntVar(&s.workers, "workers", 0, "`number` of processes at work at a time (default one for each processor with -for, else 1)")
	f.BoolVar(&p.KeepGoing, "keep-going", false, "look for other failures of a property when one is found (default with -for)")
	f.BoolVar(&s.fresh, "fresh", false, "start from scratch: do not use the inputs that earlier searches saved")
	f.BoolVar(&p.Save, "save", false, "write a few inputs that pass to testdata, for go test to begin with")
}

// check reads the flags that are texts, and refuses what cannot be. Files are relative
// to dir.
func (s *searchFlags) check(f *flag.FlagSet, dir string) error {
	p := &s.params
	given := false
	f.Visit(func(f *flag.Flag) { given = given || f.Name == "keep-going" })
	p.KeepGoing = p.KeepGoing || !given && p.Budget > 0
	if s.workers < 0 || s.workers > campaign.WorkersMax {
		return fmt.Errorf("-workers: want a number from 1 to %d, not %d", campaign.WorkersMax, s.workers)
	}
	if p.Budget < 0 {
		return fmt.Errorf("-for: want a time above 0, not %v", p.Budget)
	}
	if err := s.readNumbers(); err != nil {
		return err
	}
	strategy, err := campaign.ParseStrategy(s.strategy)
	if err != nil {
		return fmt.Errorf("-strategy: %w", err)
	}
	p.Strategy = string(strategy)
	if err := s.startLog(dir); err != nil {
		return fmt.Errorf("-log: %w", err)
	}
	if s.operands != "auto" && s.operands != "off" {
		return fmt.Errorf("-operands: there is no %q; there are auto and off", s.operands)
	}
	if p.Save && !strategy.Keeps() {
		return fmt.Errorf("-save: -strategy %s keeps no inputs; do without one of them", strategy)
	}
	p.Fresh = s.fresh || p.Seed != nil // the same seed, the same runs
	return nil
}

// readNumbers reads -tests and -seed. A random seed is chosen here, so that all
// processes have the same.
func (s *searchFlags) readNumbers() error {
	if n, err := strconv.ParseUint(s.tests, 10, 64); err == nil && n == 0 {
		return errors.New("-tests: want a number above 0: a property that is never run says nothing")
	} else if err != nil && s.tests != "" {
		return fmt.Errorf("-tests: want a number, not %q", s.tests)
	} else {
		s.params.Tests = int(min(n, math.MaxInt32))
	}
	n, err := strconv.ParseUint(s.seed, 10, 64)
	switch {
	case s.seed == "":
		return nil
	case s.seed == "random":
		n = uint64(rand.Uint32())
	case err != nil:
		return fmt.Errorf("-seed: want a number, not %q", s.seed)
	}
	s.params.Seed = &n
	return nil
}

// startLog makes the file of -log, empty. Binaries append to it from folders of
// their own.
func (s *searchFlags) startLog(dir string) (err error) {
	log := s.params.Log
	if log == "" {
		return nil
	}
	if dir != "" && !filepath.IsAbs(log) {
		log = filepath.Join(dir, log)
	}
	if log, err = filepath.Abs(log); err != nil {
		return err
	}
	if info, err := os.Stat(log); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", log)
	}
	s.params.Log = log
	return os.WriteFile(log, nil, 0o666)
}

// keeps reports whether the search saves inputs, and goes on with saved ones.
func (s *searchFlags) keeps() bool { return campaign.Strategy(s.params.Strategy).Keeps() }

// wantsOperands reports whether the search has a use for operands.
func (s *searchFlags) wantsOperands() bool { return s.operands != "off" && s.keeps() }
