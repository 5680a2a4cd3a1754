//go:build go1.25

package worker

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/fate"
	"github.com/allele-go/allele/internal/oracle"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// Mode score finds out which faults a property notices: with its examples, its stored cases
// and its corpus. The first request makes a baseline, which says what each case does on the
// original program. Later requests judge faults, each with the cases that it can influence,
// the fastest first, until one of them kills it.

// scorer does a request of mode score.
type scorer struct {
	prop    *property.Property
	request *scoreRequest
	faulty  *faulty
	out     *os.File
	inputs  map[string]*scoreInput
	names   []string // of the inputs, in order
}

// scoreInput is an example, a stored case or an input of the corpus.
type scoreInput struct {
	name   string
	term   term.Term
	runner property.Local
	prop   *property.Property
	from   *oracle.Case // nil until the original was run in this process
	steps  int64        // of that run
}

// score does the request of a job. If a run does not end, or changes what the original
// program does, score returns early: the file of lines has no last line then, and the command
// starts another process.
func score(p *property.Property, w *watch.Watcher) {
	p.TB.Helper()
	request, err := readRequest(p.Job.Text.Request)
	if err != nil {
		p.TB.Errorf("allele: %v", err)
		return
	}
	if w == nil {
		w = follow(p)
	}
	s := &scorer{prop: p, request: request, faulty: newFaulty(w, time.Duration(request.Wall)), inputs: map[string]*scoreInput{}}
	if s.out, err = os.OpenFile(request.Results, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666); err != nil {
		p.TB.Errorf("allele: %v", err)
		return
	}
	defer s.out.Close()
	s.put(scoreLine{Event: lineBegin})
	if err = s.load(); err == nil {
		switch request.Mode {
		case scoreBaseline:
			err = s.baseline()
		case scoreJudge:
			err = s.judgeAll()
		default:
			err = fmt.Errorf("unknown mode %q of a request", request.Mode)
		}
	}
	switch {
	case err == errEarly:
	case err != nil:
		p.TB.Errorf("allele: %v", err)
	default:
		s.put(scoreLine{Event: lineDone})
	}
}

// errEarly ends a process whose state may have been changed by a fault.
var errEarly = fmt.Errorf("another process must go on")

func (s *scorer) put(l scoreLine) {
	if err := appendTo(s.out, l); err != nil {
		s.prop.TB.Errorf("allele: write results: %v", err)
		s.prop.TB.FailNow() // without results there is no point in going on
	}
}

// load loads the cases. Equal inputs count once.
func (s *scorer) load() error {
	seeds, ok := s.prop.Seeds()
	if !ok {
		return fmt.Errorf("a stored case cannot be read")
	}
	seen := map[uint64]bool{}
	add := func(name string, p *property.Property, x term.Term) {
		if h := term.Hash(x); p != s.prop || !seen[h] {
			seen[h] = p == s.prop || seen[h]
			s.faulty.observe(p.Runner)
			s.inputs[name] = &scoreInput{name: name, term: x, runner: p.Runner, prop: p}
			s.names = append(s.names, name)
		}
	}
	for _, x := range seeds {
		if x.Runs.Isolated {
			s.request.leave(x.From, "it runs in a process of its own")
		}
		add(x.From, x.Prop, x.Term)
	}
	if s.prop.Job.Corpus == "" {
		return nil
	}
	kept, err := corpus.Read(s.prop.Job.Corpus)
	if err != nil {
		return fmt.Errorf("cannot read the corpus: %w", err)
	}
	for _, e := range kept.Entries {
		if x, ok := s.prop.ParseKept(e.Input); ok {
			add(e.ID(), s.prop, x)
		}
	}
	if len(kept.Entries) == 0 {
		s.generate(add)
	}
	return nil
}

