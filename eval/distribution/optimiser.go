package distribution

import (
	"fmt"
	"math"
	"reflect"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// Optimiser tunes the odds of random worlds (sets of types) with 10 to 500 constructors,
// and generates terms with these odds.
var Optimiser = lab.Experiment{Name: "optimiser", Doc: "time and error of tuned odds against the number of constructors", Run: optimiser}

// sums returns a hundred interface types. Each of them gets five constructors, which is
// about the ratio of the largest case in the thesis: bash, with 136 constructors in 31
// types.
func sums() []reflect.Type {
	var all []reflect.Type
	hundred := [][]reflect.Type{
		ten[d0](), ten[d1](), ten[d2](), ten[d3](), ten[d4](),
		ten[d5](), ten[d6](), ten[d7](), ten[d8](), ten[d9](),
	}
	for _, ten := range hundred {
		all = append(all, ten...)
	}
	return all
}

type (
	choice[A, B any] interface{}

	d0 struct{}
	d1 struct{}
	d2 struct{}
	d3 struct{}
	d4 struct{}
	d5 struct{}
	d6 struct{}
	d7 struct{}
	d8 struct{}
	d9 struct{}
)

func ten[A any]() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[choice[A, d0]](), reflect.TypeFor[choice[A, d1]](),
		reflect.TypeFor[choice[A, d2]](), reflect.TypeFor[choice[A, d3]](),
		reflect.TypeFor[choice[A, d4]](), reflect.TypeFor[choice[A, d5]](),
		reflect.TypeFor[choice[A, d6]](), reflect.TypeFor[choice[A, d7]](),
		reflect.TypeFor[choice[A, d8]](), reflect.TypeFor[choice[A, d9]](),
	}
}

// perType is the number of constructors of a type.
const perType = 5

// world returns a world of mutually recursive types. The first variant of each type has
// no recursive field. The second variant leads to the next type, so that all types are
// reached. The other variants have up to three fields.
func world(seed uint64, ctors int) (*schema.World, error) {
	r := rng.New(seed)
	types := sums()[:ctors/perType]
	var decls []schema.Decl
	for i, s := range types {
		var variants schema.Variants
		for k := range perType {
			var fields []reflect.StructField
			add := func(t reflect.Type) {
				fields = append(fields, reflect.StructField{Name: fmt.Sprintf("T%dC%dF%d", i, k, len(fields)), Type: t})
			}
			switch k {
			case 0:
				add(reflect.TypeFor[bool]())
			case 1:
				add(types[(i+1)%len(types)])
			default:
				for range 1 + r.Below(3) {
					add(field(&r, types))
				}
			}
			variants = append(variants, reflect.StructOf(fields))
		}
		decls = append(decls, schema.Decl{Type: s, What: variants, Tier: schema.Global})
	}
	return schema.Derive(types[0], decls)
}

func field(r *rng.Rand, types []reflect.Type) reflect.Type {
	t := types[r.Below(len(types))]
	switch r.Below(8) {
	case 0:
		return reflect.TypeFor[string]()
	case 1:
		return reflect.TypeFor[int]()
	case 2:
		return reflect.SliceOf(t)
	}
	return t
}

// trial holds the measurements of one world.
type trial struct {
	cpu, cpuCells, cpuCost float64 // ms to tune for three goals: uniform, a mean size, a cost function
	passes                 int
	before, after          float64 // cost with even odds, and with tuned odds
	off                    float64 // sum of all deviations, relative to the sum of the predicted counts
	worst                  float64 // largest deviation in standard errors
	rare, rareEven         int     // number of constructors generated less than once in 1000 terms, with tuned and with even odds
	cells, wanted          float64
}

const wantedCells = 100

