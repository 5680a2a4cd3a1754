// Package sizes measures how large generated terms are.
package sizes

import (
	"fmt"
	"reflect"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/workload"
	"github.com/allele-go/allele/eval/workload/peers"
	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Experiment generates a million terms of each type at size 20. It fails if a term
// exceeds the stated bound, or if fewer than 60 % have at least five nodes.
var Experiment = lab.Experiment{Name: "sizes", Doc: "a million generated terms of three types: none too large, few trivial", Run: run}

const size = 20

func run(cfg lab.Config) (*lab.Result, error) {
	terms := 1_000_000
	if cfg.Quick {
		terms = 100_000
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"size": size}}
	least := 1.0
	for _, subject := range []struct {
		name  string
		typ   reflect.Type
		decls []schema.Decl
	}{
		{"*Tree", reflect.TypeFor[*workload.Tree](), nil},
		{"*RB", reflect.TypeFor[*peers.RB](), nil},
		{"Expr", reflect.TypeFor[peers.Expr](), task.Decls(peers.Forms())},
	} {
		cfg.Logf("%s", subject.name)
		w, err := schema.Derive(subject.typ, subject.decls)
		if err != nil {
			return nil, err
		}
		row, share, err := measure(w, subject.name, terms)
		if err != nil {
			return nil, err
		}
		least = min(least, share)
		res.Rows = append(res.Rows, row)
	}
	res.Summary["least share with 5 nodes"] = least
	if least < 0.6 {
		return res, fmt.Errorf("only a share of %.2f of the terms has at least five nodes", least)
	}
	return res, nil
}

func measure(w *schema.World, name string, terms int) (lab.Row, float64, error) {
	g := gen.New(w)
	bound := g.Bound(size)
	count := make([]int, bound+1)
	units := 0
	start := lab.CPU()
	for run := range uint64(terms) {
		t := g.Term(rng.At(1, run), size)
		units += len(t)
		n := w.Cells(t)
		if n > bound {
			return nil, 0, fmt.Errorf("%s: run %d has %d nodes, above the bound of %d", name, run, n, bound)
		}
		count[n]++
	}
	cost := lab.CPU() - start
	five := 0
	for _, c := range count[5:] {
		five += c
	}
	share := float64(five) / float64(terms)
	return lab.Row{lab.Col("type", name), lab.Col("terms", terms), lab.Col("bound", bound),
		lab.Col("p50", quantile(count, terms, 0.5)), lab.Col("p99", quantile(count, terms, 0.99)), lab.Col("max", largest(count)),
		lab.Col("share with 5 nodes", share), lab.Col("cpu ns per unit", float64(cost.Nanoseconds())/float64(units))}, share, nil
}

func quantile(count []int, total int, q float64) int {
	seen := 0
	for n, c := range count {
		if seen += c; float64(seen) >= q*float64(total) {
			return n
		}
	}
	return len(count)
}

func largest(count []int) int {
	for n := len(count) - 1; n > 0; n-- {
		if count[n] > 0 {
			return n
		}
	}
	return 0
}
