//go:build go1.25

package worker

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/check/oracle"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/term"
)

// Mode score finds out which faults a property notices: with its examples, its stored cases
// and its corpus. The first request makes a baseline, which says what each case does on the
// original program. Later requests judge faults, each with the cases that it can influence,
// the fastest first, until one of them kills it.

// scorer does a request of mode score.
type scorer struct {
	prop    *property.Property
	request *scoring.Request
	faulty  *faulty
	out     *scoring.Results
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

// scoreCase is a line of the baseline: a case on the original program.
type scoreCase struct {
	Name     string
	Left     string `json:",omitempty"` // why the case is left out
	Discards bool   `json:",omitempty"` // the original run is discarded
	Unstable string `json:",omitempty"` // what differs between two original runs
	Steps    int64  `json:",omitempty"`
	Shown    property.Shown

	Each, First scoring.Reach // of each run, and of the first one
}

// score does the request of a job. If a run does not end, or changes what the original
// program does, score returns early: the file of lines has no last line then, and the command
// starts another process.
func score(p *property.Property, w *watch.Watcher) {
	p.TB.Helper()
	request, err := scoring.ReadRequest(p.Job.Text.Request)
	if err != nil {
		p.TB.Errorf("allele: %v", err)
		return
	}
	if w == nil {
		w = plain.Follow(p)
	}
	s := &scorer{prop: p, request: request, faulty: newFaulty(w, time.Duration(request.Wall)), inputs: map[string]*scoreInput{}}
	if s.out, err = request.Open(); err != nil {
		p.TB.Errorf("allele: %v", err)
		return
	}
	defer s.out.Close()
	s.put(scoring.Line{Event: scoring.Begin})
	if err = s.load(); err == nil {
		switch request.Mode {
		case scoring.Baseline:
			err = s.baseline()
		case scoring.Judge:
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
		s.put(scoring.Line{Event: scoring.Done})
	}
}

// errEarly ends a process whose state may have been changed by a fault.
var errEarly = fmt.Errorf("another process must go on")

func (s *scorer) put(l scoring.Line) {
	if err := s.out.Put(l); err != nil {
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
	if s.request.Leave == nil {
		s.request.Leave = map[string]string{}
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
			s.request.Leave[x.From] = "it runs in a process of its own"
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
	e := engine.New(plain.EngineConfig(s.prop))
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

// baseline runs each case three times on the original program: recording, as it is, and
// recording again. Cases that are in the file already are left out: an earlier process has
// run them.
func (s *scorer) baseline() error {
	h := scoring.Head{}
	for _, f := range s.request.Faults {
		h.Faults = append(h.Faults, f.ID)
	}
	b, err := scoring.Continue[scoreCase](s.request.Baseline, h)
	if err != nil {
		return err
	}
	defer b.Close()
	known := map[string]bool{}
	for _, c := range b.Cases {
		known[c.Name] = true
	}
	for _, name := range s.names {
		if known[name] {
			continue
		}
		c, nanos := &scoreCase{Name: name, Left: s.request.Leave[name]}, time.Duration(0)
		hung := false
		if c.Left == "" {
			s.put(scoring.Line{Event: scoring.Start, Fault: scoring.NoFault, Test: name})
			began := time.Now()
			c, hung = s.try(s.inputs[name])
			nanos = time.Since(began) / 3
		}
		if err := b.Add(c); err != nil {
			return err
		}
		s.put(scoring.Line{Event: scoring.Tested, Fault: scoring.NoFault, Test: name, Detail: c.Left, Steps: c.Steps, Nanos: int64(nanos)})
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
	c.First = s.reached()
	second, b := s.faulty.original(in.runner, in.term)
	third, d := s.faulty.record(in.runner, in.term)
	c.Each = s.reached()
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

// reached returns what the last run, which recorded, has reached.
func (s *scorer) reached() scoring.Reach {
	r := scoring.NewReach(len(s.request.Faults))
	for i, f := range s.request.Faults {
		if s.faulty.has(f) {
			hit, diff := s.faulty.sees(f)
			r.Add(i, hit, diff, s.faulty.sure(f))
		}
	}
	return r
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
	base, err := scoring.ReadCases[scoreCase](s.request.Baseline)
	if err != nil {
		return err
	}
	all := s.candidates(base.Cases)
	for i, f := range s.request.Faults {
		n, known := base.Bit(f.ID)
		if !known || !s.faulty.has(f) {
			s.put(scoring.Line{Event: scoring.Judged, Fault: f.ID, Kind: fate.NoVerdict,
				Detail: "the test binary does not have this fault"})
			continue
		}
		line, killer, hung := s.judge(f, n, all)
		if hung {
			s.put(scoring.Line{Event: scoring.Stuck, Fault: f.ID, Detail: line.Detail})
			return errEarly
		}
		s.put(line)
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
		if c.from != nil && !s.stays(c, scoring.NoFault) {
			return false
		}
	}
	s.put(scoring.Line{Event: scoring.Good, Fault: scoring.NoFault})
	return true
}

// stays runs a case on the original program, and reports whether it still does what it did.
// If it does not, an earlier run has left something behind.
func (s *scorer) stays(c scored, after int) bool {
	s.put(scoring.Line{Event: scoring.Check, Fault: after, Test: c.Name})
	now, _ := s.faulty.original(c.runner, c.term)
	k := *c.from
	if k.Again(now); k.CanKill() == c.from.CanKill() && (k.Unstable == "" || c.from.Unstable != "") {
		return true
	}
	s.put(scoring.Line{Event: scoring.Polluted, Fault: after, Test: c.Name})
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
	}
	c.from = oracle.NewCase(original, c.runner.Differs)
	c.from.Unstable = c.Unstable
}

// judge runs cases with a fault until one kills it, and returns that case. hung is true if a
// run did not end; then the detail of the line says so.
func (s *scorer) judge(f fault, bit int, all []scored) (line scoring.Line, killer *scored, hung bool) {
	line = scoring.Line{Event: scoring.Judged, Fault: f.ID, Init: !s.request.Boot && s.inits(f)}
	var infected []scored
	for _, c := range all {
		hit, diff := c.Each.Hit.Has(bit), c.Each.Diff.Has(bit)
		if s.request.Fresh {
			hit, diff = hit || c.First.Hit.Has(bit), diff || c.First.Diff.Has(bit)
		} else {
			line.Once = line.Once || !diff && c.First.Diff.Has(bit) || !hit && c.First.Hit.Has(bit)
		}
		if c.Discards {
			continue
		}
		if diff || s.request.Boot {
			infected = append(infected, c)
		}
		if hit {
			line.Tests++
		}
	}
	if len(infected) == 0 && !s.request.Boot {
		line.Kind = s.unreached(f, line.Tests)
		return line, nil, false
	}
	line.Kind = fate.Survived
	sure := s.request.Boot
	for i := range infected {
		c := infected[i]
		line.Runs++
		s.put(scoring.Line{Event: scoring.Start, Fault: f.ID, Test: c.Name, Tests: line.Tests, Runs: line.Runs})
		r, stuck := s.one(f, c)
		if stuck {
			line.Detail = r.Detail
			return line, nil, true
		}
		if r.Kind == fate.Survived {
			sure = sure || c.Each.Sure.Has(bit) || c.First.Sure.Has(bit) || s.faulty.sure(f)
			continue
		}
		if line.Kind != fate.Killed {
			line.Kind, line.By, line.Detail, line.Test = r.Kind, r.By, r.Detail, c.Name
			line.Once, killer = false, &infected[i]
		}
		if !s.request.All {
			return line, killer, false
		}
		if r.Kind == fate.Killed {
			s.put(scoring.Line{Event: scoring.Killer, Fault: f.ID, Test: c.Name})
		}
	}
	if line.Kind == fate.Survived && !sure {
		line.Kind = fate.NotInfected
		return line, killer, false
	}
	if line.Kind == fate.Survived && len(infected) > 0 {
		line.Test, line.Input = s.example(infected)
	}
	return line, killer, false
}

// unreached returns the verdict about a fault that no case infects.
func (s *scorer) unreached(f fault, tests int) string {
	g := s.faulty.gates[f.Package]
	switch {
	case s.inits(f):
		return fate.Init
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
