// Package shrink measures whether counterexamples shrink to what a person would have
// written, on the public set of challenges that is used to compare shrinkers.
//
// Each challenge is an ordinary property that fails. For each seed a failure is found at
// random, as in a default run, and shrunk. The experiment counts results that have one of
// the forms that the community accepts as minimal.
package shrink

import (
	"fmt"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/shrink/challenge"
	"github.com/allele-go/allele/internal/search/shrink"
)

// Experiment shrinks failures of all challenges. It fails if a challenge is missed
// with more than one seed in twenty.
var Experiment = lab.Experiment{
	Name: "shrink",
	Doc:  "the public shrinking challenges: how often the minimum is reached, and in how many runs",
	Run:  run,
}

// missesPer is the number of seeds for which one miss is allowed.
const missesPer = 20

func run(cfg lab.Config) (*lab.Result, error) {
	seeds := cfg.SeedsOr(lab.Default[int]{Full: 20, Quick: 5})
	result := &lab.Result{Seeds: seeds, Summary: map[string]any{"most runs allowed": shrink.RunsMax}}
	worst := len(seeds)
	for _, c := range challenge.All() {
		cfg.Logf("%s", c.Name)
		row, reached := measure(c, seeds)
		result.Rows = append(result.Rows, row)
		worst = min(worst, reached)
	}
	result.Summary["reached at least"] = fmt.Sprintf("%d of %d", worst, len(seeds))
	if misses := len(seeds) - worst; misses*missesPer > len(seeds) {
		return result, fmt.Errorf("a challenge was missed with %d of %d seeds", misses, len(seeds))
	}
	return result, nil
}

func measure(c challenge.Challenge, seeds []uint64) (row lab.Row, reached int) {
	var runs, nodes []float64
	example := ""
	for _, seed := range seeds {
		trial := c.Run(seed, shrink.RunsMax)
		if !trial.Found {
			continue
		}
		runs, nodes = append(runs, float64(trial.Runs)), append(nodes, float64(trial.Before))
		if trial.Reached {
			reached++
		}
		if example == "" || !trial.Reached {
			example = trial.Least // a miss is more interesting than a hit
		}
	}
	row = lab.Row{lab.Col("challenge", c.Name), lab.Col("seeds", len(seeds)), lab.Col("found", len(runs)), lab.Col("reached", reached)}
	if len(runs) > 0 {
		row = append(row,
			lab.Col("runs, median", lab.Median(runs)), lab.Col("runs, max", lab.Quantile(runs, 1)),
			lab.Col("nodes before", lab.Median(nodes)))
	}
	return append(row, lab.Col("example", example)), reached
}