// generate adds inputs that a plain search would run. A property without a corpus is judged
// by them.
func (s *scorer) generate(add func(string, *property.Property, term.Term)) {
	e := engine.New(engineConfig(s.prop))
	for i := range min(s.prop.Config.Tests, generatedMax) {
		x, ok := e.Next()
		if !ok {
			return
		}
		add(fmt.Sprint(fate.Generated, i+1), s.prop, x.Clone())
		e.Done(engine.Passed, trace.Run{})
	}
}

// generatedMax is the number of inputs that are generated at most.
const generatedMax = 1000

func (r *scoreRequest) leave(name, why string) {
	if r.Leave == nil {
		r.Leave = map[string]string{}
	}
	r.Leave[name] = why
}

// baseline runs each case three times on the original program: recording, as it is, and
// recording again. Cases that are in the file already are left out: an earlier process has
// run them.
func (s *scorer) baseline() error {
	known := map[string]bool{}
	if cases, _, err := readScoreBaseline(s.request.Baseline); err == nil {
		for _, c := range cases {
			known[c.Name] = true
		}
	} else {
		h := scoreHead{Format: scoreFormat}
		for _, f := range s.request.Faults {
			h.Faults = append(h.Faults, f.ID)
		}
		os.Remove(s.request.Baseline)
		if err := appendLine(s.request.Baseline, h); err != nil {
			return err
		}
	}
	for _, name := range s.names {
		if known[name] {
			continue
		}
		c, nanos := &scoreCase{Name: name, Left: s.request.Leave[name]}, time.Duration(0)
		hung := false
		if c.Left == "" {
			s.put(scoreLine{Event: lineStart, Fault: noFault, Test: name})
			began := time.Now()
			c, hung = s.try(s.inputs[name])
			nanos = time.Since(began) / 3
		}
		if err := appendLine(s.request.Baseline, c); err != nil {
			return err
		}
		s.put(scoreLine{Event: lineTested, Fault: noFault, Test: name, Passed: c.Left == "" && !c.Discards, Detail: c.Left,
			Steps: c.Steps, Nanos: int64(nanos)})
		if hung {
			return errEarly
		}
	}
	return nil
}

// try runs a case on the original program. hung is true if a run did not end.
func (s *scorer) try(in *scoreInput) (c *scoreCase, hung bool) {
	c = &scoreCase{Name: in.name}
	first, a := s.faulty.record(in.runner, in.term)
	c.FirstHit, c.FirstDiff = s.reached()
	second, b := s.faulty.original(in.runner, in.term)
	third, d := s.faulty.record(in.runner, in.term)
	c.Hit, c.Diff = s.reached()
	c.Steps, c.Shown = max(a, b, d), second.Shown
	k := oracle.NewCase(second, in.runner.Differs)
	k.Again(first)
	k.Again(third)
	c.Unstable, c.Discards = k.Unstable, k.Original.Verdict == engine.Discarded
	switch {
	case first.Hung || second.Hung || third.Hung:
		return &scoreCase{Name: in.name, Left: "it does not end"}, true
	case second.Verdict == engine.Failed:
		c = &scoreCase{Name: in.name, Left: "it fails"}
	case k.Original.Verdict == engine.Failed:
		c = &scoreCase{Name: in.name, Left: "its verdict is not always the same"}
	}
	return c, false
}

// reached returns the faults that the last run reached, and those that change a value in it.
func (s *scorer) reached() (hits, diffs faultSet) {
	hits, diffs = newFaultSet(len(s.request.Faults)), newFaultSet(len(s.request.Faults))
	for i, f := range s.request.Faults {
		if !s.faulty.has(f) {
			continue
		}
		hit, diff := s.faulty.sees(f)
		if hit {
			hits.set(i)
		}
		if diff {
			diffs.set(i)
		}
	}
	return hits, diffs
}

// scored is a case of the baseline with its input.
type scored struct {
	*scoreInput
	*scoreCase
}

