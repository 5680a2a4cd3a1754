//go:build go1.25

package weight_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// The test compares predictions with generated terms, for random type graphs.
//
// Each figure of each graph (ways chosen as counted by the generator,
// constructors found in terms, cells) is compared with its prediction by a z-test
// with the variance of the sample. Counts have long tails, for which the normal
// approximation is bad in small samples. So a figure that is suspicious in the
// first sample is judged by a second, independent sample, so much larger that the
// tails matter little; only the second one decides. Its threshold gives a
// family-wise error of 0.001 over all comparisons (Bonferroni), so the test fails
// wrongly for at most one in a thousand choices of seeds; its seeds are fixed. A
// figure must be off by a tenth of its standard deviation to be found.
const (
	graphs      = 500
	firstTerms  = 6000
	secondTerms = 60_000
	suspicious  = 4.0 // in standard errors
	familyError = 1e-3
	cellsMax    = 60 // larger graphs have longer tails; their odds are drawn again
	countMin    = 20 // figures with a smaller expected count in a sample are skipped
)

func TestPredictionIsObservation(t *testing.T) {
	n := graphs
	if testing.Short() {
		n = 60
	}
	var worst float64
	type suspect struct {
		world  *schema.World
		seed   uint64
		figure int
	}
	var suspects []suspect
	compared, rare := 0, 0
	seen := map[string]int{} // number of graphs with each feature
	for seed := range uint64(n) {
		w := calm(t, seed)
		features(w, seen)
		for i, z := range compare(w, seed, firstTerms) {
			if math.IsNaN(z) {
				rare++
				continue
			}
			compared++
			if math.Abs(z) > suspicious {
				suspects = append(suspects, suspect{w, seed, i})
			}
		}
	}
	limit := normalLimit(familyError / float64(compared))
	for _, s := range suspects {
		z := compare(s.world, s.seed+1<<32, secondTerms)[s.figure]
		worst = max(worst, math.Abs(z))
		if math.Abs(z) > limit {
			t.Errorf("graph %d: figure %d is %.1f standard errors off its prediction", s.seed, s.figure, z)
		}
	}
	for _, what := range []string{"recursion through several types", "patterns", "lists", "arrays", "maps", "builders", "calls"} {
		if seen[what]*20 < n {
			t.Errorf("%d of %d graphs have %s", seen[what], n, what)
		}
	}
	t.Logf("graphs with: %v", seen)
	t.Logf("%d graphs, %d figures compared and %d too rare; %d in a second sample, worst %.2f of %.2f standard errors",
		n, compared, rare, len(suspects), worst, limit)
}

// The size split keeps to its bound with any odds and patterns, and generates
// every way that has a chance.
func TestSplitKeepsItsBound(t *testing.T) {
	for seed := range uint64(100) {
		w := randomWorld(t, seed)
		g := gen.New(w)
		for run := range uint64(200) {
			size := int(run % 40)
			if cells := w.Cells(g.Term(rng.At(seed, run), size)); cells > g.Bound(size) {
				t.Fatalf("seed %d, run %d: %d cells, above the bound of %d", seed, run, cells, g.Bound(size))
			}
		}
	}
}

// calm returns a random world, with a depth, whose terms are not too large.
func calm(t *testing.T, seed uint64) *schema.World {
	t.Helper()
	for try := range uint64(200) {
		w := randomWorld(t, seed+try<<20)
		w.Depth = 1 + int(seed+try)%6
		if weight.Predict(w, w.Depth).Cells <= cellsMax {
			return w
		}
	}
	t.Fatalf("seed %d: no world of a bearable size", seed)
	return nil
}

