// Package lab is the common base of all experiments: it defines what an experiment
// is and what it returns, and how numbers are measured and shown.
//
// An experiment is a function from a Config to a Result. It does not depend on
// files or flags, so the same code makes a quick check in CI, a table in the
// terminal and the figures in the documentation.
//
//	for _, seed := range cfg.SeedsOr(lab.Default[int]{Full: 30, Quick: 3}) { ... }
//	row := lab.Row{lab.Col("tool", name), lab.Col("median", lab.Median(times))}
//
// The experiments follow one idea: costs are CPU time of the process, and effects are
// distributions over seeds. Wall time on a shared machine also measures other processes,
// and a mean of times that differ by orders of magnitude measures mostly the longest one.
package lab

import (
	"fmt"
	"io"
	"regexp"
	"time"
)

// An Experiment answers one question with a table. Name is one word, used on the command
// line and as the file name of the results. Doc is a one-line description.
type Experiment struct {
	Name, Doc string
	Run       func(Config) (*Result, error)
}

// Config sets how much time to spend. Its zero value means a full run with the
// experiment's own defaults.
type Config struct {
	Quick    bool          // make a run that is small enough for CI; its figures mean nothing
	Seeds    int           // number of seeds; 0 means the experiment's default
	Budget   time.Duration // CPU time of one trial; 0 means the experiment's default
	Only     string        // pattern of what to measure again, for experiments that keep parts of their results
	Progress io.Writer     // where progress is logged; nil means nowhere
}

// A Result is one table with everything that is needed to judge and repeat it.
type Result struct {
	Experiment string            `json:"experiment"`
	Flags      string            `json:"flags,omitempty"` // flags of the run that change its figures
	Machine    string            `json:"machine"`
	Versions   map[string]string `json:"versions"`
	Seeds      []uint64          `json:"seeds"`
	Rows       []Row             `json:"rows"`
	Samples    []Row             `json:"samples,omitempty"` // shown in plots only, not in tables
	Summary    map[string]any    `json:"summary,omitempty"`
	Plot       []byte            `json:"-"` // an SVG plot, written next to the result's file
}

// Default is an experiment's default number of seeds or budget, for a full and for a
// quick run. It is a struct with named fields because two bare numbers of one type are
// easily swapped.
type Default[V any] struct {
	Full, Quick V
}

// SeedsOr returns the seeds to run: 1, 2, 3 and so on. Their number is the one from the
// command line, or else the default.
func (c Config) SeedsOr(d Default[int]) []uint64 {
	n := choose(c.Seeds, c.Quick, d)
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	return seeds
}

// BudgetOr returns the CPU time that one trial may spend: the time from the command line,
// or else the default.
func (c Config) BudgetOr(d Default[time.Duration]) time.Duration {
	return choose(c.Budget, c.Quick, d)
}

// choose returns the value from the command line if there is one, even in a quick run.
func choose[V comparable](asked V, quick bool, d Default[V]) V {
	var none V
	switch {
	case asked != none:
		return asked
	case quick:
		return d.Quick
	}
	return d.Full
}

// Match returns a function that reports whether -only selects a name.
func (c Config) Match() (func(name string) bool, error) {
	only, err := regexp.Compile(c.Only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	return only.MatchString, nil
}

// Logf logs the progress of the experiment. It adds a newline.
func (c Config) Logf(format string, args ...any) {
	if c.Progress != nil {
		fmt.Fprintf(c.Progress, format+"\n", args...)
	}
}
