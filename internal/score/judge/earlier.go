//go:build go1.25

package judge

import (
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/site"
)

// Earlier has verdicts of an earlier program. Package ledger has one.
type Earlier interface {
	// Reuse returns the verdicts that still hold, when the tests have run without a fault.
	Reuse(base *scoring.Cases[scoring.Original], leave map[string]string, faults []site.Fault) []fate.Verdict
	// Judged is called with each verdict about the program as it is now, by one goroutine at a time.
	Judged(Evidence)
}

// Evidence is a verdict, and what it depends on.
type Evidence struct {
	Fault site.Fault
	fate.Verdict
	Watched bool  // it is known which functions ran
	Beyond  []int // functions that ran only with the fault, by their position in the baseline
}
