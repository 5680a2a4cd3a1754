//go:build go1.25

package worker

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/oracle"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// With -guide=faults a search runs inputs that pass once more, with faults switched on, and an
// input that kills a fault for the first time is saved and favoured. These are algorithms 2 and
// 3 of the Mu2 paper: the faults that are run are those that no input has killed, that the
// input reaches, and that change a value there. One run that records finds these out.
//
// The paper runs all of these faults on every input. Here the runs with faults may take as many
// steps as the other runs of the search, so that the search gets at least half of them. So
// inputs that the search saves come first, a few faults are tried on some of the other inputs,
// and faults that were tried often in vain, which may be equivalent to the original, are tried
// less often. All of this is counted in steps, so a search with a seed is reproducible. It
// changes which faults are run, and never what kills a fault.
type faultGuide struct {
	search *searcher
	conf   job.Guide
	paper  job.Mu2 // of an experiment
	faulty *faulty

	alive   []*survivor
	all     int // number of faults at the beginning
	killed  int
	credit  int64 // steps that runs with faults may take
	pending []*tryout
	costly
	hangs   int
	trouble string // the first error; empty if there was none
}

// survivor is a fault that no run has killed.
type survivor struct {
	fault
	tries int // runs with the fault in which it changed a value
	dead  bool
	waits bool // it is in costly
}

// costly is what a guide knows about runs with faults that have spent a small budget. Such a
// run is repeated with the budget of package oracle, which is so large that the search saves
// up for it.
type costly struct {
	runs  []costlyRun
	saved int64
}

type costlyRun struct {
	*tryout
	*survivor
}

// tryout is an input on which faults are tried.
type tryout struct {
	term  term.Term
	shown property.Shown
	steps int64
	kept  engine.Kept
	run   trace.Run
	seed  bool // the input is from the user or from an earlier search
	late  bool // the run of the input is not the last one

	from     *oracle.Case // nil until the input was recorded
	todo     []*survivor
	kills    int
	favoured bool
}

const (
	// runSteps is what a run costs beside its steps: to build the input, for example.
	runSteps = 50
	// A run that records looks at all faults, and at aliveSteps of them in one step.
	aliveSteps = 4
	// sampleMax is how many faults are tried on an input that the search does not save.
	sampleMax = 8
	// pendingMax is how many saved inputs may wait.
	pendingMax = 1 << 12
	// A fault that was tried asideAfter times in vain is tried half as often; after twice as
	// many times a quarter as often, and so on, down to one in 2^asideMax.
	asideAfter = 32
	asideMax   = 8
	// budgetSmall is what budgetMore is at first. costlyMax is how many runs may wait for
	// the whole budget.
	budgetSmall = 5000
	costlyMax   = 64
	// guideWall is how long a run with a fault may go on. A run that takes its steps ends
	// long before that, so this run is blocked, and the fault is not tried again.
	guideWall = time.Second
	// hangsMax is how many runs with faults may not end. Each leaves a goroutine behind.
	hangsMax = 8
)

// newFaultGuide returns the guide of a search, or nil if the job requests none.
func newFaultGuide(s *searcher) *faultGuide {
	conf := s.Prop.Job.Search.Guide
	if conf.Faults == "" {
		return nil
	}
	var list []fault
	data, err := os.ReadFile(conf.Faults)
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		s.Prop.TB.Errorf("allele: cannot read the list of faults: %v", err)
		return nil
	}
	g := &faultGuide{search: s, conf: conf, faulty: newFaulty(s.Watch, guideWall)}
	if x := s.Prop.Job.Search.Experiment; x != nil {
		g.paper = x.Guide
	}
	gone := g.gone()
	for _, f := range list {
		if !g.faulty.has(f) {
			continue
		}
		g.all++
		if dead := slices.Contains(conf.Died, f.ID); dead || gone[f.ID] != nil {
			switch k := gone[f.ID]; {
			case k == nil:
				g.killed++
				g.logKill(f.ID, oracle.Result{By: fate.ByPanic, Detail: "the process died"})
			case !k.Hung:
				g.killed++
			}
			continue
		}
		g.alive = append(g.alive, &survivor{fault: f})
	}
	g.faulty.observe(s.Prop.Runner)
	return g
}

// gone returns the faults that an earlier process of this worker has killed, or whose runs
// did not end.
func (g *faultGuide) gone() map[int]*killed {
	gone := map[int]*killed{}
	data, _ := os.ReadFile(g.conf.State) // there is none in the first process
	for line := range strings.Lines(string(data)) {
		var k killed
		if json.Unmarshal([]byte(line), &k) == nil {
			gone[k.Fault] = &k
		}
	}
	return gone
}

