//go:build go1.25

package suite

import (
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// baseline runs each test three times: first it records, then all gates are off, then it
// records again. A test must pass each time. Places that a test reaches only the first time
// are kept apart: with a fault there, the test must be the first in its process.
func (r *runner) baseline() error {
	b, err := scoring.Continue[tested](r.request.Baseline, r.head())
	if err != nil {
		return err
	}
	defer b.Close()
	for _, u := range units {
		if i := slices.IndexFunc(b.Cases, func(t *tested) bool { return t.Test == u.name }); i >= 0 {
			r.put(b.Cases[i].line())
			continue
		}
		t, busy := &tested{Test: u.name, Left: r.request.Leave[u.name]}, false
		if t.Left == "" {
			r.put(scoring.Line{Event: scoring.Start, Fault: scoring.NoFault, Test: u.name})
			t, busy = r.try(u)
		}
		if err := b.Add(t); err != nil {
			return err
		}
		if r.put(t.line()); busy {
			r.put(scoring.Line{Event: scoring.Busy, Fault: scoring.NoFault, Test: u.name})
			os.Exit(CodeBusy)
		}
	}
	return nil
}

// tested is what one test does on the original program.
type tested struct {
	Test  string
	Left  string `json:",omitempty"` // why the test is left out
	Steps int64  `json:",omitempty"`
	Nanos int64  `json:",omitempty"`

	Each, First scoring.Reach // of each run, and of the first one in a process
}

func (t *tested) line() scoring.Line {
	return scoring.Line{Event: scoring.Tested, Fault: scoring.NoFault, Test: t.Test, Detail: t.Left, Steps: t.Steps, Nanos: t.Nanos}
}

// Reasons for leaving out a test.
const (
	itSkips = "it is skipped"
	itFails = "it fails"
)

// head returns the first line of the baseline.
func (r *runner) head() scoring.Head {
	init := scoring.NewReach(len(r.request.Faults))
	h := scoring.Head{InitHit: init.Hit, InitDiff: init.Diff}
	gates := gatesOf()
	for i, f := range r.request.Faults {
		h.Faults = append(h.Faults, f.ID)
		if g := gates[f.Package]; has(g, f) {
			init.Add(i, g.InitHit[f.Site] != 0, g.InitDiff[f.Site]>>f.Variant&1 != 0, true)
		}
	}
	return h
}

// try runs a test three times. busy is true if it leaves a goroutine behind that takes steps.
func (r *runner) try(u unit) (t *tested, busy bool) {
	t = &tested{Test: u.name}
	emptyPools()
	first, a := r.record(u)
	second := result{}
	if first.passed {
		t.First = a
		second = r.run(u, run{fault: scoring.NoFault, budget: unlimited})
	}
	third := result{}
	if first.passed && second.passed {
		third, a = r.record(u)
		t.Each = a
	}
	t.Steps = max(first.steps, second.steps, third.steps)
	t.Nanos = int64(max(first.took, second.took, third.took) / time.Nanosecond)
	busy = first.busy || second.busy || third.busy
	switch {
	case first.skipped || second.skipped || third.skipped:
		t.Left = itSkips
	case first.foreign:
		t.Left = "it has properties of its own"
	case first.by == fate.ByTest:
		t.Left = itFails
	case first.by == fate.ByBudget:
		t.Left = "it needs more than runs with a fault may use: " + first.detail
	case first.by != "":
		t.Left = "it fails while panics are caught: " + first.detail
	case !first.passed:
		t.Left = itFails
	case !second.passed:
		t.Left = "it fails when it is run again"
	case !third.passed:
		t.Left = "it fails when it is run a third time"
	case busy:
		t.Left = "it leaves goroutines behind that go on running"
	}
	if t.Left != "" {
		t = &tested{Test: u.name, Left: t.Left}
	}
	return t, busy
}

// record runs a test while all places record. Panics are caught as in a run with a fault: a
// test that relies on a panic outside such a function would fail with every fault.
func (r *runner) record(u unit) (result, scoring.Reach) {
	hook.RecordFaults(true)
	res := r.run(u, run{fault: scoring.NoFault, armed: true, budget: unlimited})
	hook.RecordFaults(false)
	reach := scoring.NewReach(len(r.request.Faults))
	gates := gatesOf()
	for i, f := range r.request.Faults {
		if g := gates[f.Package]; has(g, f) {
			reach.Add(i, g.Hit[f.Site] != 0, g.Diff[f.Site]>>f.Variant&1 != 0, g.Sure(f.Site))
		}
	}
	return res, reach
}
