package search

import (
	"testing"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/worker"
)

// No search makes more runs than its cap, whatever share of its runs passes. Every arm of the
// three experiments runs on each of its tasks, in a binary without probes.
func TestCap(t *testing.T) {
	const cap = 500
	tasks := worker.Tasks()
	searches, full := 0, 0
	for _, p := range []plan{ifcPlan(), peersPlan(), etnaPlan()} {
		for _, l := range p.series {
			for _, name := range p.tasks {
				loop, err := papers.Named(l.settings(nil))
				if err != nil {
					t.Fatal(err)
				}
				r, err := worker.Search(worker.Job{Task: name, Strategy: l.strategy, Seed: FirstSeed, Cap: cap}, tasks[name], loop)
				if err != nil {
					t.Fatal(err)
				}
				if r.Runs > cap {
					t.Errorf("%s, %s: %d runs of a cap of %d; %d passed", name, l.strategy, r.Runs, cap, r.Passed)
				}
				searches++
				if r.Runs == cap {
					full++
				}
			}
		}
	}
	if full < searches/3 {
		t.Errorf("%d of %d searches came to the cap; choose a lower cap", full, searches)
	}
}

// A search that finds nothing counts as the cap, also if it ended before it.
func TestNothingFoundIsTheCap(t *testing.T) {
	job := worker.Job{Task: "bst4", Strategy: "random", Cap: 1000}
	f := summarise([]worker.Result{
		{Job: job, Found: true, Runs: 400, Passed: 100, CPU: 1},
		{Job: job, Runs: 600, Passed: 100, CPU: 1}, // it has run out of inputs
	})
	if f.found != 1 || f.mean != 700 || f.p50 != 700 || f.passed != 0.2 || f.rate != 500 {
		t.Errorf("%+v", f)
	}
}
