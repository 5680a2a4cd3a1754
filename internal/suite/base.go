//go:build go1.25

package suite

import (
	"encoding/json"
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// baseline runs each test three times: first it records, then all gates are off, then it
// records again. A test must pass each time. Places that a test reaches only the first time
// are kept apart: with a fault there, the test must be the first in its process.
//
// Each test is added to the file when it is finished. A process that continues after another
// one has died leaves out what is in the file.
func (r *runner) baseline() error {
	b, err := readBaseline(r.request.Baseline)
	if err != nil || !slices.EqualFunc(b.head.Faults, r.request.Faults, func(id int, f Fault) bool { return id == f.ID }) {
		if b, err = r.create(); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(r.request.Baseline, os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(b.end); err != nil {
		return err
	}
	for _, u := range units {
		if i := slices.IndexFunc(b.tests, func(t *tested) bool { return t.Test == u.name }); i >= 0 {
			r.put(b.tests[i].line())
			continue
		}
		t, busy := &tested{Test: u.name, Left: r.request.Leave[u.name]}, false
		if t.Left == "" {
			r.put(Line{Event: Start, Fault: NoFault, Test: u.name})
			t, busy = r.try(u)
		}
		if err := appendLine(file, t); err != nil {
			return err
		}
		if r.put(t.line()); busy {
			r.put(Line{Event: Busy, Fault: NoFault, Test: u.name})
			os.Exit(CodeBusy)
		}
	}
	return nil
}

func (t *tested) line() Line {
	return Line{Event: Tested, Fault: NoFault, Test: t.Test, Passed: t.Left == "", Detail: t.Left, Steps: t.Steps, Nanos: t.Nanos}
}

// Reasons for leaving out a test.
const (
	itSkips = "it is skipped"
	itFails = "it fails"
)

// create writes the head of a baseline.
func (r *runner) create() (*baseline, error) {
	h := head{Format: baselineFormat, InitHit: newBits(len(r.request.Faults)), InitDiff: newBits(len(r.request.Faults))}
	gates := gatesOf()
	for i, f := range r.request.Faults {
		h.Faults = append(h.Faults, f.ID)
		if g := gates[f.Package]; f.in(g) {
			mark(h.InitHit, h.InitDiff, i, g.InitHit[f.Site], g.InitDiff[f.Site]>>f.Variant)
		}
	}
	file, err := os.Create(r.request.Baseline)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := appendLine(file, h); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &baseline{head: h, end: info.Size()}, nil
}

func appendLine(file *os.File, x any) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	return err
}

// try runs a test three times. busy is true if it leaves a goroutine behind that takes steps.
func (r *runner) try(u unit) (t *tested, busy bool) {
	t = &tested{Test: u.name}
	emptyPools()
	first, a := r.record(u)
	second := result{}
	if first.passed {
		t.FirstHit, t.FirstDiff = a.hit, a.diff
		second = r.run(u, run{fault: NoFault, budget: unlimited})
	}
	third := result{}
	if first.passed && second.passed {
		third, a = r.record(u)
		t.Hit, t.Diff = a.hit, a.diff
	}
	t.Steps = max(first.steps, second.steps, third.steps)
	t.Nanos = int64(max(first.took, second.took, third.took) / time.Nanosecond)
	busy = first.busy || second.busy || third.busy
	switch {
	case first.skipped || second.skipped || third.skipped:
		t.Left = itSkips
	case first.foreign:
		t.Left = "it has properties of its own"
	case first.by == byTest:
		t.Left = itFails
	case first.by == byBudget:
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

// reach is what a run reached.
type reach struct{ hit, diff bits }

// record runs a test while all places record. Panics are caught as in a run with a fault: a
// test that relies on a panic outside such a function would fail with every fault.
func (r *runner) record(u unit) (result, reach) {
	hook.RecordFaults(true)
	res := r.run(u, run{fault: NoFault, armed: true, budget: unlimited})
	hook.RecordFaults(false)
	n := len(r.request.Faults)
	a := reach{newBits(n), newBits(n)}
	gates := gatesOf()
	for i, f := range r.request.Faults {
		if g := gates[f.Package]; f.in(g) {
			mark(a.hit, a.diff, i, g.Hit[f.Site], g.Diff[f.Site]>>f.Variant)
		}
	}
	return res, a
}

func mark(hits, diffs bits, i int, hit, diff uint8) {
	if hit != 0 {
		hits.set(i)
	}
	if diff&1 != 0 {
		diffs.set(i)
	}
}
