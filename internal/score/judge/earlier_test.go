//go:build go1.25

package judge_test

import (
	"context"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/site"
)

// earlier has a verdict about the first fault, and remembers those about the others.
type earlier struct {
	tests  int
	judged map[int]judge.Evidence
}

func (e *earlier) Reuse(base *scoring.Cases[scoring.Original], _ map[string]string, faults []site.Fault) []fate.Verdict {
	e.tests = len(base.Cases)
	return []fate.Verdict{{Fault: faults[0].ID, Kind: fate.NotReached, Detail: "of before"}}
}

func (e *earlier) Judged(found judge.Evidence) { e.judged[found.Fault.ID] = found }

// A verdict of before is not judged again, and the others come with what they depend on.
func TestEarlier(t *testing.T) {
	c := config(t, build(t))
	e := &earlier{judged: map[int]judge.Evidence{}}
	c.Leave, c.Base.Earlier = troublesome, e
	i := slices.Index(places, "Wrong")
	c.Faults = []site.Fault{c.Faults[(i+1)%len(c.Faults)], c.Faults[i]}
	r, err := judge.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Verdicts[0]; v.Detail != "of before" || e.tests == 0 {
		t.Errorf("%+v, after %d tests", v, e.tests)
	}
	found := e.judged[c.Faults[1].ID]
	if len(e.judged) != 1 || !found.Watched || found.Verdict != r.Verdicts[1] || found.Kind != fate.Killed {
		t.Errorf("%+v", e.judged)
	}
}