// off reports whether there is nothing to try.
func (g *faultGuide) off() bool { return g == nil || len(g.alive) == 0 || g.hangs >= hangsMax }

// after is called after a run of the search, when the engine has seen its result.
func (g *faultGuide) after(r *property.Run, run trace.Run) {
	if g.off() {
		return
	}
	g.earn(run.Hits + runSteps)
	if r.Verdict == engine.Passed {
		g.add(&tryout{term: g.search.Engine.Current.Term(), shown: r.Shown, steps: run.Hits, kept: g.search.Engine.Kept(), run: run})
	}
	g.work()
}

// earn adds the steps of a run of the search to the credit. While a costly run waits, half of
// them are saved for it.
func (g *faultGuide) earn(steps int64) {
	if len(g.runs) == 0 {
		g.credit, g.saved = g.credit+steps+g.saved, 0
		return
	}
	g.credit += steps / 2
	g.saved += steps - steps/2
}

// given is called after the run of a seed, or of an input of an earlier search.
func (g *faultGuide) given(x term.Term, o property.Outcome, run trace.Run) {
	if g.off() || o.Verdict != engine.Passed {
		return
	}
	g.add(&tryout{term: x, shown: o.Shown, steps: run.Hits, seed: true, late: true})
}

// add tries faults on an input now, or later if the search keeps the input.
func (g *faultGuide) add(t *tryout) {
	switch {
	case g.paper.Pure:
		g.try(t)
	case t.kept.Any() || t.seed:
		if len(g.pending) < pendingMax {
			t.term, t.run, t.late = t.term.Clone(), trace.Run{}, true
			g.pending = append(g.pending, t)
		}
	case len(g.pending) == 0 && g.credit > g.price(t):
		g.try(t)
	}
}

// price returns how many steps it may take to try faults on an input that is not saved. They are
// saved up first: a run that records takes more steps than a run of the search adds, so nothing
// would be left to run a fault.
func (g *faultGuide) price(t *tryout) int64 {
	runs := 1 + min(sampleMax, len(g.alive))
	return int64(runs)*(t.steps+runSteps) + int64(len(g.alive)/aliveSteps)
}

// work tries faults on the inputs that wait, as long as there is credit.
func (g *faultGuide) work() {
	for g.credit > 0 && len(g.pending) > 0 && !g.off() {
		t := g.pending[0]
		if g.try(t); len(t.todo) == 0 {
			g.pending = g.pending[1:]
		}
	}
	for len(g.runs) > 0 && g.saved >= budgetOf(g.runs[0].steps) && !g.off() {
		c := g.runs[0]
		g.runs = g.runs[1:]
		if c.waits = false; !c.dead {
			before := g.credit
			g.begin()
			g.run(c.tryout, c.survivor, budgetOf(c.steps))
			g.saved, g.credit = g.saved+g.credit-before, before
			g.reward(c.tryout)
		}
	}
}

// try tries faults on an input, until its faults or the credit are used up.
func (g *faultGuide) try(t *tryout) {
	g.begin()
	if t.from == nil {
		g.record(t)
	}
	for len(t.todo) > 0 && (g.credit > 0 || g.paper.Pure) && t.from.CanKill() && !g.off() {
		f := t.todo[0]
		t.todo = t.todo[1:]
		switch {
		case f.dead || f.waits:
		case g.paper.Pure:
			g.run(t, f, budgetOf(t.steps))
		default:
			g.run(t, f, budgetOf(t.steps)-budgetMore+budgetSmall)
		}
	}
	if !t.from.CanKill() {
		t.todo = nil
	}
	g.reward(t)
}

// begin is called before faults are switched on. The slot must not say that the last input is
// still running: the input is not to blame if the process dies.
func (g *faultGuide) begin() {
	if slot := g.search.super.slot; slot != nil {
		slot.End(slot.Look().Seen)
	}
}

// reward makes the search favour an input that has killed faults, and forgets these faults.
func (g *faultGuide) reward(t *tryout) {
	if t.kills > 0 && !t.favoured {
		t.favoured = true
		if t.late && !t.kept.Any() {
			g.search.Engine.FavourOther(t.term, t.kills, t.seed)
		} else {
			g.search.Engine.Favour(t.kept, t.kills, t.run)
		}
	}
	g.alive = slices.DeleteFunc(g.alive, func(f *survivor) bool { return f.dead })
}

// wait makes a fault wait until there are enough steps for a run with the whole budget.
func (g *faultGuide) wait(t *tryout, f *survivor) {
	if len(g.runs) == costlyMax {
		return
	}
	if !t.late { // the memory of the input is used again
		own := *t
		own.term, own.run, own.late, own.todo = t.term.Clone(), trace.Run{}, true, nil
		t = &own
	}
	f.waits = true
	g.runs = append(g.runs, costlyRun{t, f})
}

