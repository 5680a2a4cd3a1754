//go:build go1.25

package allele

import (
	"math"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
)

// A number of tests and a time exclude each other. A flag overrides a variable, and a variable
// overrides code, whichever of the two they set. If both are set in the same place, the time
// decides.
func TestTestsOrTime(t *testing.T) {
	defer func(tests, budget string) { *flagTests, *flagFor = tests, budget }(*flagTests, *flagFor)
	for _, c := range []struct {
		what                string
		declared, code      []Option
		tests, budget       string // the variables
		testsFlag, timeFlag string
		command             int // -tests of allele test; 0 in go test
		wantTests           int
		wantBudget          time.Duration
	}{
		{what: "nothing is set", wantTests: 1000},
		{what: "a time in code", code: []Option{For(time.Minute)}, wantTests: testsMax, wantBudget: time.Minute},
		{what: "both in code", code: []Option{Tests(50), For(time.Minute)}, wantTests: testsMax, wantBudget: time.Minute},
		{what: "tests override a time that is declared", declared: []Option{For(time.Minute)}, code: []Option{Tests(50)}, wantTests: 50},
		{what: "the variable overrides a time in code", code: []Option{For(time.Minute)}, tests: "50", wantTests: 50},
		{what: "the variable overrides tests in code", code: []Option{Tests(50)}, budget: "2s", wantTests: testsMax, wantBudget: 2 * time.Second},
		{what: "both variables", tests: "50", budget: "2s", wantTests: testsMax, wantBudget: 2 * time.Second},
		{what: "the flag overrides a time in a variable", budget: "2s", testsFlag: "50", wantTests: 50},
		{what: "the flag overrides a time in code", code: []Option{For(time.Minute)}, testsFlag: "50", wantTests: 50},
		{what: "the flag overrides tests in a variable", tests: "50", timeFlag: "2s", wantTests: testsMax, wantBudget: 2 * time.Second},
		{what: "both flags", tests: "9", testsFlag: "50", timeFlag: "2s", wantTests: testsMax, wantBudget: 2 * time.Second},
		{what: "no tests, by a variable", code: []Option{For(time.Minute)}, tests: "0", wantTests: 0},
		{what: "the command overrides a time in code", code: []Option{For(time.Minute)}, command: 50, wantTests: 50},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Setenv("ALLELE_TESTS", c.tests)
			t.Setenv("ALLELE_FOR", c.budget)
			*flagTests, *flagFor = c.testsFlag, c.timeFlag
			j := &job.Job{}
			if c.command > 0 {
				j = &job.Job{Mode: job.Search, Search: job.Params{Tests: c.command}}
			}
			got, err := configure(property.Gather(func(s *property.Settings) { apply(s, c.declared) }, func(s *property.Settings) { apply(s, c.code) }), "TestX", j)
			if err != nil || got.Tests != c.wantTests || got.Budget != c.wantBudget {
				t.Errorf("%d tests, for %v, %v; want %d, for %v", got.Tests, got.Budget, err, c.wantTests, c.wantBudget)
			}
		})
	}
}

// Numbers that make no sense are errors, wherever they come from.
func TestSenseless(t *testing.T) {
	for _, c := range []struct {
		opt  Option
		want string
	}{
		{Tests(-1), "Tests(-1): want 0 or more"},
		{Size(-1), "Size(-1): want a size of at least 1"},
		{Size(0), "Size(0): want a size of at least 1"},
		{For(-time.Second), "For(-1s): want a time above 0"},
		{For(0), "For(0s): want a time above 0"},
		{Weight[float64]("x", math.NaN()), "want a name, and a weight from 0 to a million"},
		{Weight[float64]("x", -1), "want a name, and a weight from 0 to a million"},
		{Range(math.NaN(), 1), "Range"},
		{Range(1, math.NaN()), "Range"},
		{Range(2.0, 1), "Range"},
		{Distribution{MeanSize: math.NaN()}, "MeanSize is NaN, want a size from 0 to 10000"},
		{Distribution{MeanSize: -1}, "MeanSize is -1, want a size from 0 to 10000"},
		{Distribution{Depth: -1}, "Depth is -1, want at least one level"},
		{Distribution{Proportions: map[string]float64{"x": math.NaN()}}, "is NaN, want a number above 0, at most a million"},
		{Distribution{Proportions: map[string]float64{"x": 0}}, "is 0, want a number above 0, at most a million"},
		{Distribution{Proportions: map[string]float64{"x": 2e6}}, "is 2e+06, want a number above 0, at most a million"},
	} {
		record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in float64) {}, c.opt) }).has(t, "allele: ", c.want)
	}
	for _, c := range []struct{ variable, value, want string }{
		{"ALLELE_TESTS", "-1", "want a number of tests, such as 10000"},
		{"ALLELE_SIZE", "-1", "want a size of at least 1"},
		{"ALLELE_SIZE", "0", "want a size of at least 1"},
		{"ALLELE_FOR", "-1s", "want a time above 0, such as 30s or 5m"},
		{"ALLELE_FOR", "0", "want a time above 0, such as 30s or 5m"},
		{"ALLELE_FOR", "30", "want a time above 0, such as 30s or 5m"},
		{"ALLELE_RUN_TIMEOUT", "0", "want a time above 0, such as 10s"},
		{"ALLELE_RUN_TIMEOUT", "10", "want a time above 0, such as 10s"},
	} {
		t.Setenv(c.variable, c.value)
		record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in int) {}) }).has(t, "allele: "+c.variable+"="+c.value+": "+c.want)
		t.Setenv(c.variable, "")
	}
}
