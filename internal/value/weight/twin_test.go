//go:build go1.25

package weight_test

import (
	"math"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// dense is the slow twin of the model. A kind of individual is a schema at a
// level, the mean matrix is dense, and populations are summed until they are
// extinct: equation 8 of the thesis. It computes components and heights by its
// own algorithm, from reachability.
type dense struct {
	w      *schema.World
	depth  int
	reach  [][]bool
	height []int
}

func newDense(w *schema.World, depth int) *dense {
	n := len(w.Schemas)
	d := &dense{w: w, depth: depth, reach: make([][]bool, n), height: make([]int, n)}
	for i, s := range w.Schemas {
		d.reach[i] = make([]bool, n)
		for c := range s.Ctors {
			for _, f := range s.Ctors[c].Fields {
				d.reach[i][f.S.ID] = true
			}
		}
		for _, t := range []*schema.Schema{s.Key, s.Elem} {
			if t != nil {
				d.reach[i][t.ID] = true
			}
		}
		d.height[i] = 1 << 20
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d.reach[i][j] = d.reach[i][j] || d.reach[i][k] && d.reach[k][j]
			}
		}
	}
	for range n + 1 {
		for i, s := range w.Schemas {
			for k := range s.Ways() {
				d.height[i] = min(d.height[i], d.wayHeight(s, k))
			}
		}
	}
	return d
}

func (d *dense) same(s, t *schema.Schema) bool {
	return s == t || d.reach[s.ID][t.ID] && d.reach[t.ID][s.ID]
}

// needs calls f with each part that a way needs: its count and its level.
func (d *dense) needs(s *schema.Schema, k, level int, f func(t *schema.Schema, count float64, level int)) {
	need := func(t *schema.Schema, count float64, takes bool) {
		if takes && d.same(s, t) {
			f(t, count, level-1)
		} else {
			f(t, count, level)
		}
	}
	switch {
	case k >= s.Plain():
		var walk func(t *schema.Schema, at *schema.Shape)
		walk = func(t *schema.Schema, at *schema.Shape) {
			if at == nil {
				need(t, 1, true)
				return
			}
			for i := range weight.Kids(t, at) {
				walk(weight.Kid(t, at, i))
			}
		}
		walk(s, s.Patterns[k-s.Plain()].Shape)
	case s.Kind == schema.Array:
		need(s.Elem, float64(s.Len), false)
	case s.IsList():
		mean := 15.0 / 16 * 2
		if level == 0 && (d.same(s, s.Elem) || s.Key != nil && d.same(s, s.Key)) {
			mean = 0
		}
		need(s.Elem, mean, true)
		if s.Key != nil {
			need(s.Key, mean, true)
		}
	case len(s.Ctors) > 0:
		for _, t := range s.Ctors[k].Fields {
			need(t.S, 1, s.Kind != schema.Struct && s.Kind != schema.Complex && !s.Ctors[k].Call)
		}
	}
}

func (d *dense) wayHeight(s *schema.Schema, k int) int {
	switch {
	case k < s.First():
		return 1 << 20
	case k < s.Plain() && s.IsList() && s.Kind != schema.Array:
		return 0
	}
	h := 0
	list := func(s *schema.Schema) bool { return s.Kind == schema.Slice || s.Kind == schema.Map }
	d.needs(s, k, 1, func(t *schema.Schema, count float64, level int) {
		if d.same(s, t) && (!list(t) || list(s)) && count > 0 {
			h = max(h, d.height[t.ID]+1-level)
		}
	})
	return min(h, 1<<20)
}

func (d *dense) chance(s *schema.Schema, k, level int) float64 {
	odds := func(k int) float64 {
		switch {
		case k < s.First() || level == 0 && d.wayHeight(s, k) > d.height[s.ID]:
			return -1
		case s.Odds == nil:
			return 1
		}
		return s.Odds[k]
	}
	sum, open := 0.0, 0.0
	for j := range s.Ways() {
		if odds(j) >= 0 {
			sum, open = sum+odds(j), open+1
		}
	}
	switch {
	case odds(k) < 0:
		return 0
	case sum == 0:
		return 1 / open
	}
	return odds(k) / sum
}

// counts sums the populations.
func (d *dense) counts() [][]float64 {
	n := len(d.w.Schemas)
	kinds := n * (d.depth + 1)
	matrix := make([][]float64, kinds)
	for level := range d.depth + 1 {
		for i, s := range d.w.Schemas {
			row := make([]float64, kinds)
			for k := range s.Ways() {
				d.needs(s, k, level, func(t *schema.Schema, count float64, to int) {
					row[max(0, to)*n+int(t.ID)] += d.chance(s, k, level) * count
				})
			}
			matrix[level*n+i] = row
		}
	}
	now, total := make([]float64, kinds), make([]float64, kinds)
	now[d.depth*n+int(d.w.Root.ID)] = 1
	for alive := true; alive; {
		alive = false
		next := make([]float64, kinds)
		for u, x := range now {
			total[u] += x
			for v, m := range matrix[u] {
				next[v] += x * m
				alive = alive || x*m > 0
			}
		}
		now = next
	}
	out := make([][]float64, n)
	for i, s := range d.w.Schemas {
		out[i] = make([]float64, s.Ways())
		for level := range d.depth + 1 {
			for k := range s.Ways() {
				out[i][k] += total[level*n+i] * d.chance(s, k, level)
			}
		}
	}
	return out
}

func TestPredictAgreesWithDenseMatrix(t *testing.T) {
	for seed := range uint64(60) {
		w := randomWorld(t, seed)
		depth := 1 + int(seed%4)
		got, want := weight.Predict(w, depth), newDense(w, depth).counts()
		for i, s := range w.Schemas {
			for k := range s.Ways() {
				if !near(got.Counts[i][k], want[i][k], 1e-9) {
					t.Fatalf("seed %d: %v way %d: %v, %v by the matrix", seed, s.Type, k, got.Counts[i][k], want[i][k])
				}
				sum := 0.0
				for _, level := range got.Levels {
					sum += level[i][k]
				}
				if !near(sum, got.Counts[i][k], 1e-9) {
					t.Fatalf("seed %d: %v way %d: levels add up to %v of %v", seed, s.Type, k, sum, got.Counts[i][k])
				}
			}
		}
	}
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// The gradients of the cost and of the size agree with finite differences.
func TestGradients(t *testing.T) {
	for seed := range uint64(40) {
		w := randomWorld(t, seed)
		depth := 1 + int(seed%4)
		for name, of := range map[string]func() (func(x, grad []float64) float64, int){
			"cost": func() (func(x, grad []float64) float64, int) { return weight.Slope(w, depth, weight.Goal{}) },
			"size": func() (func(x, grad []float64) float64, int) { return weight.SizeSlope(w, depth) },
		} {
			eval, n := of()
			x, grad, scratch := make([]float64, n), make([]float64, n), make([]float64, n)
			r := rng.New(seed)
			for i := range x {
				x[i] = float64(r.Uint64()>>11)/(1<<52) - 1
			}
			eval(x, grad)
			for i := range x {
				const by = 1e-5
				at := x[i]
				x[i] = at + by
				up := eval(x, scratch)
				x[i] = at - by
				slope := (up - eval(x, scratch)) / (2 * by)
				x[i] = at
				if !near(grad[i], slope, 1e-4) {
					t.Fatalf("seed %d, %s: slope %d is %v, finite differences give %v", seed, name, i, grad[i], slope)
				}
			}
		}
	}
}
