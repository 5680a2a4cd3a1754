package faults

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Same compares the verdicts of several scores.
var Same = lab.Experiment{
	Name: "scoresame",
	Doc:  "verdicts of several runs of allele score, on an idle machine and while all cores are busy",
	Run:  same,
}

// repeated are the modules that are judged several times. Go visits the elements of a map in another
// order in each run. If a fault makes that order matter, its verdict is a matter of chance: the last
// module shows how often.
var repeated = append(slices.Clone(rivals),
	subject{Module: foreign.At("github.com/BurntSushi/toml", "v1.6.0"), packages: []string{"."}, varies: true})

func same(cfg lab.Config) (*lab.Result, error) {
	list, b, err := begin(cfg, repeated)
	if err != nil {
		return nil, err
	}
	defer b.close()
	rounds := len(cfg.SeedsOr(lab.Default[int]{Full: 3, Quick: 1}))
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": rounds, "busy processes": runtime.NumCPU()}}
	var errs []error
	for _, s := range list {
		src, err := b.copied(s)
		if err != nil {
			return nil, err
		}
		var scores [2][]score // idle, busy
		for i := range scores {
			for round := range rounds {
				o, err := b.loaded(s, src, i == 1, round)
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
					continue
				}
				scores[i] = append(scores[i], o)
			}
		}
		row, lines, tests := sameRow(s, scores)
		res.Rows = append(res.Rows, row)
		for _, line := range slices.Concat(lines, tests) {
			res.Samples = append(res.Samples, lab.Row{lab.Col("module", s.Module.String()), lab.Col("fault", line)})
		}
		for _, line := range lines {
			if s.varies {
				break
			}
			errs = append(errs, fmt.Errorf("%s: %s", s.Module, line))
		}
	}
	return res, errors.Join(errs...)
}

// loaded scores a module, maybe while all cores are busy.
func (b *bench) loaded(s subject, src string, busy bool, round int) (score, error) {
	kind := "idle"
	if busy {
		kind = "busy"
		stop, err := load(runtime.NumCPU())
		if err != nil {
			return score{}, err
		}
		defer stop()
	}
	o, err := b.scored(kind, s, src, fmt.Sprint(round))
	if err == nil {
		b.Logf("%s, %s: %d killed of %d, %.1f s of CPU time in %.1f s", s.Module, kind, o.count(killed), len(o.Faults), o.CPU, o.Wall)
	}
	return o, err
}

// load starts processes that keep cores busy, and returns a function that ends them.
func load(n int) (stop func(), err error) {
	var all []*exec.Cmd
	stop = func() {
		for _, cmd := range all {
			cmd.Process.Kill() // fails if the process has exited
			cmd.Wait()
		}
	}
	for range n {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			stop()
			return nil, err
		}
		all = append(all, cmd)
	}
	return stop, nil
}

// sameRow compares all scores of a module with the first one. It returns the differences too.
func sameRow(s subject, scores [2][]score) (row lab.Row, lines, tests []string) {
	var wall [2][]float64
	var first *score
	for i := range scores {
		for k := range scores[i] {
			o := &scores[i][k]
			wall[i], lines = append(wall[i], o.Wall), append(lines, o.Differ...)
			if first == nil {
				first = o
				continue
			}
			verdicts, others := differences(*first, *o)
			lines, tests = append(lines, verdicts...), append(tests, others...)
		}
	}
	row = lab.Row{lab.Col("module", s.Module.String()), lab.Col("idle", len(scores[0])), lab.Col("busy", len(scores[1]))}
	if first == nil {
		return row, lines, tests
	}
	for _, v := range verdicts {
		row = append(row, lab.Col(v, first.count(v)))
	}
	row = append(row, lab.Col("different", len(lines)), lab.Col("another test", len(tests)))
	for i, name := range []string{"idle s", "busy s"} {
		if len(wall[i]) > 0 {
			row = append(row, lab.Col(name, lab.Median(wall[i])))
		}
	}
	return row, lines, tests
}
