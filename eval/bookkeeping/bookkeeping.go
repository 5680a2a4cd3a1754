// Package bookkeeping measures what guidance costs. It compares the runs per CPU-second
// of a guided search with those of a search that generates every input from scratch.
//
// Two programs without a bug run in the worker of this module, and a real library runs
// through the real command. Both kinds of search take turns, and each ratio is computed
// within one round. A guided search also runs different inputs, mostly larger ones, and
// that difference is not bookkeeping. So there are also rows in which the unguided search
// generates inputs as large as those of the guided search. A profile shows where the time
// goes.
package bookkeeping

import (
	"cmp"
	"fmt"
	"os"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/search"
	"github.com/allele-go/allele/eval/worker"
)

// Experiment measures speed only. The experiments ifc, peers and etna measure what
// guidance gains.
var Experiment = lab.Experiment{Name: "bookkeeping", Doc: "runs per CPU-second, guided against unguided, and where the time goes", Run: run}

const (
	guided = "guided"
	// freshOne and freshPair configure guided searches that never use their corpus:
	// every input is generated from scratch, with the sizes of guided inputs. These
	// searches still check whether a path is new, so they save only the cost of mutation
	// and of the queue.
	freshOne  = `guided={"Search": {"Schedule": [[{"Way": "climb"}], [{"Way": "fresh", "Sides": 64}]]}, "Plain": {"Burst": 0}}`
	freshPair = `guided={"Pair": {"Schedule": [[{"Way": "climb"}], [{"Way": "fresh", "Sides": 64}]]}, "Plain": {"Burst": 0}}`
)

// subject is a program, with the unguided searches that are compared with a guided one.
type subject struct {
	name, task string
	unguided   []unguided
}

type unguided struct{ name, strategy string }

var subjects = []subject{
	{"search tree", "bst-correct", []unguided{{"random, size 1 to 10", "random"}, {"fresh, guided sizes", freshOne}}},
	{"stack machine", "ifc-correct", []unguided{{"papers' generator, size 10", "random-twins"}, {"fresh, guided sizes", freshPair}}},
}

// effort sets how much is measured.
type effort struct {
	rounds int
	runs   int // runs of each search in a round
	tests  int // runs of the library's property in a round
}

func run(cfg lab.Config) (*lab.Result, error) {
	e := effort{rounds: 6, runs: 300_000, tests: 30_000}
	if cfg.Quick {
		e = effort{rounds: 2, runs: 20_000, tests: 500}
	}
	if cfg.Seeds > 0 {
		e.rounds = cfg.Seeds
	}
	bin, _, err := search.Build(cfg)
	if err != nil {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{"rounds": e.rounds}}
	for i := range e.rounds {
		res.Seeds = append(res.Seeds, search.FirstSeed+uint64(i))
	}
	for _, s := range subjects {
		cfg.Logf("%s", s.name)
		rows, err := s.measure(bin, e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		res.Rows = append(res.Rows, rows...)
		shares, err := s.profile(bin, e)
		if err != nil {
			return nil, fmt.Errorf("profile of %s: %w", s.name, err)
		}
		res.Summary["time of guided, "+s.name] = shares
	}
	cfg.Logf("%s", library)
	row, err := measureLibrary(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", library, err)
	}
	res.Rows = append(res.Rows, row)
	return res, nil
}

// measure runs all searches of a subject alternately, in one process. The first round is
// a warm-up and does not count.
func (s subject) measure(bin string, e effort) ([]lab.Row, error) {
	strategies := []string{guided}
	for _, u := range s.unguided {
		strategies = append(strategies, u.strategy)
	}
	var jobs []worker.Job
	for round := range e.rounds + 1 {
		for k := range strategies {
			jobs = append(jobs, worker.Job{
				Task:     s.task,
				Strategy: strategies[(round+k)%len(strategies)],
				Seed:     uint64(search.FirstSeed + max(0, round-1)),
				Cap:      e.runs,
			})
		}
	}
	rates, n := map[string][]float64{}, 0
	var wrong error
	err := search.Run(bin, jobs, func(r worker.Result) {
		if r.Found || r.Runs != e.runs {
			wrong = fmt.Errorf("%s ended after %d runs, not %d, found: %v", r.Strategy, r.Runs, e.runs, r.Found)
		}
		if n++; n > len(strategies) {
			rates[r.Strategy] = append(rates[r.Strategy], float64(r.Runs)/r.CPU)
		}
	})
	if err = cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	var rows []lab.Row
	for _, u := range s.unguided {
		rows = append(rows, row(s.name, u.name, e.runs, rates[guided], rates[u.strategy]))
	}
	return rows, nil
}

// row compares the rates of two searches, round by round.
func row(name, against string, n int, guided, unguided []float64) lab.Row {
	ratios := make([]float64, len(guided))
	for i := range ratios {
		ratios[i] = guided[i] / unguided[i]
	}
	return lab.Row{lab.Col("program", name), lab.Col("against", against), lab.Col("n", n),
		lab.Col("guided runs/cpu s", lab.Median(guided)), lab.Col("unguided runs/cpu s", lab.Median(unguided)),
		lab.Col("ratio", lab.Median(ratios)), lab.Col("least", lab.Quantile(ratios, 0)), lab.Col("most", lab.Quantile(ratios, 1))}
}

// profile runs a guided search once more and returns the share of its time that
// each part takes.
func (s subject) profile(bin string, e effort) (string, error) {
	f, err := os.CreateTemp("", "allele-eval-cpu")
	if err != nil {
		return "", err
	}
	f.Close()
	defer os.Remove(f.Name())
	job := worker.Job{Task: s.task, Strategy: guided, Seed: search.FirstSeed, Cap: 5 * e.runs}
	if err := search.Run(bin, []worker.Job{job}, func(worker.Result) {}, "-test.cpuprofile="+f.Name()); err != nil {
		return "", err
	}
	text, err := traces(bin, f.Name())
	if err != nil {
		return "", err
	}
	return shares(text)
}