// features counts the features of a world, to ensure that the graphs have all of
// them.
func features(w *schema.World, seen map[string]int) {
	has := map[string]bool{}
	for i, cyclic := range w.Cyclic() {
		s := w.Schemas[i]
		has["recursion through several types"] = has["recursion through several types"] || cyclic && i > 0 && s.Kind == schema.Interface
		has["patterns"] = has["patterns"] || len(s.Patterns) > 0
		has["lists"] = has["lists"] || s.Kind == schema.Slice
		has["arrays"] = has["arrays"] || s.Kind == schema.Array
		has["maps"] = has["maps"] || s.Kind == schema.Map
		has["builders"] = has["builders"] || s.Kind == schema.Made && s.Type.Kind() == reflect.Struct
		has["calls"] = has["calls"] || s.Kind == schema.Made && s.Type.Kind() == reflect.Interface
	}
	for what, ok := range has {
		if ok {
			seen[what]++
		}
	}
}

// compare generates terms and returns for each figure how many standard errors
// its mean is from the prediction; NaN if there are too few.
func compare(w *schema.World, seed uint64, terms int) []float64 {
	e := weight.Predict(w, w.Depth)
	g := gen.New(w)
	tally := g.Observe()
	maps := false
	var want []float64
	for i, s := range w.Schemas {
		maps = maps || s.Kind == schema.Map
		want = append(append(want, e.Counts[i]...), e.Down[i]...)
	}
	want = append(want, e.Cells)
	sum, squares, now := make([]float64, len(want)), make([]float64, len(want)), make([]float64, len(want))
	for run := range uint64(terms) {
		clearTally(tally)
		x := g.Term(rng.At(seed, run), 10)
		k := 0
		down := make([]int, len(w.Schemas)) // index of the first figure of each schema
		for i, s := range w.Schemas {
			for _, n := range tally[i] {
				now[k] = float64(n)
				k++
			}
			down[i] = k
			clear(now[k : k+s.Plain()])
			k += s.Plain()
		}
		for i := range x.Nodes() {
			s := w.Of(x[i])
			now[down[s.ID]+int(x[i].C)*min(1, len(s.Ctors))]++
		}
		now[k] = float64(w.Cells(x))
		for i, v := range now {
			sum[i] += v
			squares[i] += v * v
		}
	}
	out := make([]float64, len(want))
	k := 0
	for i, s := range w.Schemas {
		for range e.Counts[i] {
			out[k] = score(sum[k], squares[k], want[k], terms)
			k++
		}
		for range s.Plain() {
			out[k] = score(sum[k], squares[k], want[k], terms)
			if maps {
				out[k] = math.NaN() // entries with equal keys are not in the term
			}
			k++
		}
	}
	out[k] = score(sum[k], squares[k], want[k], terms)
	if maps {
		out[k] = math.NaN()
	}
	return out
}

func clearTally(tally [][]int) {
	for _, row := range tally {
		clear(row)
	}
}

// score returns the distance of a mean from a prediction in standard errors. A
// figure that never varies must equal its prediction.
func score(sum, squares, want float64, terms int) float64 {
	n := float64(terms)
	mean := sum / n
	variance := squares/n - mean*mean
	switch {
	case want == 0 || variance < 1e-12 && want*n > countMin:
		if math.Abs(mean-want) < 1e-9 {
			return 0
		}
		return math.Inf(1)
	case want*n < countMin:
		return math.NaN()
	}
	return (mean - want) / math.Sqrt(variance/n)
}

// normalLimit returns the value that a standard normal exceeds, on either side,
// with probability p. It is found by bisection.
func normalLimit(p float64) float64 {
	low, high := 0.0, 40.0
	for range 100 {
		if mid := (low + high) / 2; math.Erfc(mid/math.Sqrt2) > p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Struct tags change which numbers and texts are generated in a world with a depth, and not
// which constructors: the prediction stays true.
func TestPredictionWithTags(t *testing.T) {
	type node struct {
		Name string   `validate:"required,email"`
		N    int      `validate:"gte=10"`
		Left *node    `validate:"required"`
		Tags []string `validate:"min=1,max=2"`
	}
	w, err := schema.Derive(reflect.TypeFor[*node](), nil)
	if err != nil || !w.Tagged() {
		t.Fatal(err, w.Tagged())
	}
	w.Depth = 4
	for i, z := range compare(w, 7, secondTerms) {
		if math.Abs(z) > 4 {
			t.Errorf("figure %d is %.1f standard errors off its prediction", i, z)
		}
	}
}