// candidates returns the cases of the baseline, the fastest first.
func (s *scorer) candidates(base []*scoreCase) (all []scored) {
	for _, c := range base {
		if in := s.inputs[c.Name]; in != nil && c.Left == "" && s.request.Leave[c.Name] == "" {
			all = append(all, scored{in, c})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.Steps, b.Steps) })
	return all
}

// checkEvery is after how many faults the cases are run on the original program once more.
const checkEvery = 200

// judgeAll judges the faults of the request, in their order.
func (s *scorer) judgeAll() error {
	base, bit, err := readScoreBaseline(s.request.Baseline)
	if err != nil {
		return err
	}
	all := s.candidates(base)
	for i, f := range s.request.Faults {
		n, known := bit[f.ID]
		if !known || !s.faulty.has(f) {
			s.put(scoreLine{Event: lineJudged, Fault: f.ID, Kind: fate.NoVerdict, Detail: "the test binary does not have this fault"})
			continue
		}
		line, killer, discarded, hung := s.judge(f, n, all)
		if hung {
			s.put(scoreLine{Event: lineStuck, Fault: f.ID, Detail: line.Detail})
			return errEarly
		}
		s.put(line)
		if line.Kind == fate.Survived {
			s.free(f, discarded)
		}
		if s.request.Fresh || s.request.Boot {
			return nil // what the fault leaves behind does not matter
		}
		if killer != nil && !s.stays(*killer, f.ID) {
			return errEarly
		}
		if (i+1)%checkEvery == 0 && !s.allStay(all) {
			return errEarly
		}
	}
	if !s.allStay(all) {
		return errEarly
	}
	return nil
}

// allStay runs all cases that were used on the original program, and reports whether they
// still do what they did.
func (s *scorer) allStay(all []scored) bool {
	for _, c := range all {
		if c.from != nil && !s.stays(c, noFault) {
			return false
		}
	}
	s.put(scoreLine{Event: lineGood, Fault: noFault})
	return true
}

// stays runs a case on the original program, and reports whether it still does what it did.
// If it does not, an earlier run has left something behind.
func (s *scorer) stays(c scored, after int) bool {
	s.put(scoreLine{Event: lineCheck, Fault: after, Test: c.Name})
	now, _ := s.faulty.original(c.runner, c.term)
	k := *c.from
	if k.Again(now); k.CanKill() == c.from.CanKill() && (k.Unstable == "" || c.from.Unstable != "") {
		return true
	}
	s.put(scoreLine{Event: linePolluted, Fault: after, Test: c.Name})
	return false
}

// prime runs the original program, so that later runs can be compared with it. A fault that
// matters only in the first run of a process must be the first, so it is compared with the
// baseline.
func (s *scorer) prime(c scored) {
	if c.from != nil {
		return
	}
	var original oracle.Run
	if original.Shown = c.Shown; !s.request.Fresh && !s.request.Boot {
		original, c.scoreInput.steps = s.faulty.original(c.runner, c.term)
	} else if c.Discards {
		original.Verdict = engine.Discarded
	}
	c.from = oracle.NewCase(original, c.runner.Differs)
	if c.from.Unstable = c.Unstable; s.request.Implicit {
		c.from.Unstable = "differences are not looked at"
	}
}

