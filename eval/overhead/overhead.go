// Package overhead measures what instrumentation costs, and whether it records the
// right paths.
//
// Three experiments share a module of workloads, which are real libraries with some work
// to do (see testdata). The module is built through source/build, as a user's module is:
//
//	overhead   CPU time of instrumented code, relative to the unchanged code
//	samepaths  whether probes that use local variables record the same paths as plain probes
//	stable     whether the same inputs take the same paths twice, and if not, the line that differs
//
// The experiments follow one idea: a ratio compares binaries that run in turns, in slices
// of a few milliseconds, and takes the shortest of many slices of each binary. A
// disturbance can only make a slice longer. One column shows the remaining error: the
// same binary measured twice.
package overhead

import (
	"fmt"
	"math"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
)

// Experiment builds each workload in every way and runs the binaries in turns. The
// summary also has the figures that we aim at.
var Experiment = lab.Experiment{Name: "overhead", Doc: "cost of instrumented code against plain code, for real libraries", Run: run}

// The ways to build a workload. Each way is a column of the table, and the first one is
// the baseline.
const (
	plain    = "plain"
	again    = "plain again"
	budgeted = "allele"
	endless  = "allele no budget"
	fuzzer   = "libfuzzer"
	coverSet = "cover set"
	counted  = "cover count"
	atomic   = "cover atomic"
)

var ways = []string{plain, again, budgeted, endless, fuzzer, coverSet, counted, atomic}

const (
	// geomeanMax bounds the geometric mean. A larger mean must be a mistake in the
	// measurement.
	geomeanMax = 2
	// The figures that we aim at.
	geomeanWanted, worstWanted = 1.25, 1.5
)

func run(cfg lab.Config) (*lab.Result, error) {
	all := chosen(workloads, cfg.Quick)
	s, err := prepare(all)
	if err != nil {
		return nil, err
	}
	defer s.close()
	built := make([]facts, len(all))
	for i, w := range all { // all builds come first, so that none runs during a measurement
		cfg.Logf("building %s", w.name)
		if built[i], err = s.buildAll(w); err != nil {
			return nil, err
		}
	}
	effort := effort{ways: ways, rounds: 8, slices: 25}
	if cfg.Quick {
		effort.rounds, effort.slices = 2, 8
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": effort.rounds, "slices of a round": effort.slices}}
	ratios := map[string][]float64{}
	for i, w := range all {
		c, err := s.measure(w, effort)
		if err != nil {
			return nil, err
		}
		row := lab.Row{lab.Col("workload", w.name), lab.Col("version", built[i].version), lab.Col("lines", built[i].lines),
			lab.Col("sites", built[i].sites), lab.Col("hits", c.hits), lab.Col("plain cpu µs", c.least[plain]/1000)}
		for _, way := range ways[1:] {
			ratio := c.least[way] / c.least[plain]
			row = append(row, lab.Col(way, ratio))
			ratios[way] = append(ratios[way], ratio)
		}
		cfg.Logf("%s: allele %.2f, no budget %.2f, plain again %.2f", w.name, row.Get(budgeted), row.Get(endless), row.Get(again))
		res.Rows = append(res.Rows, row)
	}
	return summarise(res, ratios)
}

// summarise adds the means, the row that shows them, and the plot.
func summarise(res *lab.Result, ratios map[string][]float64) (*lab.Result, error) {
	plot := lab.Dots{Title: "CPU time against plain code", Axis: "times plain code, logarithmic"}
	mean := lab.Row{lab.Col("workload", "geometric mean")}
	for _, row := range res.Rows {
		plot.Rows = append(plot.Rows, row.Get("workload").(string))
	}
	for _, way := range ways[1:] {
		m := lab.Geomean(ratios[way])
		mean = append(mean, lab.Col(way, m))
		res.Summary["geomean "+way] = m
		if way != atomic { // its ratios are so large that the marks of the other ways would overlap
			plot.Series = append(plot.Series, lab.Series{Name: way, Values: append(ratios[way], m)})
		}
	}
	res.Rows = append(res.Rows, mean)
	plot.Rows = append(plot.Rows, "geometric mean")
	res.Plot = plot.SVG()
	geomean := mean.Get(budgeted).(float64)
	res.Summary["geomean_budget"], res.Summary["geomean"] = geomean, mean.Get(endless)
	worst := 0.0
	for _, r := range ratios[budgeted] {
		worst = math.Max(worst, r)
	}
	res.Summary["wanted geomean"], res.Summary["wanted worst"], res.Summary["worst"] = geomeanWanted, worstWanted, worst
	if geomean > geomeanMax {
		return res, fmt.Errorf("geomean %.2f exceeds %d: this must be a mistake", geomean, geomeanMax)
	}
	return res, nil
}

// facts are figures about a workload that are known after its build.
type facts struct {
	version      string
	lines, sites int
}

// buildAll builds a workload in every way. The coverage and fuzzing modes of the go
// command are applied to exactly the packages that get probes.
func (s *scratch) buildAll(w workload) (facts, error) {
	f := facts{version: s.version(w.code)}
	o, err := s.instrumented(w, budgeted, build.Config{})
	if err != nil {
		return f, err
	}
	if err := s.unlimited(w, endless); err != nil {
		return f, err
	}
	prog, err := s.program(w)
	if err != nil {
		return f, err
	}
	f.lines, f.sites = lines(prog, w), len(o.Sites)
	if w.large && f.lines < linesLarge {
		return f, fmt.Errorf("%s is declared large, but has only %d lines in scope", w.name, f.lines)
	}
	patterns := append([]string{realPath + "..."}, w.scope...)
	var fuzz []string
	for _, p := range patterns {
		fuzz = append(fuzz, "-gcflags="+p+"=-d=libfuzzer")
	}
	flags := map[string][]string{plain: nil, fuzzer: fuzz}
	for way, mode := range map[string]string{coverSet: "set", counted: "count", atomic: "atomic"} {
		flags[way] = []string{"-cover", "-covermode=" + mode, "-coverpkg=" + strings.Join(patterns, ",")}
	}
	for way, more := range flags {
		args := append([]string{"test", "-c", "-vet=off", "-o", s.binary(w, way)}, more...)
		if err := s.run(nil, append(args, "./"+w.pkg)...); err != nil {
			return f, fmt.Errorf("%s: %w", way, err)
		}
	}
	return f, nil
}
