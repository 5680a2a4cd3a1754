//go:build go1.25

package worker

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/oracle"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/term"
)

// scorer does a request of mode score.
type scorer struct {
	prop    *property.Property
	plain   *property.Property // as go test has it
	saved   bool               // a search has saved inputs
	request *scoring.Request
	faulty  *faulty
	out     *scoring.Results
	inputs  map[string]*scoreInput
	names   []string            // of the inputs that are not made, in order
	seen    map[identity]string // with the names of the inputs
	repeats scoring.Set         // faults that a repeated run has reached, so they are not about what happens once in a process
}

// identity is what equal terms have in common.
type identity struct {
	prop *property.Property
	hash uint64
}

// scoreInput is an example, a stored case, an input of the corpus, or one that is made.
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
	Made     []byte `json:",omitempty"` // the term, if go test makes it; others are read by each process

	Each, First scoring.Reach // of each run, and of the first one
}

// made is 1 if plain go test makes the case, and otherwise 0.
func (c *scoreCase) made() int { return min(1, len(c.Made)) }

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
	add := func(name string, p *property.Property, x term.Term) {
		if s.add(&scoreInput{name: name, term: x, runner: p.Runner, prop: p}) {
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
	s.saved = len(kept.Entries) > 0
	for _, e := range kept.Entries {
		if x, ok := s.prop.ParseKept(e.Input); ok {
			add(e.ID(), s.prop, x)
		}
	}
	return nil
}

// add adds an input. It returns false if there is an equal one.
func (s *scorer) add(in *scoreInput) bool {
	if in.prop == s.prop || in.prop == s.plain {
		id := identity{in.prop, term.Hash(in.term)}
		if s.seen[id] != "" {
			return false
		}
		s.seen[id] = in.name
	}
	s.faulty.observe(in.runner)
	s.inputs[in.name] = in
	return true
}

// baseline runs each case on the original program. Cases that are in the file already are left out: an
// earlier process has run them.
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
	known := map[string]*scoreCase{}
	for _, c := range b.Cases {
		known[c.Name] = c
		s.tested(c, 0)
	}
	for _, name := range s.names {
		if known[name] == nil {
			if known[name], err = s.addCase(b, s.inputs[name]); err != nil {
				return err
			}
		}
	}
	if s.request.All && len(s.names) > 0 {
		return nil // only saved inputs matter
	}
	if err := s.make(b, known, fate.Generated); err != nil || s.saved || s.plain == s.prop {
		return err
	}
	return s.make(b, known, withFacts)
}

// withFacts is how the names of inputs begin that go test would make if it knew what allele has found in the source. They
// judge a property without saved inputs, because such inputs are what a search begins with.
const withFacts = fate.Generated + "with facts "

// maker returns the property that makes the inputs whose name begins like this.
func (s *scorer) maker(name string) *property.Property {
	if strings.HasPrefix(name, withFacts) {
		return s.prop
	}
	return s.plain
}

// make adds the inputs that go test makes to the baseline.
func (s *scorer) make(b *scoring.Cases[scoreCase], known map[string]*scoreCase, prefix string) error {
	p := s.maker(prefix)
	return makeInputs(p, func(number int, x term.Term) (r madeRun, err error) {
		in := &scoreInput{name: fmt.Sprint(prefix, number), term: x, runner: p.Runner, prop: p}
		c := known[in.name] // from an earlier process
		switch unique := s.add(in); {
		case c == nil && unique:
			if c, err = s.addCase(b, in); err != nil {
				return r, err
			}
			known[in.name] = c
		case c == nil:
			c = known[s.seen[identity{p, term.Hash(x)}]]
		}
		if c.Discards {
			run, _ := s.faulty.original(in.runner, in.term) // to know by which assumption
			r.reject = &run.Reject
		}
		r.steps, r.failed = c.Steps, c.Left != ""
		return r, nil
	})
}

// addCase runs a case on the original program and adds it to the baseline. The error is errEarly if a
// run did not end.
func (s *scorer) addCase(b *scoring.Cases[scoreCase], in *scoreInput) (*scoreCase, error) {
	c, nanos := &scoreCase{Name: in.name, Left: s.request.Leave[in.name]}, time.Duration(0)
	hung := false
	if c.Left == "" {
		s.put(scoring.Line{Event: scoring.Start, Fault: scoring.NoFault, Test: in.name})
		began := time.Now()
		c, hung = s.try(in)
		nanos = time.Since(began) / 3
	}
	if strings.HasPrefix(in.name, fate.Generated) {
		c.Made = in.term.Memory()
	}
	if err := b.Add(c); err != nil {
		return nil, err
	}
	if s.tested(c, nanos); hung {
		s.put(scoring.Line{Event: scoring.Busy, Fault: scoring.NoFault, Test: in.name})
		return nil, errEarly
	}
	return c, nil
}

func (s *scorer) tested(c *scoreCase, nanos time.Duration) {
	s.put(scoring.Line{Event: scoring.Tested, Fault: scoring.NoFault, Test: c.Name, Detail: c.Left, Steps: c.Steps, Nanos: int64(nanos)})
}

// try runs a case on the original program: recording, as it is, and recording again, unless all that it reaches is known
// to be reached again and again. hung is true if a run did not end.
func (s *scorer) try(in *scoreInput) (c *scoreCase, hung bool) {
	c = &scoreCase{Name: in.name}
	first, a := s.faulty.record(in.runner, in.term)
	c.First = s.reached()
	second, b := s.faulty.original(in.runner, in.term)
	k := oracle.NewCase(second, in.runner.Differs)
	k.Again(first)
	third, d := first, a
	if c.Each = c.First; !s.repeats.Holds(c.First.Hit) {
		third, d = s.faulty.record(in.runner, in.term)
		c.Each = s.reached()
		k.Again(third)
		s.repeats = s.repeats.Union(c.Each.Hit)
	}
	c.Steps, c.Shown = max(a, b, d), second.Shown
	c.Unstable, c.Discards = k.Unstable, k.Original.Verdict == engine.Discarded
	switch {
	case first.Hung || second.Hung || third.Hung:
		return &scoreCase{Name: in.name, Left: "it does not end"}, true
	case second.Verdict == engine.Failed:
		c = &scoreCase{Name: in.name, Left: "the property fails"}
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
