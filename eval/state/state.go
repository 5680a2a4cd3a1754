// Package state searches bugs that show only after several calls, in public modules and in planted machines, with
// allele.Steps and with rapid's Repeat on the same machines: calls until a run fails, runs in all with shrinking, and
// whether the shrunk list is minimal. It pastes the test that allele prints into the package of the machine and into
// its external test package, where it must fail in the same way, and pass with a version in which the bug is fixed.
package state

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment fails if a bug is not found, if its list is not minimal, or if its printed test does not behave. A full run
// also fails if allele needs more calls or runs than state says.
var Experiment = lab.Experiment{
	Name: "state",
	Doc:  "bugs that need several calls: calls until they are found, shrinking, and the printed test, beside rapid",
	Run:  run,
}

// row is a machine with a bug.
type row struct {
	name, bug string
	module    foreign.Module // with the bug; none if it is planted
	fixed     string         // the first version without the bug; empty if there is none
	minimum   int            // calls that the bug needs
	deep      bool           // rapid does not find it
}

var radixModule = foreign.At("github.com/hashicorp/go-immutable-radix/v2", "v2.1.0") // the latest version

var rows = []row{
	{name: "ring", bug: "ring of the guide (planted)", minimum: 9},
	{name: "radix", bug: "go-immutable-radix 2.1.0, PR 107", module: radixModule, minimum: 4},
	{name: "memmap", bug: "afero 1.8.0, PR 329", module: foreign.At("github.com/spf13/afero", "v1.8.0"), fixed: "v1.8.2", minimum: 3},
	{name: "cursor", bug: "bbolt 1.3.9, #733", module: foreign.At("go.etcd.io/bbolt", "v1.3.9"), fixed: "v1.3.10", minimum: 5},
	{name: "lfu", bug: "go-generics-cache 1.2.1, #33", module: foreign.At("github.com/Code-Hex/go-generics-cache", "v1.2.1"),
		fixed: "v1.3.1", minimum: 4},
	{name: "iterator", bug: "go-immutable-radix 2.1.0, #50", module: radixModule, minimum: 3},
	{name: "handles", bug: "two handles (planted)", minimum: 5},
	{name: "full", bug: "16 elements, with Clear (planted)", minimum: 16, deep: true},
}

const (
	quickRow    = "handles" // the only one of a quick run: it needs no module, and has references
	shrinkSeeds = 10        // of all seeds
	deepCalls   = 100_000   // in which the deep state must be reached

	// What a full run requires: the ratios of the median calls to those of rapid, and of the runs in all.
	ratioMean, ratioMax, runsShare = 1.5, 3, 0.1
)

// found are the results of a tool on a row.
type found struct {
	calls  []float64 // until a run failed
	missed int
	runs   []float64 // in all, with shrinking
	least  int       // how many of them ended with the minimal list
	length []float64
}

func run(cfg lab.Config) (*lab.Result, error) {
	m, err := prepare()
	if err != nil {
		return nil, err
	}
	defer m.release()
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{}, Seeds: cfg.SeedsOr(lab.Default[int]{Full: 20, Quick: 2})}
	var ratios, shares []float64
	var wrong []error
	for _, r := range rows {
		if !only(r.name) || cfg.Quick && r.name != quickRow {
			continue
		}
		cfg.Logf("%s", r.name)
		if err := m.write(r); err != nil {
			return nil, err
		}
		pasted, err := m.pasted(r)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: the printed test: %w", r.name, err))
		}
		own, err := m.all(r, "Machine", res.Seeds)
		if err != nil {
			return nil, err
		}
		other, err := m.all(r, "Rapid", res.Seeds)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, result(r, own, other, pasted, len(res.Seeds)))
		if own.missed > 0 || own.least < len(own.runs) {
			wrong = append(wrong, fmt.Errorf("%s: missed by %d seeds, minimal with %d of %d: %v",
				r.name, own.missed, own.least, len(own.runs), own.length))
		}
		if !r.deep {
			ratios = append(ratios, lab.Median(own.calls)/lab.Median(other.calls))
			shares = append(shares, lab.Median(own.runs)/lab.Median(other.runs))
		}
	}
	if len(ratios) == 0 {
		return res, errors.Join(wrong...)
	}
	res.Summary["ratio of calls, geometric mean"] = round(mean(ratios))
	res.Summary["ratio of calls, largest"] = round(slices.Max(ratios))
	res.Summary["share of runs, largest"] = round(slices.Max(shares))
	if !cfg.Quick && (mean(ratios) > ratioMean || slices.Max(ratios) > ratioMax || slices.Max(shares) > runsShare) {
		wrong = append(wrong, fmt.Errorf("too many calls or runs: %v", res.Summary))
	}
	return res, errors.Join(wrong...)
}

func result(r row, own, other found, pasted string, seeds int) lab.Row {
	calls := func(f found) any {
		if f.missed > 0 {
			return fmt.Sprintf("%d of %d seeds", seeds-f.missed, seeds)
		}
		return lab.Median(f.calls)
	}
	least := func(f found) any {
		if len(f.runs) == 0 {
			return "-"
		}
		return fmt.Sprintf("%d of %d", f.least, len(f.runs))
	}
	runs := func(f found) any {
		if len(f.runs) == 0 {
			return "-"
		}
		return lab.Median(f.runs)
	}
	return lab.Row{lab.Col("bug", r.bug), lab.Col("calls", calls(own)), lab.Col("calls of rapid", calls(other)),
		lab.Col("runs in all", runs(own)), lab.Col("of rapid", runs(other)),
		lab.Col("minimum", r.minimum), lab.Col("minimal", least(own)), lab.Col("minimal, rapid", least(other)),
		lab.Col("printed test", pasted)}
}

// mean returns the geometric mean.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}

func round(x float64) float64 { return math.Round(1000*x) / 1000 }

// all searches with each seed: until a run fails, and with some seeds also to the end of shrinking.
func (m *module) all(r row, test string, seeds []uint64) (f found, err error) {
	for i, seed := range seeds {
		most := 0
		if r.deep {
			most = deepCalls
		}
		o, err := m.search(r, test, seed, most, true)
		if err != nil {
			return f, err
		}
		if o.first < 0 {
			f.missed++
			continue
		}
		f.calls = append(f.calls, float64(o.first))
		if i >= shrinkSeeds || r.deep && test == "Rapid" {
			continue
		}
		if o, err = m.search(r, test, seed, 0, false); err != nil {
			return f, err
		}
		f.runs = append(f.runs, float64(o.runs))
		f.length = append(f.length, float64(o.length))
		if o.length == r.minimum {
			f.least++
		}
	}
	return f, nil
}
