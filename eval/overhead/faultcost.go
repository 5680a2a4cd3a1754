package overhead

import (
	"fmt"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
)

// FaultCost measures what the faults in a program cost while all of them are off, and while a run
// records which of them it evaluates.
var FaultCost = lab.Experiment{
	Name: "faultcost",
	Doc:  "cost of code with faults that are off, and of a run that records, against plain code and code with probes",
	Run:  faultCost,
}

// The ways to build and run code with faults. A binary with faults has probes too. The probes may
// only count steps, which is enough for ordinary tests.
const (
	gated     = "faults off"
	recording = "faults record"
	stepping  = "steps"
	gatedStep = "steps, faults off"
)

var faultWays = []string{plain, again, budgeted, gated, recording, stepping, gatedStep}

// gatedWanted is the ratio to plain code that we aim at.
const gatedWanted = 1.25

// faulted are the workloads that are measured with faults.
func faulted(quick bool) (some []workload) {
	names := map[string]bool{"BurntSushi/toml": true, "yaml.v3": true, "goldmark": true}
	if quick {
		names = map[string]bool{"BST": true}
	}
	for _, w := range workloads {
		if names[w.name] {
			some = append(some, w)
		}
	}
	return some
}

func faultCost(cfg lab.Config) (*lab.Result, error) {
	all := faulted(cfg.Quick)
	s, err := prepare(all)
	if err != nil {
		return nil, err
	}
	defer s.close()
	faults := make([]int, len(all))
	for i, w := range all { // all builds come first, so that none runs during a measurement
		cfg.Logf("building %s", w.name)
		if faults[i], err = s.buildFaulted(w); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	effort := effort{ways: faultWays, rounds: 8, slices: 25}
	if cfg.Quick {
		effort.rounds, effort.slices = 2, 4
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": effort.rounds, "wanted off over plain": gatedWanted}}
	worst := 0.0
	for i, w := range all {
		c, err := s.measure(w, effort)
		if err != nil {
			return nil, err
		}
		row := lab.Row{lab.Col("workload", w.name), lab.Col("version", s.version(w.code)), lab.Col("faults", faults[i]),
			lab.Col("plain cpu µs", c.least[plain]/1000)}
		for _, way := range faultWays[1:] {
			row = append(row, lab.Col(way, c.pairs(way, plain)))
		}
		row = append(row, lab.Col("off over allele", c.pairs(gated, budgeted)), lab.Col("record over off", c.pairs(recording, gated)))
		if rec := row.Get("record over off").(float64); rec < 1.05 && !cfg.Quick {
			return nil, fmt.Errorf("%s: recording costs %.2f of not recording: the gates do not record", w.name, rec)
		}
		cfg.Logf("%s: off %.2f, record %.2f, plain again %.2f", w.name, row.Get(gated), row.Get(recording), row.Get(again))
		worst = max(worst, row.Get(gated).(float64))
		res.Rows = append(res.Rows, row)
	}
	res.Summary["worst off over plain"] = worst
	return res, nil
}

// pairs returns the median of the ratios of two ways, each within one round.
func (c costs) pairs(way, base string) float64 {
	var ratios []float64
	for i, cost := range c.rounds[way] {
		ratios = append(ratios, cost/c.rounds[base][i])
	}
	return lab.Median(ratios)
}

// buildFaulted builds a workload plain, with probes, and with probes and faults in the packages of
// its scope. It returns the number of faults.
func (s *scratch) buildFaulted(w workload) (faults int, err error) {
	if err := s.run(nil, "test", "-c", "-vet=off", "-o", s.binary(w, plain), "./"+w.pkg); err != nil {
		return 0, err
	}
	of := &build.Faults{Of: w.scope}
	configs := map[string]build.Config{budgeted: {}, gated: {Faults: of}, stepping: {Steps: true}, gatedStep: {Steps: true, Faults: of}}
	var o *build.Overlay
	for way, conf := range configs {
		made, err := s.instrumented(w, way, conf)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", way, err)
		}
		if way == gated {
			o = made
		}
	}
	if len(o.Faults) == 0 {
		return 0, fmt.Errorf("the program has no faults; places without: %v", o.Without)
	}
	return len(o.Faults), nil
}
