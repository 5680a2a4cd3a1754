//go:build go1.25

package allele

import (
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/property"
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
