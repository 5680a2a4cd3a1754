//go:build go1.25

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
	"time"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/store/dict"
)

// The default budget of a search is eachDefault for each property, but not more than allDefault in
// all, unless there are so many properties that less than leastDefault would be left for each.
// See docs/notes/campaign.md for the measurements.
const (
	eachDefault  = 10 * time.Second
	allDefault   = time.Minute
	leastDefault = time.Second
	defaultText  = "10s for each property, and at most a minute for up to 60 properties"
)

// defaultBudget returns the budget of a search of n properties, if the user gave none.
func defaultBudget(n int) time.Duration {
	return max(min(time.Duration(n)*eachDefault, allDefault), time.Duration(n)*leastDefault)
}

// searchFlags are the flags of allele test for the search.
type searchFlags struct {
	params   job.Params // the parsed flags; check sets Strategy, Tests, Seed and Fresh from the fields below
	workers  int
	strategy string
	tests    string
	seed     string
	dict     string
	operands string
	guide    string
	of       string
	share    string
	fresh    bool
	unused   int // words of the dictionary that are too long
}

func (s *searchFlags) register(f *flag.FlagSet) {
	p := &s.params
	f.DurationVar(&p.Budget, "for", 0, "search all properties together for this `time` (default "+defaultText+")")
	f.StringVar(&s.tests, "tests", "", "`number` of passed runs for each property, instead of a time: the same runs each time")
	f.StringVar(&s.seed, "seed", "", "seed of the random inputs: a `number`, or random")
	f.StringVar(&s.strategy, "strategy", "", "search `strategy`: guided (by the paths of runs, the default) or random")
	f.StringVar(&p.Log, "log", "", "write a line to this `file` for every input that shows something new, and why, "+
		"and for every failing input")
	f.StringVar(&s.dict, "dict", "", "insert the words of this `file` into texts: a dictionary of AFL or libFuzzer")
	f.StringVar(&s.operands, "operands", "auto", "use the operands of comparisons, "+
		"which need a second build and process: the `mode` is auto or off")
	f.StringVar(&s.guide, "guide", "paths", "what saves an input: a new `kind` of run. paths means a new path; "+
		"faults means also that it notices a fault, a small change of the code, for the first time")
	f.StringVar(&s.of, "of", "", "with -guide=faults, put faults into these packages instead of those that are tested: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.IntVar(&s.workers, "workers", 0, "`number` of processes that run at a time "+
		"(default: 1 with -tests, -seed or -log, otherwise one for each processor)")
	f.StringVar(&s.share, "share", "", "exchange inputs with campaigns on other hosts, through this `folder` that all of them can reach")
	f.BoolVar(&p.KeepGoing, "keep-going", false, "search for more failures of a property after the first (default with -for)")
	f.BoolVar(&s.fresh, "fresh", false, "start from scratch: do not use the inputs that earlier searches saved")
	f.BoolVar(&p.Save, "save", false, "write a few passing inputs to testdata, for go test to start with")
}