func optimiser(cfg lab.Config) (*lab.Result, error) {
	sizes, terms := []int{10, 50, 200, 500}, 5000
	if cfg.Quick {
		sizes, terms = []int{10, 50}, 500
	}
	seeds := cfg.SeedsOr(lab.Default[int]{Full: 10, Quick: 2})
	res := &lab.Result{Seeds: seeds, Summary: map[string]any{"terms of each world": terms, "depth": depth, "wanted cells": wantedCells}}
	lines := make([]lab.Line, 5)
	for i, name := range []string{"all alike", "a wanted size", "a cost function", "median", "largest"} {
		lines[i].Name = name
	}
	for _, ctors := range sizes {
		cfg.Logf("%d constructors", ctors)
		var all []trial
		for _, seed := range seeds {
			t, err := try(seed, ctors, terms)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
		of := func(f func(trial) float64) []float64 {
			var xs []float64
			for _, t := range all {
				xs = append(xs, f(t))
			}
			return xs
		}
		median := func(f func(trial) float64) float64 { return lab.Median(of(f)) }
		cpu := median(func(t trial) float64 { return t.cpu })
		cells := median(func(t trial) float64 { return t.cpuCells })
		cost := median(func(t trial) float64 { return t.cpuCost })
		off, most := median(func(t trial) float64 { return 100 * t.off }), lab.Quantile(of(func(t trial) float64 { return 100 * t.off }), 1)
		res.Rows = append(res.Rows, lab.Row{lab.Col("constructors", ctors), lab.Col("types", ctors/perType),
			lab.Col("cpu ms", round(cpu, 1)), lab.Col("passes", median(func(t trial) float64 { return float64(t.passes) })),
			lab.Col("cpu ms, wanted size", round(cells, 1)),
			lab.Col("size off %", round(median(func(t trial) float64 { return 100 * relative(t.cells, t.wanted) }), 2)),
			lab.Col("cpu ms, cost function", round(cost, 1)),
			lab.Col("cost, even odds", round(median(func(t trial) float64 { return t.before }), 1)),
			lab.Col("cost", round(median(func(t trial) float64 { return t.after }), 1)),
			lab.Col("prediction off %", round(off, 2)),
			lab.Col("worst, standard errors", round(lab.Quantile(of(func(t trial) float64 { return t.worst }), 1), 2)),
			lab.Col("rarer than 1 in 1000 terms, even odds", median(func(t trial) float64 { return float64(t.rareEven) })),
			lab.Col("the same, tuned", median(func(t trial) float64 { return float64(t.rare) }))})
		for i, v := range []float64{cpu, cells, cost, off, most} {
			lines[i].At, lines[i].To = append(lines[i].At, float64(ctors)), append(lines[i].To, v)
		}
	}
	res.Plot = lab.Lines{Title: "Odds for a wanted distribution", Axis: "constructors", Panels: []lab.Panel{
		{Name: "CPU ms to tune", Of: lines[:2]},
		{Name: "CPU ms to tune", Of: lines[2:3]},
		{Name: "observed counts off by, % of the predicted", Of: lines[3:]},
	}}.SVG()
	return res, nil
}

func try(seed uint64, ctors, terms int) (trial, error) {
	var t trial
	w, err := world(seed, ctors)
	if err != nil {
		return t, err
	}
	t.rareEven = rare(weight.Predict(w, depth))
	timed := func(g weight.Goal) (*weight.Report, float64, error) {
		start := lab.CPU()
		r, err := weight.Tune(w, depth, g)
		return r, float64((lab.CPU() - start).Microseconds()) / 1000, err
	}
	r, cpu, err := timed(weight.Goal{Cells: wantedCells})
	if err != nil {
		return t, err
	}
	t.cpuCells, t.cells, t.wanted = cpu, r.Expected.Cells, wantedCells
	if _, t.cpuCost, err = timed(weight.Goal{Cost: squares}); err != nil {
		return t, err
	}
	if r, t.cpu, err = timed(weight.Goal{}); err != nil {
		return t, err
	}
	t.passes, t.before, t.after = r.Passes, r.Before, r.Cost
	w.Depth = depth
	t.off, t.worst = check(w, r.Expected, terms)
	t.rare = rare(r.Expected)
	return t, nil
}

func rare(e *weight.Expected) int {
	n := 0
	for _, count := range e.Named() {
		if count < 1e-3 {
			n++
		}
	}
	return n
}

// squares is a cost function, as a user might write it, for the goal that all
// constructors are equally frequent.
func squares(expected map[string]float64) float64 {
	sum := 0.0
	for _, n := range expected {
		sum += (n - depth) * (n - depth) / depth
	}
	return sum
}

// eventsMin is the minimal expected count of a constructor for which check uses the
// standard error. Rarer constructors are generated in clusters, and a sample contains too
// few clusters for a meaningful error.
const eventsMin = 500

// check generates terms and compares the count of each constructor with its prediction.
// off is the sum of all differences divided by the sum of the predicted counts. worst is
// the largest difference in standard errors.
func check(w *schema.World, e *weight.Expected, terms int) (off, worst float64) {
	g := gen.New(w)
	tally := g.Observe()
	sum, squares := make([][]float64, len(tally)), make([][]float64, len(tally))
	for i := range tally {
		sum[i], squares[i] = make([]float64, len(tally[i])), make([]float64, len(tally[i]))
	}
	for run := range uint64(terms) {
		g.Term(rng.At(1, run), depth)
		for i := range tally {
			for k, n := range tally[i] {
				sum[i][k] += float64(n)
				squares[i][k] += float64(n) * float64(n)
			}
			clear(tally[i])
		}
	}
	n, total := float64(terms), 0.0
	for i, s := range w.Schemas {
		if len(s.Ctors) < 2 {
			continue
		}
		for k, want := range e.Counts[i] {
			mean := sum[i][k] / n
			off += math.Abs(mean - want)
			total += want
			if v := squares[i][k]/n - mean*mean; want*n > eventsMin && v > 0 {
				worst = max(worst, math.Abs(mean-want)/math.Sqrt(v/n))
			}
		}
	}
	return off / total, worst
}
