// Package distribution compares generated values with the predicted and the
// requested distribution. It repeats a table and an example of the thesis that the
// method comes from, and tests the method with many constructors.
package distribution

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// Table1 is table 1 of the thesis with a million terms instead of 100,000. It
// fails if an observed count differs from its prediction by more than 1 % and by
// more than 0.02.
var Table1 = lab.Experiment{
	Name: "table1",
	Doc:  "table 1 of the thesis: five distributions of a tree, predicted, published, observed",
	Run:  table1,
}

// The type in the thesis: data Tree = LeafA | LeafB | LeafC | Node Tree Tree
type (
	tree  any
	leafA struct{}
	leafB struct{}
	leafC struct{}
	node  struct{ l, r tree }
)

const depth = 10

// goals are the goals in the table, with the expected and the observed counts that the
// thesis published.
var goals = []struct {
	name           string
	goal           weight.Goal
	published, saw [4]float64
}{
	{"uniform", weight.Goal{},
		[4]float64{5.26, 5.26, 5.21, 14.73}, [4]float64{5.27, 5.26, 5.21, 14.74}},
	{"weighted LeafA 3, LeafB 1, LeafC 1", weight.Goal{Weights: map[string]float64{"leafA": 3, "leafB": 1, "leafC": 1}},
		[4]float64{30.07, 9.76, 10.15, 48.96}, [4]float64{30.06, 9.75, 10.16, 48.98}},
	{"weighted LeafA 1, Node 3", weight.Goal{Weights: map[string]float64{"leafA": 1, "node": 3}},
		[4]float64{10.07, 3.15, 17.57, 29.80}, [4]float64{10.08, 3.15, 17.58, 29.82}},
	{"only LeafA, Node", weight.Goal{Only: []string{"leafA", "node"}},
		[4]float64{10.41, 0, 0, 9.41}, [4]float64{10.43, 0, 0, 9.43}},
	{"without LeafC", weight.Goal{Without: []string{"leafC"}},
		[4]float64{6.95, 6.95, 0, 12.91}, [4]float64{6.93, 6.92, 0, 12.86}},
}

func table1(cfg lab.Config) (*lab.Result, error) {
	terms := 1_000_000
	if cfg.Quick {
		terms = 100_000
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"terms": terms, "depth": depth}}
	var broken []error
	worst, worstSplit := 0.0, 0.0
	for _, g := range goals {
		cfg.Logf("%s", g.name)
		w, err := sumOf[tree](leafA{}, leafB{}, leafC{}, node{})
		if err != nil {
			return nil, err
		}
		r, err := weight.Tune(w, depth, g.goal)
		if err != nil {
			return nil, err
		}
		predicted := r.Expected.Counts[w.Root.ID][1:]
		w.Depth = depth
		deep := means(w, terms, depth)
		w.Depth = 0
		split := means(w, terms, int(math.Round(r.Expected.Cells)))
		for c, name := range []string{"LeafA", "LeafB", "LeafC", "Node"} {
			off, offSplit := relative(deep[c+1], predicted[c]), relative(split[c+1], predicted[c])
			worst, worstSplit = max(worst, off), max(worstSplit, offSplit)
			if math.Abs(deep[c+1]-predicted[c]) > max(0.01*predicted[c], 0.02) && !cfg.Quick {
				broken = append(broken, fmt.Errorf("%s: observed %.3f %s, predicted %.3f", g.name, deep[c+1], name, predicted[c]))
			}
			res.Rows = append(res.Rows, lab.Row{lab.Col("goal", g.name), lab.Col("constructor", name),
				lab.Col("published: predicted", two(g.published[c])), lab.Col("observed there", two(g.saw[c])),
				lab.Col("predicted", two(predicted[c])), lab.Col("observed", two(deep[c+1])), lab.Col("off %", round(100*off, 2)),
				lab.Col("same odds, size split", two(split[c+1])), lab.Col("split off %", round(100*offSplit, 1))})
		}
	}
	res.Summary["worst off %"], res.Summary["worst off %, size split"] = round(100*worst, 2), round(100*worstSplit, 1)
	return res, errors.Join(broken...)
}

// sumOf returns the world (the set of types) of an interface with the given variants.
func sumOf[I any](variants ...any) (*schema.World, error) {
	t := reflect.TypeFor[I]()
	return schema.Derive(t, []schema.Decl{{Type: t, What: schema.VariantsOf(variants...), Tier: schema.Global}})
}

// means generates terms and returns the mean number of occurrences of each constructor of
// the root's type.
func means(w *schema.World, terms, size int) []float64 {
	g := gen.New(w)
	count := make([]int, len(w.Root.Ctors))
	for run := range uint64(terms) {
		t := g.Term(rng.At(1, run), size)
		for i := range t.Nodes() {
			if t[i].S == w.Root.ID {
				count[t[i].C]++
			}
		}
	}
	out := make([]float64, len(count))
	for c, n := range count {
		out[c] = float64(n) / float64(terms)
	}
	return out
}

// relative returns the deviation of a figure from its prediction, relative to the
// prediction. If the prediction is 0, it returns the figure itself.
func relative(got, want float64) float64 {
	if want < 1e-9 {
		return got
	}
	return math.Abs(got-want) / want
}

// two formats a count with two decimals, as the thesis does. It returns text, because a
// table shows a number with three significant digits.
func two(x float64) string { return fmt.Sprintf("%.2f", x) }

func round(x float64, digits int) float64 {
	by := math.Pow(10, float64(digits))
	return math.Round(x*by) / by
}