// check parses the flags that are texts, and returns an error for invalid values. The
// path of -log is relative to dir.
func (s *searchFlags) check(f *flag.FlagSet, dir string) error {
	p := &s.params
	p.KeepGoing = p.KeepGoing || !isGiven(f, "keep-going") && p.Budget > 0
	if s.workers < 1 && isGiven(f, "workers") || s.workers > campaign.WorkersMax {
		return fmt.Errorf("-workers: want a number from 1 to %d, not %d", campaign.WorkersMax, s.workers)
	}
	if p.Budget <= 0 && isGiven(f, "for") {
		return fmt.Errorf("-for: want a time above 0, not %v", p.Budget)
	}
	if err := s.readNumbers(); err != nil {
		return err
	}
	if s.tests != "" && isGiven(f, "for") {
		return errTestsAndTime
	}
	if s.strategy != "" && s.strategy != job.Guided && s.strategy != job.Random {
		return fmt.Errorf("-strategy: unknown strategy %q; use one of %s, %s", s.strategy, job.Guided, job.Random)
	}
	p.Strategy = s.strategy
	var err error
	if p.Experiment, err = job.ReadExperiment(); err != nil {
		return err
	}
	if err := s.startLog(dir); err != nil {
		return fmt.Errorf("-log: %w", err)
	}
	if err := s.readDict(dir); err != nil {
		return fmt.Errorf("-dict: %w", err)
	}
	if s.operands != "auto" && s.operands != "off" {
		return fmt.Errorf("-operands: want auto or off, not %q", s.operands)
	}
	switch faults := s.guide == guideFaults; {
	case s.guide != "paths" && !faults:
		return fmt.Errorf("-guide: want paths or faults, not %q", s.guide)
	case faults && !p.Keeps():
		return fmt.Errorf("-guide=faults: -strategy %s is not guided; use only one of the two flags", s.strategy)
	case s.of != "" && !faults:
		return errors.New("-of: only -guide=faults uses faults; add that flag")
	}
	if s.dict != "" && !p.Keeps() {
		return fmt.Errorf("-dict: -strategy %s does not use words; use only one of the two flags", s.strategy)
	}
	if err := s.checkShare(dir); err != nil {
		return err
	}
	if p.Save && !p.Keeps() {
		return fmt.Errorf("-save: -strategy %s does not save inputs; use only one of the two flags", s.strategy)
	}
	p.Default = p.Budget == 0 && s.tests == "" && s.seed == "" && p.Keeps() && os.Getenv("ALLELE_TESTS") == ""
	p.Fresh = s.fresh || p.Seed != nil // saved inputs would change the runs, but the same seed must give the same runs
	return nil
}

var errTestsAndTime = errors.New("-tests: -for gives a time instead of a number of runs; use only one of the two flags")

// readNumbers parses -tests and -seed. For -seed random it chooses the seed here, so that
// all processes use the same seed.
func (s *searchFlags) readNumbers() error {
	if n, err := strconv.ParseUint(s.tests, 10, 64); err == nil && n == 0 {
		return errors.New("-tests: want a number above 0: a property that is not run checks nothing")
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

// startLog creates an empty file for -log and makes its path absolute: test binaries
// append to it, and they run in other folders.
func (s *searchFlags) startLog(dir string) (err error) {
	log := s.params.Log
	if log == "" {
		return nil
	}
	if log, err = within(dir, log); err != nil {
		return err
	}
	if info, err := os.Stat(log); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", log)
	}
	s.params.Log = log
	return os.WriteFile(log, nil, 0o666)
}

// readDict checks the dictionary and makes its path absolute: test binaries read it, and they
// run in other folders.
func (s *searchFlags) readDict(dir string) (err error) {
	if s.dict == "" {
		return nil
	}
	file := fromDir(dir, s.dict) // as the user knows it, for errors
	words, err := dict.Read(file)
	if err != nil {
		return err
	}
	if s.params.Dict, err = filepath.Abs(file); err != nil {
		return err
	}
	for _, w := range words {
		if len(w) > dict.WordMax {
			s.unused++
		}
	}
	return nil
}

// keeps reports whether the search uses a corpus.
func (s *searchFlags) keeps() bool { return s.params.Keeps() }

// wantsOperands reports whether the search uses operands.
func (s *searchFlags) wantsOperands() bool { return s.operands != "off" && s.keeps() }

// checkShare returns an error if -share does not go with the other flags. It makes the path
// of the folder absolute.
func (s *searchFlags) checkShare(dir string) (err error) {
	switch {
	case s.share == "":
		return nil
	case s.params.Seed != nil:
		return errors.New("-share: inputs of other hosts would change the runs, but -seed promises the same runs; " +
			"use only one of the two flags")
	case !s.keeps():
		return fmt.Errorf("-share: -strategy %s does not use the inputs of others; use only one of the two flags", s.strategy)
	}
	s.share, err = within(dir, s.share)
	return err
}

// guideFaults is the value of -guide that uses faults.
const guideFaults = "faults"

// faults returns which packages get faults, or nil if the search does not use faults.
func (s *searchFlags) faults() *build.Faults {
	if s.guide != guideFaults {
		return nil
	}
	return &build.Faults{Of: commaList(s.of)}
}
