//go:build go1.25

// Package engine decides which term (input) is run next, and when the search ends.
//
// A term is fresh if it is generated at random. It is kept if the trace of its run (the
// branches that the run took) showed something new; then the search changes it to make
// more terms. Such a search, guided by traces, is called a line. The size of a term is
// counted in cells: roughly its tree nodes and list elements.
//
// The engine runs nothing itself. Its caller requests a term, runs the property on
// it, and reports the outcome:
//
//	for {
//		t, ok := e.Next()
//		if !ok {
//			break
//		}
//		e.Done(run(t)) // a verdict and a trace
//	}
//
// The caller requests terms, rather than passing a function to the engine, because a run
// may end its goroutine. In this way, no state of the engine is on the stack of that
// goroutine.
package engine

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Verdict is how a run ended.
type Verdict uint8

// A run is discarded when an assumption of the property was false.
const (
	Passed Verdict = iota
	Discarded
	Failed
)

var verdicts = [...]string{Passed: "passed", Discarded: "discarded", Failed: "failed"}

func (v Verdict) String() string { return verdicts[v] }

// MarshalText returns the name of the verdict, as used in logs.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses the name of a verdict.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q", text)
	}
	*v = Verdict(i)
	return nil
}

// Config configures a search.
type Config struct {
	World *schema.World
	Seed  uint64
	Size  int // size of the largest terms
	Tests int // number of passed runs after which the search ends
	Runs  int // maximum number of runs; 0 means no limit
	First int // number of the first run; a resumed search starts higher, to generate other terms than before

	// Strategy configures a search that is guided by the traces of runs. nil means to
	// search without traces.
	Strategy *Strategy

	// Compare runs the property on t once more and returns what the program compared
	// parts of t with. Each call sends a message to another process, so Compare is called
	// only for kept terms. If Compare is nil, or returns nothing, no comparisons are
	// known.
	Compare func(t term.Term) []operand.Compared

	// Literals returns the constants that the program compares values of the type of s
	// with, as terms of s. If Literals is nil, no constants are known.
	Literals func(s *schema.Schema) []term.Term

	// Words lists the letters and texts that the program compares with. Edits of texts insert
	// them.
	Words []string

	// Forger makes bytes for a world with an encoder. If it is nil, only values are changed.
	Forger Forger

	// Saturate ends the search when every one-step change of every kept term was run and nothing
	// new shows, also if the type has infinitely many terms. See Exhausted.
	Saturate bool

	// Uncounted is set to measure what counting distinct terms costs.
	Uncounted bool

	// Exact makes Runs a limit that is never exceeded, see closeTimes. Experiments set it,
	// so that all searches that they compare have the same limit.
	Exact bool

	// Log is called with every term that is kept and every term that fails. It must
	// not retain the entry.
	Log func(Entry)
}

// Engine is a search in progress. Only one goroutine at a time may call its methods,
// except Stop, Started and Lost, which any goroutine may call.
type Engine struct {
	Counts

	config Config
	seed   rng.Source
	gen    *gen.Gen
	all    uint64 // number of terms of the input type if every one is tried, else 0
	least  int    // minimum number of cells of a term that is not trivial
	flat   bool   // no term has any cells
	term   term.Term
	// turn is the size of the next fresh term. It cycles from 1 to Config.Size, because
	// small terms satisfy preconditions more often and run faster, large terms reach
	// further, and a search that is stopped early has tried all sizes.
	turn, step int
	size       word // size of the current term

	guide    *guide
	visitors visitors
	grower   grower
	distinct distinct
	inside   inside
	steady   steady
	fresh    int                       // runs of fresh terms
	refused  int                       // how many of the fresh terms were discarded
	leftOut  int                       // see LeaveOut
	grown    atomic.Pointer[term.Term] // the current term, if it cannot be generated again
	heads    [2]term.Term              // grown points to one of these, alternately
	flip     bool
	run      word // runs started
	stop     atomic.Bool
}

// Counts counts the runs so far by their outcome.
type Counts struct {
	Runs      int
	Passed    int
	Discarded int
	Distinct  int // different terms that passed, at least: see Engine.AtLeast
	Replayed  int // terms of earlier searches that passed again; they are not runs of this search
	Rich      int // passed terms that are not trivial, with those replayed
	Largest   int // cells of the largest term that passed
}

// A term is not trivial if it has at least richCells cells more than the smallest term of
// its type. With three cells, a tree has a shape and a list has an order.
const richCells = 3

// If the input type has at most allMax terms, and no more than Config.Tests, every term
// is tried. For a type with more terms, random terms of all sizes find bugs sooner.
const allMax = 1 << 20

