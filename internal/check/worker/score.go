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
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/watch"
)

// Mode score finds out which faults a property notices: with its examples, its stored cases,
// its corpus, and the inputs that plain go test makes. The first request makes a baseline, which
// says what each case does on the original program. Later requests judge faults, each with the
// cases that it can influence, the fastest first and those of go test last, until one of them
// kills it.

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
	s := &scorer{prop: p, plain: property.Plain(p), request: request, faulty: newFaulty(w, time.Duration(request.Wall)),
		inputs: map[string]*scoreInput{}, seen: map[identity]string{}}
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

// scored is a case of the baseline with its input.
type scored struct {
	*scoreInput
	*scoreCase
}

// candidates returns the cases of the baseline, the fastest first. Those that go test makes are the last,
// because saved inputs do more, and are fewer.
func (s *scorer) candidates(base []*scoreCase) (all []scored) {
	for _, c := range base {
		if p := s.maker(c.Name); c.Made != nil {
			if x, err := operand.ParseTerm(p.World, c.Made); err == nil {
				s.add(&scoreInput{name: c.Name, term: x, runner: p.Runner, prop: p})
			}
		}
		if in := s.inputs[c.Name]; in != nil && c.Left == "" && s.request.Leave[c.Name] == "" {
			all = append(all, scored{in, c})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Or(a.made()-b.made(), cmp.Compare(a.Steps, b.Steps)) })
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

// madeChecked is how many of the inputs that go test makes show that the original program is as before.
const madeChecked = 100

// allStay runs the cases that were used on the original program, and reports whether they
// still do what they did.
func (s *scorer) allStay(all []scored) bool {
	made := 0
	for _, c := range all {
		if c.from == nil || made >= madeChecked {
			continue
		}
		if made += c.made(); !s.stays(c, scoring.NoFault) {
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
	infected, refused := s.influenced(bit, all, &line)
	line.Kind = fate.Survived
	if len(infected) == 0 && !s.request.Boot {
		line.Kind = s.unreached(f, line.Tests)
	}
	sure := s.request.Boot
	for _, c := range slices.Concat(infected, refused) {
		if !c.Discards {
			line.Runs++
		}
		s.put(scoring.Line{Event: scoring.Start, Fault: f.ID, Test: c.Name, Tests: line.Tests, Runs: line.Runs})
		r, stuck := s.one(f, c)
		if stuck {
			line.Detail = r.Detail
			return line, nil, true
		}
		if r.Kind == fate.Survived {
			sure = sure || !c.Discards && (c.Each.Sure.Has(bit) || c.First.Sure.Has(bit) || s.faulty.sure(f))
			continue
		}
		if line.Kind != fate.Killed {
			line.Kind, line.By, line.Detail, line.Test = r.Kind, r.By, r.Detail, c.Name
			line.Once, killer = false, &c
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

// influenced returns the cases that a fault may influence: those that pass on the original program, and those
// that it discards, but that go test makes. It counts the cases that reach the fault.
func (s *scorer) influenced(bit int, all []scored, line *scoring.Line) (infected, refused []scored) {
	for _, c := range all {
		hit, diff := c.Each.Hit.Has(bit), c.Each.Diff.Has(bit)
		if s.request.Fresh {
			hit, diff = hit || c.First.Hit.Has(bit), diff || c.First.Diff.Has(bit)
		} else {
			line.Once = line.Once || !diff && c.First.Diff.Has(bit) || !hit && c.First.Hit.Has(bit)
		}
		diff = diff || s.request.Boot
		switch {
		case c.Discards && c.made() > 0 && diff:
			refused = append(refused, c)
		case !c.Discards && diff:
			infected = append(infected, c)
		}
		if hit && !c.Discards {
			line.Tests++
		}
	}
	return infected, refused
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
	if c.Discards {
		r = oracle.Accepted(run)
	} else {
		r = c.from.Judge(run, again)
	}
	return r, run.Hung && r.Kind == fate.NoVerdict
}

const (
	exampleMax  = 60 // the length of the longest input in a line: a report has room for it
	examplesMax = 50 // how many inputs are printed to find one that is not longer
)

// example returns the name and the input of a case that a fault influences: the one with the most
// steps that is not long. A fault often makes no difference to the smallest one, such as a deleted
// append to an empty list. Saved inputs are more telling than those that go test makes.
func (s *scorer) example(infected []scored) (name, input string) {
	for made := range 2 {
		tried := 0
		for _, c := range slices.Backward(infected) {
			if c.made() != made || tried == examplesMax {
				continue
			}
			tried++
			if text := c.prop.CaseText(c.term); len(text) <= exampleMax {
				return c.Name, text
			}
		}
	}
	return infected[0].Name, ""
}