// judge runs cases with a fault until one kills it, and returns that case. hung is true if a
// run did not end; then the detail of the line says so.
func (s *scorer) judge(f fault, bit int, all []scored) (line scoreLine, killer *scored, discarded []scored, hung bool) {
	line = scoreLine{Event: lineJudged, Fault: f.ID, Init: !s.request.Boot && s.inits(f)}
	var infected []scored
	for _, c := range all {
		hit, diff := c.Hit.has(bit), c.Diff.has(bit)
		if s.request.Fresh {
			hit, diff = hit || c.FirstHit.has(bit), diff || c.FirstDiff.has(bit)
		} else {
			line.Once = line.Once || !diff && c.FirstDiff.has(bit) || !hit && c.FirstHit.has(bit)
		}
		switch {
		case (diff || s.request.Boot) && c.Discards:
			discarded = append(discarded, c)
		case diff || s.request.Boot:
			infected = append(infected, c)
		}
		if hit && !c.Discards {
			line.Tests++
		}
	}
	if len(infected) == 0 && !s.request.Boot {
		line.Kind = s.unreached(f, line.Tests)
		return line, nil, nil, false
	}
	line.Kind = fate.Survived
	for i := range infected {
		c := infected[i]
		line.Runs++
		s.put(scoreLine{Event: lineStart, Fault: f.ID, Test: c.Name, Tests: line.Tests, Runs: line.Runs})
		r, stuck := s.one(f, c)
		if stuck {
			line.Detail = r.Detail
			return line, nil, nil, true
		}
		if r.Kind == fate.Survived {
			continue
		}
		if line.Kind != fate.Killed {
			line.Kind, line.By, line.Detail, line.Test = r.Kind, r.By, r.Detail, c.Name
			line.Once, killer = false, &infected[i]
		}
		if !s.request.All {
			return line, killer, nil, false
		}
		if r.Kind == fate.Killed {
			s.put(scoreLine{Event: lineKiller, Fault: f.ID, Test: c.Name})
		}
	}
	if line.Kind == fate.Survived && len(infected) > 0 {
		line.Test, line.Input = s.example(infected)
	}
	return line, killer, discarded, false
}

// initOnly is the kind of a fault that only initialisers reach.
const initOnly = "init"

// unreached returns the verdict about a fault that no case infects.
func (s *scorer) unreached(f fault, tests int) string {
	g := s.faulty.gates[f.Package]
	switch {
	case s.inits(f):
		return initOnly
	case tests > 0 || f.Site < len(g.InitHit) && g.InitHit[f.Site] != 0:
		return fate.NotInfected
	}
	return fate.NotReached
}

// inits reports whether a fault changes a value in an initialiser.
func (s *scorer) inits(f fault) bool {
	g := s.faulty.gates[f.Package]
	return f.Site < len(g.InitDiff) && g.InitDiff[f.Site]>>f.Variant&1 != 0
}

// one runs a case with a fault.
func (s *scorer) one(f fault, c scored) (r oracle.Result, stuck bool) {
	s.prime(c)
	run, _ := s.faulty.with(c.runner, c.term, f, budgetOf(max(c.Steps, c.scoreInput.steps)))
	again := func() oracle.Run { o, _ := s.faulty.original(c.runner, c.term); return o }
	if s.request.Fresh || s.request.Boot {
		again = nil
	}
	r = c.from.Judge(run, again)
	return r, run.Hung && r.Kind == fate.NoVerdict
}

// freedMax is how many discarded cases are run with a fault that has survived.
const freedMax = 8

// free counts the cases that are discarded on the original program and pass with a fault. The
// fault is judged already, so that nothing is lost if one of these runs ends the process.
func (s *scorer) free(f fault, discarded []scored) {
	n := 0
	for _, c := range discarded[:min(freedMax, len(discarded))] {
		r, stuck := s.one(f, c)
		if stuck {
			break
		}
		if r.Freed {
			n++
		}
	}
	if n > 0 {
		s.put(scoreLine{Event: lineFreed, Fault: f.ID, shownLine: shownLine{Freed: n}})
	}
}

// exampleMax is the length of the longest input in a line: a report has room for it.
const exampleMax = 60

// example returns the name and the input of a case that a fault influences: the one with the most
// steps that is not long. A fault often makes no difference to the smallest one, such as a deleted
// append to an empty list.
func (s *scorer) example(infected []scored) (name, input string) {
	for _, c := range slices.Backward(infected) {
		if text := c.prop.CaseText(c.term); len(text) <= exampleMax {
			return c.Name, text
		}
	}
	return infected[0].Name, ""
}