// New starts a search.
func New(c Config) *Engine {
	c.Size = max(1, c.Size)
	e := &Engine{config: c, gen: gen.New(c.World)}
	if n := c.World.Root.Count; c.Forger == nil && n <= uint64(min(c.Tests, allMax)) {
		e.all = n
	}
	e.least = c.World.Root.MinCells + richCells
	e.flat = c.World.Root.MaxCells == 0
	e.grower = grower{world: c.World, gen: e.gen}
	e.seed = rng.From(c.Seed)
	e.steady = newSteady(c.World)
	// If there are fewer tests than sizes, the size grows in larger steps, so that the
	// largest size is still reached.
	e.step = max(1, min(c.Size, (c.Size+max(1, c.Tests)-1)/max(1, c.Tests)))
	if c.Strategy != nil && e.all == 0 {
		e.guide = newGuide(c)
	}
	if e.all == 0 {
		e.run.set(uintptr(max(0, c.First)))
	}
	e.gen.Reach = c.Size // small terms have numbers up to c.Size too; otherwise all their numbers would be equal
	return e
}

// Next returns the next term to run, or false if the search is over. The term is
// valid until the next call.
func (e *Engine) Next() (term.Term, bool) {
	if e.Over() {
		return nil, false
	}
	run := uint64(e.run.get())
	e.run.set(uintptr(run + 1))
	e.turn = e.after(e.turn)
	e.size.set(uintptr(e.turn))
	if e.guide != nil {
		if e.guide.strategy.Forged {
			return e.forged(run)
		}
		if t := e.visitors.next(); t != nil {
			e.term, e.guide.own = t, false
			e.own(t)
			return t, true
		}
		e.term = e.guide.next(run)
		if e.term == nil {
			e.term = e.guide.plain(e.gen, e.seed.Run(run), e.turn)
		}
		e.own(e.term)
		return e.term, true
	}
	if run%4 != 0 && e.picky() {
		if t := e.grower.grow(rng.At(^e.config.Seed, run), e.gen.Bound(e.config.Size)); t != nil && e.inside.admits(e.config.World, t) {
			e.own(t)
			e.term = t
			return t, true
		}
	}
	if e.grown.Load() != nil {
		e.grown.Store(nil)
	}
	e.term = e.make(e.gen, run, e.turn)
	return e.term, true
}

// after returns the size of the fresh term after one of this size.
func (e *Engine) after(turn int) int {
	if turn += e.step; turn > e.config.Size {
		turn = 1 + turn%e.config.Size%e.step
	}
	return turn
}

// own stores the current term for Lost. It is called for terms that cannot be generated
// again from the number of their run. Nothing writes to the memory of the term before the
// run is over.
func (e *Engine) own(t term.Term) {
	e.flip = !e.flip
	head := &e.heads[0]
	if e.flip {
		head = &e.heads[1]
	}
	*head = t
	e.grown.Store(head)
}

// Term returns the term of the current run.
func (e *Engine) Term() term.Term { return e.term }

// picky reports whether most fresh terms are discarded. If so, three of four runs use a
// changed copy of a term that passed or nearly passed.
func (e *Engine) picky() bool { return e.all == 0 && 2*e.refused > e.fresh }

// Over reports whether the search has ended.
func (e *Engine) Over() bool {
	switch {
	case e.stop.Load():
		return true
	case e.all > 0:
		return uint64(e.Runs) >= e.all
	case e.Runs%exhaustedEvery == 0 && e.Exhausted():
		return true
	}
	return e.Passed >= e.config.Tests && !e.same() || e.config.Runs > 0 && e.Runs >= e.config.Runs && !e.close()
}

// exhaustedEvery is the number of runs between two checks whether anything is left to
// try.
const exhaustedEvery = 1 << 10

// make generates the term for a run from the number of the run and a size. The term does
// not depend on earlier runs.
func (e *Engine) make(g *gen.Gen, run uint64, size int) term.Term {
	if e.all > 0 {
		return g.Nth(run)
	}
	return g.Term(e.seed.Run(run), size)
}

// Started returns how many runs were started. Any goroutine may call it.
func (e *Engine) Started() int { return int(e.run.get()) }

// word is a number that one goroutine writes and another may read at any time.
//
// An atomic store would cost a tenth of a fast run. A plain store is enough: the number
// is read once, when its run has been hanging for a long time, and the Go memory model
// guarantees that reading a word returns a value that was written. norace exempts the
// accesses from the race detector.
type word struct{ x uintptr }

//go:norace
func (w *word) set(x uintptr) { w.x = x }

//go:norace
func (w *word) get() uintptr { return w.x }

// Lost returns the term of the run that was started last. It is called if that run does
// not end. Any goroutine may call it: the term is generated again, or copied from memory
// that is not written to during the run.
func (e *Engine) Lost() term.Term {
	run := uint64(e.run.get())
	if t := e.grown.Load(); t != nil {
		return copied(*t)
	}
	g := gen.New(e.config.World)
	g.Reach = e.config.Size
	return e.make(g, run-1, int(e.size.get())).Clone()
}

