//go:build go1.25

package suite

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

const (
	// A run with a fault may take this many times the steps of the original run, and some
	// more.
	budgetShare = 20
	budgetMore  = 200_000
	// checkEvery is after how many faults all tests are run on the original program.
	checkEvery = 200
)

// candidate is a test of the baseline.
type candidate struct {
	unit
	*tested
}

// judgeAll judges the faults of the request, in their order.
func (r *runner) judgeAll() (err error) {
	if r.base, err = readBaseline(r.request.Baseline); err != nil {
		return err
	}
	all := r.candidates()
	gates := gatesOf()
	n := len(r.request.Faults)
	for i, f := range r.request.Faults {
		line, killer, busy := r.judge(f, gates[f.Package], all)
		if r.put(line); n == 1 {
			return nil // what it leaves behind does not matter
		}
		if killer != nil && !r.passes(*killer, f.ID) {
			r.pollute(f.ID, killer.name)
		}
		if busy {
			r.put(Line{Event: Busy, Fault: f.ID})
			os.Exit(CodeBusy)
		}
		if (i+1)%checkEvery == 0 || i+1 == n {
			r.check(all)
		}
	}
	return nil
}

// candidates returns the tests that passed in the baseline, the fastest first.
func (r *runner) candidates() (all []candidate) {
	for _, t := range r.base.tests {
		i := slices.IndexFunc(units, func(u unit) bool { return u.name == t.Test })
		if i >= 0 && t.Left == "" && r.request.Leave[t.Test] == "" {
			all = append(all, candidate{units[i], t})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.Steps, b.Steps) })
	return all
}

// judge runs tests with a fault until one notices it, and returns that test.
func (r *runner) judge(f Fault, gates *hook.Faults, all []candidate) (line Line, killer *candidate, busy bool) {
	line = Line{Event: Judged, Fault: f.ID}
	bit, known := r.base.bit[f.ID]
	if !known || gates == nil || f.Site >= len(gates.Site) {
		line.Kind, line.Detail = noVerdict, "the test binary does not have this fault"
		return line, nil, false
	}
	var infected []*candidate
	once, onceDiff := r.base.head.InitHit.has(bit), r.base.head.InitDiff.has(bit)
	for i := range all {
		c := &all[i]
		hit, diff := c.Hit.has(bit), c.Diff.has(bit)
		if r.request.Fresh {
			hit, diff = hit || c.FirstHit.has(bit), diff || c.FirstDiff.has(bit)
		} else {
			line.Once = line.Once || !diff && c.FirstDiff.has(bit) || !hit && c.FirstHit.has(bit)
		}
		if hit {
			line.Tests++
		}
		if diff {
			infected = append(infected, c)
		}
	}
	switch {
	case len(infected) == 0 && onceDiff:
		line.Kind = onlyInit
		return line, nil, false
	case line.Tests == 0 && !once:
		line.Kind = notReached
		return line, nil, false
	case len(infected) == 0:
		line.Kind = notInfected
		return line, nil, false
	}
	line.Kind = survived
	for _, c := range infected {
		line.Runs++
		r.put(Line{Event: Start, Fault: f.ID, Test: c.name, Tests: line.Tests, Runs: line.Runs})
		gates.SwitchFault(f.Site, f.Variant, true)
		res := r.run(c.unit, run{fault: f.ID, budget: budgetShare*c.Steps + budgetMore, usual: time.Duration(c.Nanos)})
		gates.SwitchFault(f.Site, f.Variant, false)
		if !res.passed {
			line.Kind, line.By, line.Detail, line.Test = killed, cmp.Or(res.by, byTest), res.detail, c.name
			line.Once = false
			return line, c, res.busy
		}
	}
	return line, nil, false
}

// passes runs a test on the original program. A test that has just noticed a fault must pass
// there: after is the fault. Otherwise something that an earlier run has left behind makes it fail.
func (r *runner) passes(c candidate, after int) bool {
	r.put(Line{Event: Check, Fault: after, Test: c.name})
	res := r.run(c.unit, run{fault: after, budget: budgetShare*c.Steps + budgetMore, usual: time.Duration(c.Nanos)})
	return res.passed
}

// check runs all tests on the original program.
func (r *runner) check(all []candidate) {
	for _, c := range all {
		if !r.passes(c, NoFault) {
			r.pollute(NoFault, c.name)
		}
	}
	r.put(Line{Event: Good})
}

// pollute ends the process because the state that faults have left behind makes a test fail.
func (r *runner) pollute(fault int, test string) {
	r.put(Line{Event: Polluted, Fault: fault, Test: test})
	os.Exit(CodePolluted)
}