// record finds out which faults an input reaches, and in which order to try them.
func (g *faultGuide) record(t *tryout) {
	r := g.search.Prop.Runner
	t.from = oracle.NewCase(oracle.Run{Outcome: property.Outcome{Shown: t.shown}}, r.Differs)
	if g.paper.Prune == "none" {
		t.todo = slices.Clone(g.alive)
		return
	}
	again, steps := g.faulty.record(r, t.term)
	t.from.Again(again)
	t.steps = max(t.steps, steps)
	g.credit -= steps + runSteps + int64(len(g.alive)/aliveSteps)
	random := rng.At(g.search.Prop.Config.Seed^faultStream, uint64(g.search.Engine.Runs))
	for _, f := range g.alive {
		hit, diff := g.faulty.sees(f.fault)
		if diff || hit && g.paper.Prune == "execution" {
			if g.paper.Pure || !f.aside(&random) {
				t.todo = append(t.todo, f)
			}
		}
	}
	if g.paper.Pure {
		return
	}
	for i := range t.todo {
		j := i + random.Below(len(t.todo)-i)
		t.todo[i], t.todo[j] = t.todo[j], t.todo[i]
	}
	slices.SortStableFunc(t.todo, func(a, b *survivor) int { return cmp.Compare(a.tries, b.tries) })
	if !t.kept.Any() && !t.seed {
		t.todo = t.todo[:min(sampleMax, len(t.todo))]
	}
}

// faultStream makes the random numbers of this file differ from those of the search.
const faultStream = 0xfa017

// aside reports whether a fault is left out this time, because it was often tried in vain.
func (f *survivor) aside(r *rng.Rand) bool {
	level := min(asideMax, bits.Len(uint(f.tries/asideAfter)))
	return level > 0 && r.Below(1<<level) != 0
}

// run runs an input with a fault.
func (g *faultGuide) run(t *tryout, f *survivor, budget int64) {
	runner := g.search.Prop.Runner
	slot := g.search.super.slot
	proc.SetFault(slot, f.ID)
	run, steps := g.faulty.with(runner, t.term, f.fault, budget)
	proc.SetFault(slot, -1)
	f.tries++
	g.credit -= steps + runSteps
	r := t.from.Judge(run, func() oracle.Run {
		o, steps := g.faulty.original(runner, t.term)
		g.credit -= steps + runSteps
		return o
	})
	switch {
	case r.By == fate.ByBudget && run.Large == "" && budget < budgetOf(t.steps):
		g.wait(t, f)
	case r.Kind == fate.Killed:
		f.dead = true
		t.kills++
		g.killed++
		g.logKill(f.ID, r)
	case run.Hung && r.Kind == fate.NoVerdict:
		f.dead = true
		g.hangs++
		g.note(killed{Fault: f.ID, Hung: true})
	case r.Kind == fate.NoVerdict && g.trouble == "":
		g.trouble = r.Detail
	}
}

// killed is a line of the state file, and a part of a line of the log.
type killed struct {
	Fault  int    `json:"fault"`
	By     string `json:"by"`
	Detail string `json:"detail,omitempty"`
	Hung   bool   `json:"hung,omitempty"` // it was not killed: a run with it did not end
}

// killLine is a line of the log, about a fault that was killed.
type killLine struct {
	Package  string `json:"package"`
	Property string `json:"property"`
	Run      int    `json:"run"`
	Kill     killed `json:"kill"`
}

// logKill writes a kill to the log and to the state file.
func (g *faultGuide) logKill(id int, r oracle.Result) {
	k := killed{Fault: id, By: r.By, Detail: r.Detail}
	g.note(k)
	s := g.search
	if s.log.file == "" || s.log.trouble != "" {
		return
	}
	l := killLine{s.Prop.Place.Tested(), s.Prop.Name, s.Engine.Started(), k}
	if err := appendLine(s.log.file, l); err != nil {
		s.log.trouble = err.Error()
	}
}

// note writes to the state file what became of a fault.
func (g *faultGuide) note(k killed) {
	if g.conf.State == "" {
		return
	}
	if err := appendLine(g.conf.State, k); err != nil && g.trouble == "" {
		g.trouble = err.Error()
	}
}

// finish reports what the faults came to.
func (g *faultGuide) finish() {
	if g == nil {
		return
	}
	text := fmt.Sprintf("%d of %d faults killed", g.killed, g.all)
	if g.hangs >= hangsMax {
		text += "; no faults were tried any more after runs with " + fmt.Sprint(g.hangs) + " faults had not ended"
	}
	if g.trouble != "" {
		text += "; " + g.trouble
	}
	g.search.Prop.Emit(event.Note{Text: "-guide=faults: " + text})
}