// Fresh reports whether Again can generate the current term. It is false for terms that depend
// on earlier runs.
func (e *Engine) Fresh() bool { return e.grown.Load() == nil }

// Again generates the fresh term of a run of this search, or of one with the same Config.
func (e *Engine) Again(run int) term.Term {
	turn := 0
	for range run {
		turn = e.after(turn)
	}
	g := gen.New(e.config.World)
	g.Reach = e.config.Size
	return e.make(g, uint64(run-1), turn).Clone()
}

// copied copies a term. No goroutine writes to the term, because its run has not ended.
//
//go:norace
func copied(t term.Term) term.Term {
	out := make(term.Term, len(t))
	for i := range t {
		out[i] = t[i]
	}
	return out
}

// Done records how the run of the last term ended, and the trace of that run. Without a
// strategy, the trace of a discarded run is one symbol: the assumption that discarded the
// term.
func (e *Engine) Done(v Verdict, run trace.Run) {
	e.Runs++
	if e.visitors.now {
		e.guide.visited(e.term, v, run)
	} else if e.guide != nil {
		e.guide.done(e.term, v, run)
	}
	fresh := e.grown.Load() == nil
	if fresh {
		e.fresh++
	}
	switch v {
	case Passed:
		e.Pass(e.term)
	case Discarded:
		e.Discarded++
		if fresh {
			e.refused++
		}
		if e.guide == nil && len(run.Symbols) == 1 && e.picky() {
			e.grower.near.add(run.Symbols[0], e.term)
		}
	}
}

// Seed adds a term from the user, with the verdict and the trace of its run. A guided
// search starts from such terms. A search without guidance changes them if most fresh
// terms are discarded.
func (e *Engine) Seed(t term.Term, v Verdict, run trace.Run) {
	switch {
	case e.guide == nil && v == Passed:
		r := rng.At(e.config.Seed, term.Hash(t))
		e.grower.keep(&r, t)
	case e.guide != nil && e.guide.start() != nil:
		e.guide.line.seed(t, v, run)
	}
}

// Resume adds a term that an earlier search kept, with the verdict and the trace of its
// latest run. The term is kept again if this trace is new to this search.
func (e *Engine) Resume(t term.Term, v Verdict, run trace.Run) {
	if v == Passed {
		e.Replayed++
		e.count(t)
		e.weigh(t)
	}
	switch {
	case e.guide == nil:
		e.Seed(t, v, run)
	case e.guide.start() != nil:
		e.guide.line.resume(t, v, run)
	}
}

// Share adds a term that another search keeps, with the verdict and the trace of its run
// there. From now on the trace counts as known, and this search tries random changes of
// the term. The systematic changes of the term are left to the other search.
func (e *Engine) Share(t term.Term, v Verdict, run trace.Run) {
	if e.guide != nil && e.guide.start() != nil {
		e.guide.line.share(t, v, run)
	}
}

// Pass counts a term that passed. It is also called for terms that do not come from the
// search.
func (e *Engine) Pass(t term.Term) {
	e.Passed++
	if len(e.steady.parts) > 0 {
		e.steady.pass(t)
	}
	if e.Distinct < DistinctMax {
		e.count(t)
	}
	if e.flat && !e.picky() {
		return // the term has no cells (a number, say): inspecting it may cost more than running it
	}
	e.weigh(t)
	if e.picky() {
		r := rng.At(e.config.Seed, ^uint64(e.Runs))
		e.grower.keep(&r, t)
	}
}

// weigh counts a term that passed if it is not trivial.
func (e *Engine) weigh(t term.Term) {
	cells := e.config.World.Cells(t)
	e.Largest = max(e.Largest, cells)
	if cells >= e.least {
		e.Rich++
	}
}

// IsRich reports whether a term with this many cells is not trivial. If all terms of the type
// are trivial, none counts as trivial.
func (e *Engine) IsRich(cells int) bool { return cells >= e.least || !e.CanBeRich() }

// Stop ends the search after the current run. Any goroutine may call it.
func (e *Engine) Stop() { e.stop.Store(true) }

// Whole reports whether the search tries every term of the input type, one by one.
func (e *Engine) Whole() bool { return e.all > 0 }

// All reports whether every term of the input type has been tried.
func (e *Engine) All() bool { return e.all > 0 && uint64(e.Runs) >= e.all && e.leftOut == 0 }

// CanBeRich reports whether terms of this type and size can be non-trivial.
func (e *Engine) CanBeRich() bool {
	return e.config.World.Root.MaxCells >= e.least && e.gen.Bound(e.config.Size) >= e.least
}
