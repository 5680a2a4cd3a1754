// Package samesearch shows whether a change of the search engine changed what it searches.
//
// It runs every strategy on every task with three seeds and writes one line for each such
// search: a hash of all terms, where they come from, the verdicts, and what was logged. The
// hashes are in testdata, so a change of the engine that is meant to change nothing is
// checked with
//
//	go test ./samesearch          # the first 3,000 runs of each search
//	go test ./samesearch -long    # the first 100,000 runs: some minutes
//
// and one that is meant to change something, with -update as well. A search does not stop at
// a failure, so that the runs after it count too.
//
// The tasks are small programs that record their paths themselves: see tasks.go. They need no
// build with probes, and the hashes do not depend on the numbers of sites.
package samesearch

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Strategies returns the names of all strategies. The last ones need an encoder.
func Strategies() []string {
	return []string{
		"plain", "random", "random-twins", "guided", "guided-atoms", "mutagen", "mutagen:clauses", "mutagen-bitmap",
		"mutagen-fifo", "mutagen-noreset", "fuzzchick", "faults", "faults-paper", "faults-slice",
	}
}

// Seeds is how many seeds each strategy has on each task.
const Seeds = 3

// Record writes a line for each search: strategy, task, seed, runs, and the hash.
func Record(out io.Writer, runs int) error {
	for _, name := range Strategies() {
		for _, t := range tasks() {
			if name[:3] == "fau" && t.encoder == nil {
				continue
			}
			for seed := range uint64(Seeds) {
				s, err := start(name, t, seed, runs)
				if err != nil {
					return err
				}
				note := s.all()
				fmt.Fprintf(out, "%s %s %d %d %016x%s\n", name, t.name, seed, s.engine.Runs, s.sum(), note)
			}
		}
	}
	return nil
}

// search is a search in progress.
type search struct {
	task   task
	tracer tracer
	world  *schema.World
	engine *engine.Engine
	hash   io.Writer
	sum    func() uint64
	line   []byte
	old    []term.Term // some terms of this search, which are given to it again as those of others
	kept   engine.Kept
}

func start(name string, t task, seed uint64, runs int) (*search, error) {
	loop, err := papers.Named(name)
	if err != nil {
		return nil, err
	}
	w, err := schema.Derive(t.in, t.decls())
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	s := &search{task: t, world: w, hash: h, sum: h.Sum64}
	c := engine.Config{
		World: w, Seed: seed, Size: 20, Tests: runs, Runs: runs, Words: t.words,
		Compare: s.compare, Literals: literals, Log: s.log,
	}
	loop.Config(&c)
	if t.encoder != nil {
		c.Forger = &forger{world: w, encode: t.encoder}
	}
	s.engine = engine.New(c)
	if t.busy {
		s.give()
	}
	return s, nil
}

// all makes all runs. A panic of the engine ends the search, and is returned as a note.
func (s *search) all() (note string) {
	defer func() {
		if p := recover(); p != nil {
			note = fmt.Sprintf(" panic: %v", p)
		}
	}()
	for s.step() {
	}
	return ""
}

// step makes one run. It reports whether the search continues.
func (s *search) step() bool {
	x, ok := s.engine.Next()
	if !ok {
		s.finish()
		return false
	}
	origin := s.engine.Origin()
	from, changed := s.engine.Source()
	v := s.run(x)
	s.line = fmt.Appendf(s.line[:0], "%x %s %v %v %v\n", term.Hash(x), origin, v, s.engine.Current.Fresh(), changed)
	if from != nil {
		s.line = fmt.Appendf(s.line, "%x %v\n", term.Hash(from.Value), from.Fault)
	}
	if s.engine.Runs%997 == 0 {
		s.line = fmt.Appendf(s.line, "%x\n", term.Hash(s.engine.Current.Lost()))
	}
	s.hash.Write(s.line)
	if n := s.engine.Runs; s.task.busy && n%97 == 0 {
		s.disturb(n, x, v)
	} else {
		s.engine.Done(v, s.tracer.run(s.task))
	}
	return true
}

func (s *search) run(x term.Term) engine.Verdict {
	s.tracer.begin()
	v, ok := s.world.Value(x)
	if !ok {
		return engine.Discarded
	}
	return s.task.run(&s.tracer, v)
}

func (s *search) compare(x term.Term) []operand.Compared {
	path := slices.Clone(s.tracer.path)
	s.tracer.compares = true
	s.run(x)
	s.tracer.compares, s.tracer.path = false, path
	return s.tracer.compared
}

func (s *search) log(e engine.Entry) {
	fmt.Fprintf(s.hash, "%d %d %d %s %s %v %s %v %d %x\n",
		e.Run, e.ID, e.Parent, e.How, e.Kind, e.Verdict, e.Why, e.Rare, e.Kills, term.Hash(e.Term))
}

func (s *search) finish() {
	features, kept := s.engine.Learnt()
	n := s.engine.Counts
	counts := []int{n.Runs, n.Passed, n.Discarded, n.Distinct, n.Replayed, n.Rich, n.Largest}
	fmt.Fprintln(s.hash, "{"+strings.Trim(fmt.Sprint(counts), "[]")+"}", s.engine.Report(), features, kept, s.engine.Exhausted(), n.LeftOut)
}

// give adds terms of the user and of earlier searches before the first run.
func (s *search) give() {
	other := engine.New(engine.Config{World: s.world, Seed: 99, Size: 10, Tests: 1000, Runs: 1000})
	for i := range 40 {
		x, ok := other.Next()
		if !ok {
			return
		}
		v := s.run(x)
		if run := s.tracer.run(s.task); i%2 == 0 {
			s.engine.Seed(x, v, run)
		} else {
			s.engine.Resume(x, v, run)
		}
		other.Done(engine.Passed, s.tracer.run(s.task))
	}
}

// disturb ends the run of a term, and does one of the other things that a caller of the engine
// may do.
func (s *search) disturb(n int, x term.Term, v engine.Verdict) {
	x = x.Clone()
	run := s.tracer.run(s.task)
	run.Symbols = slices.Clone(run.Symbols)
	s.old = append(s.old, x)
	old := s.old[n%len(s.old)]
	switch n / 97 % 8 {
	case 0:
		s.engine.LeaveOut()
		return
	case 1:
		s.engine.Abandon()
		return
	}
	s.engine.Done(v, run)
	switch n / 97 % 8 {
	case 2:
		s.engine.Visit(old)
	case 3:
		run.Symbols = append(run.Symbols, uint32(n%1000))
		s.engine.Share(old, v, run)
	case 4:
		s.kept = s.engine.Kept()
		s.engine.Favour(engine.Kept{}, 1, run)
	case 5:
		s.engine.FavourOther(old, 2, n%2 == 0)
	case 6:
		if s.kept.Any() {
			s.engine.Favour(s.kept, 1, run)
		}
	case 7:
		s.engine.Pass(old)
	}
}
