package shrink_test

import (
	"testing"

	"github.com/allele-go/allele/eval/shrink/challenge"
	"github.com/allele-go/allele/internal/search/shrink"
)

// The public challenges shrink to a form that the community accepts as smallest, from
// every seed here and within runsMax runs. The experiment does the same with
// more seeds and publishes the table.
func TestChallenges(t *testing.T) {
	const (
		seeds   = 10
		runsMax = 500 // the worst of 300 seeds took 374
	)
	for _, c := range challenge.All() {
		for seed := uint64(1); seed <= seeds; seed++ {
			r := c.Run(seed, shrink.RunsMax)
			switch {
			case !r.Found:
				t.Errorf("%s, seed %d: nothing found", c.Name, seed)
			case !r.Reached:
				t.Errorf("%s, seed %d: %s is not the smallest, from %s", c.Name, seed, r.Least, r.First)
			case r.Runs > runsMax:
				t.Errorf("%s, seed %d: %d runs", c.Name, seed, r.Runs)
			}
		}
	}
}
