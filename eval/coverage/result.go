package coverage

import (
	"fmt"

	"github.com/allele-go/allele/eval/lab"
)

// check returns an error if a corpus has no paths, no blocks or no texts. It does not
// judge the figures.
func check(all []outcome) error {
	for _, o := range all {
		for i := range o.paths {
			if o.paths[i] < 1 || o.blocks[i] < 1 || o.texts.bytes < 1 {
				return fmt.Errorf("%s, %s: %v paths, %v blocks, %v bytes", o.target, o.way, o.paths[i], o.blocks[i], o.texts.bytes)
			}
		}
	}
	return nil
}

func rows(all []outcome) []lab.Row {
	var rows []lab.Row
	for _, o := range all {
		first := base(all, o)
		paths, within := lab.Mean95(o.paths)
		blocks, blocksWithin := lab.Mean95(o.blocks)
		rows = append(rows, lab.Row{lab.Col("library", o.target), lab.Col("way", o.way), lab.Col("inputs", o.inputs),
			lab.Col("mean bytes", o.texts.bytes/o.texts.inputs), lab.Col("accepted %", 100*o.texts.accepted/o.texts.inputs),
			lab.Col("paths", paths), lab.Col("paths ±", within), lab.Col("to even odds %", more(o.paths, first.paths)),
			lab.Col("blocks", blocks), lab.Col("blocks ±", blocksWithin), lab.Col("blocks to even odds %", more(o.blocks, first.blocks))})
	}
	return rows
}

// base returns the outcome that o is compared with: the outcome of the first way, for the
// same library and number of inputs.
func base(all []outcome, o outcome) outcome {
	for _, b := range all {
		if b.target == o.target && b.inputs == o.inputs {
			return b
		}
	}
	panic("coverage: base: the outcome is not in the list")
}

// more returns by how many per cent the mean of xs exceeds that of ys.
func more(xs, ys []float64) float64 {
	x, _ := lab.Mean95(xs)
	y, _ := lab.Mean95(ys)
	return 100 * (x/y - 1)
}

// plot has two panels for each library: paths, as in figure 5 of the thesis, and
// blocks.
func plot(all []outcome) []byte {
	l := lab.Lines{Title: "What a corpus shows of a library: mean and 95 % confidence interval", Axis: "inputs in the corpus"}
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].target == all[from].target {
			to++
		}
		l.Panels = append(l.Panels,
			panel(all[from].target+": distinct paths", all[from:to], func(o outcome) []float64 { return o.paths }),
			panel(all[from].target+": blocks reached", all[from:to], func(o outcome) []float64 { return o.blocks }))
		from = to
	}
	return l.SVG()
}

// panel returns a panel with a line for each way. The outcomes of a way must be
// adjacent.
func panel(name string, of []outcome, what func(outcome) []float64) lab.Panel {
	p := lab.Panel{Name: name}
	for _, o := range of {
		if n := len(p.Of); n == 0 || p.Of[n-1].Name != o.way {
			p.Of = append(p.Of, lab.Line{Name: o.way})
		}
		line := &p.Of[len(p.Of)-1]
		mean, within := lab.Mean95(what(o))
		line.At, line.To, line.Within = append(line.At, float64(o.inputs)), append(line.To, mean), append(line.Within, within)
	}
	return p
}
