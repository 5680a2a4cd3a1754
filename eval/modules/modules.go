// Package modules compares the own tests of published modules, plain and with probes.
//
// Rewriting must not change what a program does. So each module of the list is copied, and
// its test suite is built twice: by go test -c, and with probes, by the calls that the
// command makes. Both suites run in turns, package by package, and the outcomes of all
// tests and subtests are compared.
//
// The copy requires the library, and each test package imports it. That is needed for the
// probes, and is the same on both sides, so that only the probes differ. There is no limit
// on the hits of a run. Tests run with -short. A package whose tests take more than three
// minutes of CPU time is left out and named.
//
// A difference is run five times alone on both sides. It is ours unless the plain tests
// vary too.
//
// Each build starts with a build cache that contains the standard library and the library, and
// nothing else, so the dependencies of the module are compiled on both sides. The cost of a build is the CPU time of
// this process and of all processes that it starts, and the cost of a suite is the CPU time
// of its processes.
package modules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment runs the tests of all modules with ordinary probes.
var Experiment = lab.Experiment{
	Name: "modules",
	Doc:  "the own tests of published modules, plain and with probes: every difference, and the cost of builds and runs",
	Run: func(cfg lab.Config) (*lab.Result, error) {
		list := subjects
		if cfg.Quick {
			list = slices.DeleteFunc(slices.Clone(list), func(s subject) bool { return !s.quick })
		}
		return runAll(cfg, list, []mode{probes})
	},
}

// Modes runs the tests of some modules in the other ways of building.
var Modes = lab.Experiment{
	Name: "modes",
	Doc:  "the own tests of published modules with call probes and -race, recorded operands, and checked positions",
	Run: func(cfg lab.Config) (*lab.Result, error) {
		list, modes := slices.DeleteFunc(slices.Clone(subjects), func(s subject) bool { return !s.modes }), []mode{race, operands, checked}
		if cfg.Quick {
			list, modes = slices.DeleteFunc(list, func(s subject) bool { return !s.quick })[:1], []mode{checked}
		}
		return runAll(cfg, list, modes)
	},
}

// Unfaulted runs the tests of some modules in builds with faults that are all off.
var Unfaulted = lab.Experiment{
	Name: "unfaulted",
	Doc:  "the own tests of published modules in a build with faults, all of them off, with and without the library",
	Run: func(cfg lab.Config) (*lab.Result, error) {
		list, modes := slices.DeleteFunc(slices.Clone(subjects), func(s subject) bool { return !s.quick }), []mode{faults, bareFaults}
		if cfg.Quick {
			list, modes = list[2:], []mode{bareFaults}
		}
		return runAll(cfg, list, modes)
	},
}

func runAll(cfg lab.Config, list []subject, modes []mode) (*lab.Result, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	l := laboratory{Config: cfg, parts: filepath.Join(cache, "allele-eval", "modules")}
	if l.caches, err = foreign.NewCaches(cfg.Quick); err != nil {
		return nil, err
	}
	var all []outcome
	for _, s := range list {
		for _, m := range modes {
			o, known := l.recall(s, m)
			measure := !known
			if cfg.Only != "" {
				measure = only(s.Path)
			}
			if !known && !measure {
				continue
			}
			if measure {
				cfg.Logf("%s, %s", s.Module, m.name)
				o = l.compare(s, m)
				l.keep(s, m, o)
				cfg.Logf("%s", o)
			}
			all = append(all, o)
		}
	}
	return summarise(all)
}

// outcome is the result of one module in one mode.
type outcome struct {
	Module, Mode string
	Revision     string // of this repository
	Packages     int
	Tests        int
	Excluded     []string // packages that are not compared, each with the reason
	Ours         []string // differences that the probes make
	Varying      []string // differences of tests that vary without probes too
	Gone         []string // differences that did not occur again
	Build, Run   ratio
	Err          string // why nothing was compared
}

// ratio is the CPU time, in seconds, of the plain side and of the side with probes.
type ratio struct{ Plain, Probes float64 }

func (r ratio) of() float64 {
	if r.Plain == 0 {
		return 1
	}
	return r.Probes / r.Plain
}

func (o outcome) String() string {
	if o.Err != "" {
		return "  " + o.Err
	}
	text := fmt.Sprintf("  %d packages, %d tests, %d differences of ours, %d that vary, %d gone; build %.2f, run %.2f (%.1f s)",
		o.Packages, o.Tests, len(o.Ours), len(o.Varying), len(o.Gone), o.Build.of(), o.Run.of(), o.Run.Plain)
	for _, list := range [][]string{o.Ours, o.Varying, o.Gone, o.Excluded} {
		for _, line := range list {
			text += "\n    " + line
		}
	}
	return text
}

func summarise(all []outcome) (*lab.Result, error) {
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	var builds, runs []float64
	var errs []error
	tests, modules, revisions := 0, map[string]bool{}, map[string]int{}
	for _, o := range all {
		row := lab.Row{lab.Col("module", o.Module), lab.Col("mode", o.Mode), lab.Col("packages", o.Packages), lab.Col("tests", o.Tests),
			lab.Col("ours", len(o.Ours)), lab.Col("vary plain", len(o.Varying)), lab.Col("gone", len(o.Gone)),
			lab.Col("build cpu s", o.Build.Plain), lab.Col("build ratio", o.Build.of()),
			lab.Col("run cpu s", o.Run.Plain), lab.Col("run ratio", o.Run.of()), lab.Col("left out", strings.Join(o.Excluded, "; "))}
		res.Rows = append(res.Rows, row)
		for what, lines := range map[string][]string{"ours": o.Ours, "varies plain": o.Varying, "gone": o.Gone} {
			for _, line := range lines {
				row := lab.Row{lab.Col("module", o.Module), lab.Col("mode", o.Mode), lab.Col("what", what), lab.Col("test", line)}
				res.Samples = append(res.Samples, row)
			}
		}
		if o.Err != "" {
			errs = append(errs, fmt.Errorf("%s, %s: %s", o.Module, o.Mode, o.Err))
			continue
		}
		for _, line := range o.Ours {
			errs = append(errs, fmt.Errorf("%s, %s: %s", o.Module, o.Mode, line))
		}
		tests, modules[o.Module] = tests+o.Tests, true
		revisions[o.Revision]++
		if o.Run.Plain >= ratioMin {
			runs = append(runs, o.Run.of())
		}
		builds = append(builds, o.Build.of())
	}
	res.Summary["modules"], res.Summary["tests"], res.Summary["revisions"] = len(modules), tests, revisions
	if len(runs) > 0 {
		res.Summary["median run ratio"], res.Summary["worst run ratio"] = lab.Median(runs), slices.Max(runs)
		res.Summary["modules in the run ratio"] = len(runs)
	}
	if len(builds) > 0 {
		res.Summary["median build ratio"], res.Summary["worst build ratio"] = lab.Median(builds), slices.Max(builds)
	}
	return res, errors.Join(errs...)
}

// ratioMin is the CPU time in seconds from which a suite counts in the ratio of runs: the
// time of a shorter suite is mostly that of starting its processes.
const ratioMin = 0.5
