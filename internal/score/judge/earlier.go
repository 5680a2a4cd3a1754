//go:build go1.25

package judge

import (
	"strconv"
	"strings"

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

// reuse accepts the verdicts of an earlier program that still hold.
func reuse(j *judge) {
	if j.Base.Earlier == nil {
		return
	}
	base, err := scoring.ReadCases[scoring.Original](j.baselineFile())
	if err == nil {
		j.accept(j.Base.Earlier.Reuse(base, j.leave, j.Faults)...)
	}
}

// remember gives the verdicts of a task to Earlier. What is judged in a process of its own may depend on that.
func remember(j *judge, t task, verdicts []fate.Verdict, lines []scoring.Line) {
	if j.Base.Earlier == nil || t.fresh || t.boot {
		return
	}
	ran := map[int]scoring.Line{}
	for _, l := range lines {
		if l.Event == scoring.Ran {
			ran[l.Fault] = l
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, v := range verdicts {
		l, watched := ran[v.Fault]
		e := Evidence{Fault: j.faults[v.Fault], Verdict: v, Watched: watched}
		for text := range strings.FieldsSeq(l.Detail) {
			n, err := strconv.Atoi(text)
			e.Watched = e.Watched && err == nil
			e.Beyond = append(e.Beyond, n)
		}
		j.Base.Earlier.Judged(e)
	}
}
