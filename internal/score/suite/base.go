//go:build go1.25

package suite

import (
	"os"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// baseline runs each test three times: first it records, then all gates are off, then it
// records again. A test must pass each time. Places that a test reaches only the first time
// are kept apart: with a fault there, the test must be the first in its process.
func (r *runner) baseline() error {
	b, err := scoring.Continue[scoring.Original](r.request.Baseline, r.head())
	if err != nil {
		return err
	}
	defer b.Close()
	for _, u := range units {
		before := scoring.FindTest(b.Cases, u.name)
		if before != nil && !before.Due(r.request.Again) {
			r.put(lineOf(before))
			continue
		}
		t, busy := &scoring.Original{Test: u.name, Left: r.request.Leave[u.name]}, false
		if t.Left == "" {
			r.put(scoring.Line{Event: scoring.Start, Fault: scoring.NoFault, Test: u.name})
			t, busy = r.try(u)
			t.Again, t.Shaky = r.request.Again, before != nil && t.Left == ""
		}
		if err := b.Add(t); err != nil {
			return err
		}
		if r.put(lineOf(t)); busy {
			r.put(scoring.Line{Event: scoring.Busy, Fault: scoring.NoFault, Test: u.name})
			os.Exit(CodeBusy)
		}
	}
	return nil
}

func lineOf(t *scoring.Original) scoring.Line {
	return scoring.Line{Event: scoring.Tested, Fault: scoring.NoFault, Test: t.Test, Detail: t.Left, Steps: t.Steps, Nanos: t.Nanos}
}

// itSkips is a reason for leaving out a test.
const itSkips = "it is skipped"

// head returns the first line of the baseline.
func (r *runner) head() scoring.Head {
	init := scoring.NewReach(len(r.request.Faults))
	h := scoring.Head{InitHit: init.Hit, InitDiff: init.Diff}
	h.Funcs, h.InitRan = r.funcs()
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
func (r *runner) try(u unit) (t *scoring.Original, busy bool) {
	t = &scoring.Original{Test: u.name}
	emptyPools()
	first, a, once := r.record(u)
	second, third := result{}, result{}
	if first.passed && !first.busy {
		t.First, t.Ran.All = a, once
		second, once = r.watched(u, run{fault: scoring.NoFault, budget: unlimited})
		t.Ran.All = t.Ran.All.Union(once)
	}
	if first.passed && second.passed {
		before := t.Ran.All
		third, t.Each, once = r.record(u)
		t.Ran = scoring.Entered{All: before.Union(once), Once: before.Without(once)}
	}
	t.Varies = first.steps != third.steps
	t.Steps = max(first.steps, second.steps, third.steps)
	t.Nanos = int64(max(first.took, second.took, third.took) / time.Nanosecond)
	t.CPU = int64(min(first.cpu, second.cpu, third.cpu))
	busy = first.busy || second.busy || third.busy
	switch {
	case first.skipped || second.skipped || third.skipped:
		t.Left = itSkips
	case first.foreign:
		t.Left = "it has properties of its own"
	case first.by == fate.ByTest:
		t.Left = scoring.Failing[0]
	case first.by == fate.ByBudget:
		t.Left = "it needs more than runs with a fault may use: " + first.detail
	case first.by != "":
		t.Left = "it fails while panics are caught: " + first.detail
	case !first.passed:
		t.Left = scoring.Failing[0]
	case busy:
		t.Left = "it leaves goroutines behind that go on running"
	case !second.passed:
		t.Left = scoring.Failing[1]
	case !third.passed:
		t.Left = scoring.Failing[2]
	}
	if t.Left != "" {
		t = &scoring.Original{Test: u.name, Left: t.Left}
	}
	return t, busy
}

// record runs a test while all places record, and returns the functions that ran too. Panics are caught as in a run with a fault: a
// test that relies on a panic outside such a function would fail with every fault.
func (r *runner) record(u unit) (result, scoring.Reach, scoring.Set) {
	sites := r.sites()
	for _, g := range hook.Gates {
		g.RecordOnly(sites[g.Path])
	}
	res, ran := r.watched(u, run{fault: scoring.NoFault, armed: true, budget: unlimited})
	hook.RecordFaults(false)
	reach := scoring.NewReach(len(r.request.Faults))
	gates := gatesOf()
	for i, f := range r.request.Faults {
		if g := gates[f.Package]; has(g, f) {
			reach.Add(i, g.Hit[f.Site] != 0, g.Diff[f.Site]>>f.Variant&1 != 0, g.Sure(f.Site))
		}
	}
	return res, reach, ran
}

// sites returns the places of the faults, by the path of their package. The others need not record.
func (r *runner) sites() map[string][]int {
	all, gates := map[string][]int{}, gatesOf()
	for _, f := range r.request.Faults {
		if has(gates[f.Package], f) {
			all[f.Package] = append(all[f.Package], f.Site)
		}
	}
	return all
}
