package distribution

import (
	"fmt"
	"reflect"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// Simplify repeats the thesis's example for patterns. The function simplify looks for
// adjacent texts in its first two clauses, and the experiment counts how many generated
// values reach these clauses. It fails unless patterns bring at least three times as many
// values there.
var Simplify = lab.Experiment{
	Name: "simplify",
	Doc:  "share of values that reach the first clauses of simplify, with and without patterns",
	Run:  simplifyRun,
}

// The type in the thesis: data Html = Text String | Single String | Tag String Html |
// Join Html Html
type (
	html   any
	text   struct{ s string }
	single struct{ tag string }
	tag    struct {
		name string
		in   html
	}
	join struct{ l, r html }
)

// clauses counts for each clause of simplify how often it is taken.
type clauses [5]int

// simplify is the function of the thesis, clause for clause.
func (c *clauses) simplify(h html) html {
	switch h := h.(type) {
	case join:
		switch l := h.l.(type) {
		case text:
			if r, ok := h.r.(text); ok {
				c[0]++
				return text{l.s + r.s}
			}
		case join:
			if t, ok := l.l.(text); ok {
				c[1]++
				return c.simplify(join{t, c.simplify(join{l.r, h.r})})
			}
		}
		c[2]++
		return join{c.simplify(h.l), c.simplify(h.r)}
	case tag:
		c[3]++
		return tag{h.name, c.simplify(h.in)}
	}
	c[4]++
	return h
}

// patterns returns the shapes that clauses 1 and 2 test for. The strings in these shapes
// may have any value.
func patterns(s *schema.Schema) []schema.Pattern {
	const textC, joinC = 1, 4
	words := func() *schema.Shape { return &schema.Shape{S: s, C: textC, Fields: []*schema.Shape{nil}} }
	pair := func(l, r *schema.Shape) *schema.Shape {
		return &schema.Shape{S: s, C: joinC, Fields: []*schema.Shape{l, r}}
	}
	return []schema.Pattern{{Name: "simplify#1", Shape: pair(words(), words())}, {Name: "simplify#2", Shape: pair(pair(words(), nil), nil)}}
}

const splitSize = 20

func simplifyRun(cfg lab.Config) (*lab.Result, error) {
	terms := 200_000
	if cfg.Quick {
		terms = 20_000
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{
		"terms": terms, "depth": depth, "size": splitSize, "published": "1.5 to 6 % with MegaDeTH and DRAGEN",
	}}
	var plain [2]float64
	for _, c := range []struct {
		name     string
		patterns bool
		odds     []float64
		tuned    bool
	}{
		{"even odds", false, nil, false},
		{"all constructors alike", false, nil, true},
		{"patterns, even odds", true, nil, false},
		{"patterns, all alike", true, nil, true},
		{"patterns, weights of the thesis", true, []float64{0, 2, 1, 3, 4, 3, 5}, false},
	} {
		cfg.Logf("%s", c.name)
		for i, generator := range []string{"by odds", "size split"} {
			w, err := sumOf[html](text{}, single{}, tag{}, join{})
			if err != nil {
				return nil, err
			}
			if c.patterns {
				w.Root.Patterns = patterns(w.Root)
			}
			w.Root.Odds = c.odds
			if c.tuned {
				if _, err := weight.Tune(w, depth, weight.Goal{}); err != nil {
					return nil, err
				}
			}
			if i == 0 {
				w.Depth = depth
			}
			row, share := reach(w, terms)
			res.Rows = append(res.Rows, append(lab.Row{lab.Col("odds", c.name), lab.Col("generator", generator)}, row...))
			if c.name == "even odds" {
				plain[i] = share
			}
			if c.name == "patterns, even odds" && share < 3*plain[i] {
				return res, fmt.Errorf("%s: the share that reaches the first two clauses is %.3f with patterns, %.3f without",
					generator, share, plain[i])
			}
		}
	}
	return res, nil
}

// reach runs simplify on generated values. The row has three shares: of values that take
// clause 1 or 2 in the outermost call, of all calls that take one of these clauses, and
// of values that reach one of them in any call. reach also returns the first share.
func reach(w *schema.World, terms int) (lab.Row, float64) {
	g, b := gen.New(w), schema.NewBuilder(w)
	var root, all clauses
	anywhere, cells := 0, 0
	for run := range uint64(terms) {
		t := g.Term(rng.At(1, run), splitSize)
		cells += w.Cells(t)
		var h html
		b.Build(t, reflect.ValueOf(&h).UnsafePointer())
		root[first(h)]++
		var c clauses
		c.simplify(h)
		for i, n := range c {
			all[i] += n
		}
		if c[0]+c[1] > 0 {
			anywhere++
		}
	}
	n, calls := float64(terms), 0
	for _, k := range all {
		calls += k
	}
	share := float64(root[0]+root[1]) / n
	return lab.Row{lab.Col("clause 1 %", round(100*float64(root[0])/n, 2)), lab.Col("clause 2 %", round(100*float64(root[1])/n, 2)),
		lab.Col("1 or 2 %", round(100*share, 2)), lab.Col("of all calls %", round(100*float64(all[0]+all[1])/float64(calls), 2)),
		lab.Col("values that get there %", round(100*float64(anywhere)/n, 2)), lab.Col("mean cells", round(float64(cells)/n, 2))}, share
}

// first returns the clause that simplify takes for h in the outermost call.
func first(h html) int {
	switch h := h.(type) {
	case join:
		switch l := h.l.(type) {
		case text:
			if _, ok := h.r.(text); ok {
				return 0
			}
		case join:
			if _, ok := l.l.(text); ok {
				return 1
			}
		}
		return 2
	case tag:
		return 3
	}
	return 4
}
