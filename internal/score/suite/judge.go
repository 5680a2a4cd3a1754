//go:build go1.25

package suite

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

const (
	// A run with a fault may take this many times the steps of the original run, and some
	// more.
	budgetShare = 20
	budgetMore  = 200_000
	// A test that usually takes longer than slowTest is not run on the original program after
	// each fault that it notices, but after slowKills of them.
	slowTest  = 10 * time.Millisecond
	slowKills = 8
	// checkEvery is after how many faults the tests are run on the original program.
	checkEvery = 200
)

// candidate is a test of the baseline.
type candidate struct {
	unit
	*scoring.Original
	open int // faults that the test has noticed since it last passed on the original program
}

// due reports whether the test must now show that it still passes on the original program.
func (c *candidate) due() bool {
	return c.open >= slowKills || c.open > 0 && c.Nanos <= int64(slowTest)
}

// judgeAll judges the faults of the request, in their order.
func (r *runner) judgeAll() (err error) {
	if r.base, err = scoring.ReadCases[scoring.Original](r.request.Baseline); err != nil {
		return err
	}
	all := r.candidates()
	gates := gatesOf()
	n := len(r.request.Faults)
	for i, f := range r.request.Faults {
		line, killer, busy := r.judge(f, gates[f.Package], all)
		if n == 1 {
			r.put(line)
			return nil // what it leaves behind does not matter
		}
		if killer != nil {
			killer.open++
		}
		line.Open = killer != nil && !killer.due()
		if r.put(line); killer != nil && killer.due() && !r.passes(killer, f.ID) {
			r.pollute(f.ID, killer.name)
		}
		if busy {
			r.put(scoring.Line{Event: scoring.Busy, Fault: f.ID})
			os.Exit(CodeBusy)
		}
		if (i+1)%checkEvery == 0 || i+1 == n {
			r.check(all)
		}
	}
	return nil
}

// candidates returns the tests that passed in the baseline, the cheapest first: most faults are noticed by a cheap one.
func (r *runner) candidates() (all []candidate) {
	for _, u := range units {
		if t := scoring.FindTest(r.base.Cases, u.name); t != nil && t.Left == "" && r.request.Leave[t.Test] == "" {
			all = append(all, candidate{unit: u, Original: t})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return scoring.Cheaper(a.Original, b.Original) })
	return all
}

// judge runs tests with a fault until one notices it, and returns that test.
func (r *runner) judge(f scoring.Fault, gates *hook.Faults, all []candidate) (line scoring.Line, killer *candidate, busy bool) {
	line = scoring.Line{Event: scoring.Judged, Fault: f.ID}
	bit, known := r.base.Bit(f.ID)
	if !known || !has(gates, f) {
		line.Kind, line.Detail = fate.NoVerdict, "the test binary does not have this fault"
		return line, nil, false
	}
	tests := r.choose(all, bit, &line)
	if len(tests) > 0 {
		emptyPools()
	}
	sure, beyond := false, map[int]bool{}
	defer func() { r.putRan(f.ID, beyond, line.Runs) }()
	for _, c := range tests {
		line.Runs++
		r.put(scoring.Line{Event: scoring.Start, Fault: f.ID, Test: c.name, Tests: line.Tests, Runs: line.Runs})
		res := r.with(c, f, gates, beyond)
		for range c.repeats() {
			if !res.passed {
				res = r.with(c, f, gates, beyond)
			}
		}
		if !res.passed {
			line.Kind, line.By, line.Detail, line.Test = fate.Killed, cmp.Or(res.by, fate.ByTest), res.detail, c.name
			line.Once = false
			return line, c, res.busy
		}
		sure = sure || c.Each.Sure.Has(bit) || c.First.Sure.Has(bit) || gates.Sure(f.Site)
	}
	if line.Kind == fate.Survived && !sure && !r.request.Boot {
		line.Kind, line.Test = fate.NotInfected, ""
	}
	return line, nil, false
}

// with runs a test with a fault, and adds the functions to a set that do not run without it.
func (r *runner) with(c *candidate, f scoring.Fault, gates *hook.Faults, beyond map[int]bool) result {
	gates.SwitchFault(f.Site, f.Variant, true)
	res, ran := r.watched(c.unit, run{fault: f.ID, budget: budgetShare*c.Steps + budgetMore, usual: time.Duration(c.Nanos)})
	if !r.request.Boot {
		gates.SwitchFault(f.Site, f.Variant, false)
	}
	ran.Without(c.Ran.All).Each(func(i int) { beyond[i] = true })
	return res
}

// shakyRepeats is how often a run is repeated of a test that may fail because the machine is busy.
const shakyRepeats = 2

// repeats returns how often a run that fails is repeated. If one of them passes, the test has not failed.
func (c *candidate) repeats() int {
	if c.Shaky {
		return shakyRepeats
	}
	return 0
}

// has reports whether gates have this fault.
func has(gates *hook.Faults, f scoring.Fault) bool {
	return gates != nil && 0 <= f.Site && f.Site < len(gates.Site) && 0 <= f.Variant && f.Variant < 8
}

// choose returns the tests that may notice a fault. It sets the verdict about the fault if none
// of them does.
func (r *runner) choose(all []candidate, bit int, line *scoring.Line) (chosen []*candidate) {
	tests := make([]*scoring.Original, len(all))
	for i := range all {
		tests[i] = all[i].Original
	}
	p := r.base.Plan(bit, tests, scoring.How{Fresh: r.request.Fresh, Boot: r.request.Boot})
	for _, i := range p.Run {
		chosen = append(chosen, &all[i])
	}
	if line.Kind, line.Tests, line.Once, line.Init = p.Kind, p.Reached, p.Once, p.Init; len(chosen) > 0 {
		line.Test = chosen[0].name
	}
	return chosen
}

// passes runs a test on the original program. A test that has just noticed a fault must pass
// there: after is the fault. Otherwise something that an earlier run has left behind makes it fail.
func (r *runner) passes(c *candidate, after int) bool {
	r.put(scoring.Line{Event: scoring.Check, Fault: after, Test: c.name})
	c.open = 0
	passed := false
	on := run{fault: after, armed: true, budget: budgetShare*c.Steps + budgetMore, usual: time.Duration(c.Nanos)}
	for range 1 + c.repeats() {
		passed = passed || r.run(c.unit, on).passed
	}
	return passed
}

// check runs the tests on the original program. An expensive test runs there only if it has noticed a fault since it last
// passed: then a verdict depends on that.
func (r *runner) check(all []candidate) {
	for i := range all {
		if c := &all[i]; (c.open > 0 || c.Class() == 0) && !r.passes(&all[i], scoring.NoFault) {
			r.pollute(scoring.NoFault, all[i].name)
		}
	}
	r.put(scoring.Line{Event: scoring.Good})
}

// pollute ends the process because the state that faults have left behind makes a test fail.
func (r *runner) pollute(fault int, test string) {
	r.put(scoring.Line{Event: scoring.Polluted, Fault: fault, Test: test})
	os.Exit(CodePolluted)
}
