// Package lab is what every experiment shares: what one is, what it returns, and
// how its numbers are measured and shown.
//
// An experiment is a function from a Config to a Result. It says nothing about
// files or flags, so the same code makes a quick check in CI, a table in the
// terminal and the figures in the documentation.
//
//	for _, seed := range cfg.SeedsOr(lab.Default[int]{Full: 30, Quick: 3}) { ... }
//	row := lab.Row{lab.Col("tool", name), lab.Col("median", lab.Median(times))}
//
// The one idea: costs are process CPU time and effects are distributions over
// seeds. Wall time on a shared machine measures the neighbours, and a mean of
// times that span decades measures the worst one.
package lab

import (
	"fmt"
	"io"
	"time"
)

// An Experiment is one question with a table for an answer. Name is one word, used
// on the command line and as the file name of its results; Doc is one line.
type Experiment struct {
	Name, Doc string
	Run       func(Config) (*Result, error)
}

// Config is how much to spend. Its zero value means a full run with the
// experiment's own defaults.
type Config struct {
	Quick    bool          // small enough for CI; shows that it runs, not what is true
	Seeds    int           // how many seeds; 0 leaves it to the experiment
	Budget   time.Duration // CPU time of one trial; 0 leaves it to the experiment
	Progress io.Writer     // where to say how far it is; nil for nowhere
}

// A Result is one table with all that is needed to judge and repeat it.
type Result struct {
	Experiment string            `json:"experiment"`
	Machine    string            `json:"machine"`
	Versions   map[string]string `json:"versions"`
	Seeds      []uint64          `json:"seeds"`
	Rows       []Row             `json:"rows"`
	Samples    []Row             `json:"samples,omitempty"` // what a plot shows and no table does
	Summary    map[string]any    `json:"summary,omitempty"`
	Plot       []byte            `json:"-"` // the rows as an SVG picture, kept beside the file of the result
}

// Default is a number of seeds or a budget for both kinds of run. Make one of each
// with named fields: two bare numbers of one type would be swapped sooner or later.
type Default[V any] struct {
	Full, Quick V
}

// SeedsOr returns the seeds to run: 1, 2, 3 and so on, as many as were asked for.
func (c Config) SeedsOr(d Default[int]) []uint64 {
	n := choose(c.Seeds, c.Quick, d)
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	return seeds
}

// BudgetOr returns the CPU time that one trial may spend.
func (c Config) BudgetOr(d Default[time.Duration]) time.Duration {
	return choose(c.Budget, c.Quick, d)
}

// choose prefers what was asked for on the command line, even in a quick run.
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

// Logf says how far the experiment is. It ends the line itself.
func (c Config) Logf(format string, args ...any) {
	if c.Progress != nil {
		fmt.Fprintf(c.Progress, format+"\n", args...)
	}
}
