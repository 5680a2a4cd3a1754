//go:build go1.25

package engine_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// The count of distinct terms agrees with a map, up to where it stops.
func TestDistinct(t *testing.T) {
	for _, c := range []struct {
		name          string
		values, tests int
		want          int
		least         bool
	}{
		{"one value", 1, 1000, 1, false},
		{"few values", 5, 1000, 5, false},
		{"more than are kept", 300, 10_000, 300, false},
		{"as many as are counted", 5000, 20_000, engine.DistinctMax, true},
		{"few values, so many times that they are sampled", 5, 100_000, 5, true},
	} {
		w, err := schema.Derive(reflect.TypeFor[int](), nil)
		if err != nil {
			t.Fatal(err)
		}
		e := engine.New(engine.Config{World: w, Tests: c.tests})
		seen := map[int]bool{}
		for i := range c.tests {
			x := i * 7919 % c.values
			e.Pass(term.Term{{N: 1, X: uint64(x)}})
			seen[x] = true
		}
		if e.Distinct != c.want || e.Distinct != min(len(seen), engine.DistinctMax) || e.Inputs.AtLeast() != c.least {
			t.Errorf("%s: %d distinct, at least %v", c.name, e.Distinct, e.Inputs.AtLeast())
		}
		if _, same := e.Inputs.Same(nil); same != (c.want == 1) {
			t.Errorf("%s: same %v", c.name, same)
		}
	}
}

// A search that ends where a Check becomes vacuous makes more runs than others, unless its
// limit is exact.
func TestCloseGoesOn(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		every, tests int
		exact        bool
		want         int
	}{
		{1000, 1000, false, 10_000}, // far below a tenth of the tests
		{100, 1000, false, 40_000},
		{120, 1000, false, 40_000},
		{90, 1000, false, 40_000},
		{50, 1000, false, 10_000}, // far above
		{100, 50, false, 500},     // few tests
		{100, 1000, true, 10_000}, // an arm of an experiment
	} {
		e := engine.New(engine.Config{World: w, Size: 20, Tests: c.tests, Runs: 10 * c.tests, Experiment: engine.Experiment{Exact: c.exact}})
		n := 0
		for ; !e.Over(); n++ {
			e.Next()
			v := engine.Discarded
			if n%c.every == 0 {
				v = engine.Passed
			}
			e.Done(v, trace.Run{})
		}
		if n != c.want {
			t.Errorf("one in %d passes: %d runs, want %d", c.every, n, c.want)
		}
	}
}

// A search whose few passed runs had the same term goes on, because that may be chance.
func TestSameGoesOn(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tests, runs, want int }{{1, 0, 1}, {5, 0, 20}, {5, 12, 12}, {100, 0, 100}} {
		e := engine.New(engine.Config{World: w, Size: 20, Tests: c.tests, Runs: c.runs})
		n := 0
		for ; !e.Over(); n++ {
			x, _ := e.Next()
			x[0].X = 7
			e.Done(engine.Passed, trace.Run{})
		}
		if n != c.want {
			t.Errorf("%d tests of one term: %d runs, want %d", c.tests, n, c.want)
		}
	}
}
