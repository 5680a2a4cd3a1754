package kept

import (
	"errors"
	"fmt"

	"github.com/allele-go/allele/eval/lab"
)

// Waiting measures how many kept inputs wait for their changes, after more and more runs.
var Waiting = lab.Experiment{
	Name: "waiting",
	Doc:  "inputs that a search keeps on three real modules, and how many of them wait for their changes, over time",
	Run:  runWaiting,
}

// waitingRuns are the lengths of the searches, in runs.
var waitingRuns = []int{3_000, 10_000, 30_000, 100_000, 300_000}

// waitingMax is how many of the runs may wait as inputs at the end of a search, in the quick version too. It is the
// setting of guided, for each of three queues.
const (
	waitingMax   = 3.0 / 50
	waitingLeast = 3 * 256
)

func runWaiting(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "waiting", subjects: subjects[:3]}
	lengths := waitingRuns
	if cfg.Quick {
		s.subjects, lengths = s.subjects[2:], lengths[1:2]
	}
	if err := s.choose(); err != nil {
		return nil, err
	}
	for _, x := range s.subjects {
		for _, a := range []arm{unbounded, now} {
			for _, runs := range lengths {
				passes := runs
				if x.pass > 0 {
					passes = int(x.pass * float64(runs))
				}
				s.trials = append(s.trials, trial{subject: x, Arm: a, Seed: firstSeed, Passes: passes})
			}
		}
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	res := &lab.Result{Seeds: []uint64{firstSeed}, Summary: map[string]any{}}
	plot := lab.Lines{Title: "Inputs that wait for their changes", Axis: "runs"}
	var err error
	for _, x := range s.subjects {
		panel := lab.Panel{Name: x.Module.String()}
		for _, a := range []arm{unbounded, now} {
			line := lab.Line{Name: string(a)}
			for _, o := range s.outcomes[group{x.name, a}] {
				line.At, line.To = append(line.At, float64(o.Runs)), append(line.To, float64(o.Waiting))
				res.Rows = append(res.Rows, lab.Row{lab.Col("module", x.Module.String()), lab.Col("arm", string(a)),
					lab.Col("runs", o.Runs),
					lab.Col("kept", o.Kept), lab.Col("kept share", o.share()), lab.Col("waiting", o.Waiting),
					lab.Col("features", o.Features), lab.Col("blocks", o.Blocks), lab.Col("cpu s", o.CPU)})
				if most := max(waitingLeast, int(waitingMax*float64(o.Runs))); a == now && o.Waiting > most {
					err = errors.Join(err, fmt.Errorf("%s: %d inputs wait after %d runs, want at most %d", x.name, o.Waiting, o.Runs, most))
				}
			}
			panel.Of = append(panel.Of, line)
		}
		plot.Panels = append(plot.Panels, panel)
	}
	res.Plot = plot.SVG()
	return res, err
}
