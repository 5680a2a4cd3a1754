package search

import (
	"fmt"
	"math"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/worker"
	"github.com/allele-go/allele/eval/workload/peers"
)

// Schedules compares settings of the guided search with its earlier version, in which a term with a new edge waited
// for its turn. All of them run the same tasks with the same seeds.
var Schedules = lab.Experiment{
	Name: "schedules",
	Doc:  "runs and CPU time to the bugs of peers and ifc: settings of the guided search, as ratios to its earlier version",
	Run:  runSchedules,
}

// compared are the strategies, the baseline first.
var compared = []string{baseline, "guided", "guided-no-copies", "guided-unbounded",
	"guided-nests-first", "guided-firsts-always", "guided-long-lists"}

const baseline = "guided-queued"

func runSchedules(c lab.Config) (*lab.Result, error) {
	sets := []struct {
		name  string
		plan  plan
		seeds lab.Default[int]
	}{
		{"peers", plan{cap: 300_000, tasks: names(peers.Tasks())}, lab.Default[int]{Full: 30, Quick: 1}},
		{"ifc", plan{cap: 300_000, tasks: ifcPlan().tasks}, lab.Default[int]{Full: 10}},
	}
	if c.Quick {
		sets = sets[:1]
		sets[0].plan.cap = quickCap
	}
	bin, sites, err := Build(c)
	if err != nil {
		return nil, err
	}
	past, err := remember(bin)
	if err != nil {
		return nil, err
	}
	defer past.file.Close()
	res := &lab.Result{Seeds: []uint64{FirstSeed}, Summary: map[string]any{"first seed": FirstSeed}}
	for _, s := range sets {
		seeds := len(c.SeedsOr(s.seeds))
		all := map[string][]worker.Result{} // by strategy and task
		for _, name := range compared {
			c.Logf("%s %s", s.name, name)
			if err := s.plan.runSeries(bin, sites, series{name, seeds, ""}, past, all); err != nil {
				return nil, err
			}
		}
		for _, name := range compared {
			row := s.plan.ratios(all, name)
			head := lab.Row{lab.Col("tasks", s.name), lab.Col("seeds", seeds), lab.Col("strategy", name)}
			res.Rows = append(res.Rows, append(head, row...))
			if c.Quick && row.Get("found") == 0 {
				return nil, fmt.Errorf("%s has found nothing", name)
			}
		}
		res.Summary["cap of "+s.name] = s.plan.cap
	}
	return res, nil
}

// ratios compares a strategy with the baseline: by the sums over all tasks, and by the geometric mean of the ratios of
// the tasks, with its 95 % confidence interval.
func (p plan) ratios(all map[string][]worker.Result, name string) lab.Row {
	var runs, cpu [2]float64
	var logs []float64
	found, tried := 0, 0
	for _, t := range p.tasks {
		f := [2]figures{summarise(all[key(name, t)]), summarise(all[key(baseline, t)])}
		for i := range f {
			runs[i], cpu[i] = runs[i]+f[i].mean, cpu[i]+f[i].cpu
		}
		logs = append(logs, math.Log(f[0].mean/f[1].mean))
		found, tried = found+f[0].found, tried+f[0].runs
	}
	mean, within := lab.Mean95(logs)
	return lab.Row{lab.Col("found", found), lab.Col("of", tried), lab.Col("ratio of sums of means", runs[0]/runs[1]),
		lab.Col("mean ratio", math.Exp(mean)), lab.Col("from", math.Exp(mean-within)), lab.Col("to", math.Exp(mean+within)),
		lab.Col("ratio of sums of CPU medians", cpu[0]/cpu[1])}
}
