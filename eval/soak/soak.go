// Package soak measures whether the memory of a long search stays bounded. It runs a
// guided search that never finds anything, and measures its heap over time.
//
// Everything that a search keeps has a bound, so after a while the heap should no
// longer grow. The experiment reports the size of the heap in the middle and at the
// end. Because searches drop their corpus from time to time, it also reports the
// maximum of each half.
package soak

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/search"
	"github.com/allele-go/allele/eval/worker"
)

// Experiment fails if a heap exceeds heapMax.
var Experiment = lab.Experiment{Name: "soak", Doc: "memory of a guided search that never finds anything, over its time", Run: run}

const (
	samples = 20
	heapMax = 300 // MB
)

// tasks are programs without a bug. The input of the first is a pair of states, and the
// input of the second is an expression.
var tasks = []string{"ifc-correct", "expr-correct"}

func run(cfg lab.Config) (*lab.Result, error) {
	budget := cfg.BudgetOr(lab.Default[time.Duration]{Full: 10 * time.Minute, Quick: 5 * time.Second})
	bin, _, err := search.Build(cfg)
	if err != nil {
		return nil, err
	}
	all := make([][]worker.Result, len(tasks))
	errs := make([]error, len(tasks))
	var mu sync.Mutex // guards the log
	var wg sync.WaitGroup
	for i, t := range tasks {
		job := worker.Job{Task: t, Strategy: "guided", Seed: search.FirstSeed, Budget: budget.Seconds(), Samples: samples}
		wg.Go(func() {
			errs[i] = search.Run(bin, []worker.Job{job}, func(r worker.Result) {
				mu.Lock()
				defer mu.Unlock()
				cfg.Logf("%s: %.1f s, %d runs, %.1f MB, %d saved inputs", t, r.CPU, r.Runs, r.Heap, r.Kept)
				all[i] = append(all[i], r)
			})
		})
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return report(all)
}

// report makes a row for each sample.
func report(all [][]worker.Result) (*lab.Result, error) {
	res := &lab.Result{Seeds: []uint64{search.FirstSeed}, Summary: map[string]any{}}
	for i, name := range tasks {
		if len(all[i]) != samples || all[i][samples-1].Found {
			return nil, fmt.Errorf("%s ended after %d of %d samples", name, len(all[i]), samples)
		}
		for k, r := range all[i] {
			res.Rows = append(res.Rows, lab.Row{lab.Col("name", name), lab.Col("time %", 100*(k+1)/samples), lab.Col("cpu s", r.CPU),
				lab.Col("runs", r.Runs), lab.Col("kept", r.Kept), lab.Col("heap MB", r.Heap)})
			if r.Heap > heapMax {
				return nil, fmt.Errorf("%s uses %.0f MB after %d runs, want at most %d",
					name, r.Heap, r.Runs, heapMax)
			}
		}
		middle, end := all[i][samples/2-1], all[i][samples-1]
		res.Summary[name] = fmt.Sprintf("%d runs; heap %.0f MB in the middle, %.0f MB at the end; "+
			"at most %.0f MB in the first half, %.0f MB in the second",
			end.Runs, middle.Heap, end.Heap, largest(all[i][:samples/2]), largest(all[i][samples/2:]))
	}
	return res, nil
}

func largest(rs []worker.Result) (heap float64) {
	for _, r := range rs {
		heap = max(heap, r.Heap)
	}
	return heap
}
