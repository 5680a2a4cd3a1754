// Package engine decides which term is tried next, and when enough were.
//
// The engine does not run anything. Whoever owns the property pulls a term,
// runs it, and says how that ended:
//
//	for {
//		t, ok := e.Next()
//		if !ok {
//			break
//		}
//		e.Done(run(t)) // a verdict, and what the run has shown
//	}
//
// It is pulled, rather than given a function to call, because a run may end by
// ending its goroutine: nothing of ours may be on the stack then that matters.
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

// MarshalText writes a verdict as logs have it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads one.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("no verdict: %q", text)
	}
	*v = Verdict(i)
	return nil
}

// Config says what to search and how long.
type Config struct {
	World *schema.World
	Seed  uint64
	Size  int // of the largest terms
	Tests int // passed runs wanted
	Runs  int // most runs made for them; 0 means no limit but Stop
	First int // the number of the first run: a search that goes on makes other terms than before

	// Strategy is how to search if runs have traces. nil means to do without.
	Strategy *Strategy

	// Compare runs a term once more and tells what it was compared with. It costs
	// a message to another process, so it is for cases worth keeping. nil, or an
	// empty answer, means that nothing is known.
	Compare func(t term.Term) []operand.Compared

	// Literals gives the constants of the type of s that the program compares
	// values with, as terms of s. nil means that none are known.
	Literals func(s *schema.Schema) []term.Term

	// Log is told of every term that is kept, and of one that fails. It must not
	// hold on to it.
	Log func(Entry)
}

// Engine is a search under way. Its methods are for one goroutine at a time,
// except Stop and Lost.
type Engine struct {
	Counts

	config Config
	seed   rng.Source
	gen    *gen.Gen
	all    uint64 // size of the domain if every term of it is tried, else 0
	least  int    // cells from which a term is not trivial
	flat   bool   // no term has any cells
	term   term.Term
	// turn is the size of a fresh term. It goes round from 1 to the largest:
	// small terms satisfy preconditions more often and run faster, large ones
	// reach further, and a search that is stopped early has seen all sizes.
	turn, step int
	size       word // of the term under way

	guide   *guide
	grower  grower
	fresh   int                       // runs of fresh terms,
	refused int                       // and how many of them were discarded
	grown   atomic.Pointer[term.Term] // the present term, if it cannot be made again
	heads   [2]term.Term              // where it points to, in turns
	flip    bool
	run     word // runs started
	stop    atomic.Bool
}

// Counts is what the runs so far came to.
type Counts struct {
	Runs      int
	Passed    int
	Discarded int
	Rich      int // passed with terms that are not trivial
	Largest   int // cells of the largest term that passed
}

// richCells is how many cells more than it must have a term needs to count as
// more than trivial: with three, a tree has a shape and a list an order.
const richCells = 3

// allMax is the largest domain that is tried whole, however many tests there
// is time for: in a larger one random terms of all sizes find bugs sooner.
const allMax = 1 << 20

// New starts a search.
func New(c Config) *Engine {
	c.Size = max(1, c.Size)
	e := &Engine{config: c, gen: gen.New(c.World)}
	if n := c.World.Root.Count; n <= uint64(min(c.Tests, allMax)) {
		e.all = n
	}
	e.least = c.World.Root.MinCells + richCells
	e.flat = c.World.Root.MaxCells == 0
	e.grower = grower{world: c.World, gen: e.gen}
	e.seed = rng.From(c.Seed)
	// With fewer tests than sizes, the steps are larger, so that the largest
	// size is reached all the same.
	e.step = max(1, min(c.Size, (c.Size+max(1, c.Tests)-1)/max(1, c.Tests)))
	if c.Strategy != nil && e.all == 0 {
		e.guide = newGuide(c)
	}
	if e.all == 0 {
		e.run.set(uintptr(max(0, c.First)))
	}
	e.gen.Reach = c.Size // also in small terms, or all their numbers would be equal
	return e
}

// Next gives the term to run now, or false if the search is over. The term is
// valid until the next call.
func (e *Engine) Next() (term.Term, bool) {
	if e.Over() {
		return nil, false
	}
	run := uint64(e.run.get())
	e.run.set(uintptr(run + 1))
	if e.turn += e.step; e.turn > e.config.Size {
		e.turn = 1 + e.turn%e.config.Size%e.step
	}
	e.size.set(uintptr(e.turn))
	if e.guide != nil {
		e.term = e.guide.next(run)
		if e.term == nil {
			e.term = e.guide.plain(e.gen, e.seed.Run(run), e.turn)
		}
		e.own(e.term)
		return e.term, true
	}
	if run%4 != 0 && e.picky() {
		if t := e.grower.grow(rng.At(^e.config.Seed, run), e.gen.Bound(e.config.Size)); t != nil {
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

// own tells Lost of a term that cannot be made again from the number of its run.
// It lies in memory that is not written to before the run is over.
func (e *Engine) own(t term.Term) {
	e.flip = !e.flip
	head := &e.heads[0]
	if e.flip {
		head = &e.heads[1]
	}
	*head = t
	e.grown.Store(head)
}

// Term is the term of the present run.
func (e *Engine) Term() term.Term { return e.term }

// picky reports whether most fresh terms are discarded. Then three runs of four
// try a change of a term that passed.
func (e *Engine) picky() bool { return e.all == 0 && 2*e.refused > e.fresh }

// Over reports whether the search has come to its end.
func (e *Engine) Over() bool {
	switch {
	case e.stop.Load():
		return true
	case e.all > 0:
		return uint64(e.Runs) >= e.all
	case e.Runs%exhaustedEvery == 0 && e.Exhausted():
		return true
	}
	return e.Passed >= e.config.Tests || e.config.Runs > 0 && e.Runs >= e.config.Runs
}

// exhaustedEvery is how many runs there are between looks whether anything is left.
const exhaustedEvery = 1 << 10

// make gives the term of a run, if it does not depend on earlier ones.
func (e *Engine) make(g *gen.Gen, run uint64, size int) term.Term {
	if e.all > 0 {
		return g.Nth(run)
	}
	return g.Term(e.seed.Run(run), size)
}

// Started is how many runs were started. Any goroutine may ask.
func (e *Engine) Started() int { return int(e.run.get()) }

// word is a number that one goroutine writes and another may read at any time.
//
// An atomic store would cost a tenth of a fast run. A plain one is enough: the
// number is read once, long after the run it belongs to has begun to hang, and
// Go promises that a word read is a word that was written. norace says so to
// the race detector.
type word struct{ x uintptr }

//go:norace
func (w *word) set(x uintptr) { w.x = x }

//go:norace
func (w *word) get() uintptr { return w.x }

// Lost gives the term of the run that was started last, for when it never
// comes back. Any goroutine may call it: the term is made again, not read from
// under the run.
func (e *Engine) Lost() term.Term {
	run := uint64(e.run.get())
	if t := e.grown.Load(); t != nil {
		return copied(*t)
	}
	g := gen.New(e.config.World)
	g.Reach = e.config.Size
	return e.make(g, run-1, int(e.size.get())).Clone()
}

// copied takes a term while nobody writes to it: its run has not come back.
//
//go:norace
func copied(t term.Term) term.Term {
	out := make(term.Term, len(t))
	for i := range t {
		out[i] = t[i]
	}
	return out
}

// Done says how the run of the last term ended, and what it has shown. Without a
// strategy that is one symbol: the assumption that stopped it.
func (e *Engine) Done(v Verdict, run trace.Run) {
	e.Runs++
	if e.guide != nil {
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

// Seed takes a term that the search did not make, and what its run has shown: a
// guided search begins with what it was given, and another one changes it too if
// most fresh terms are discarded.
func (e *Engine) Seed(t term.Term, v Verdict, run trace.Run) {
	switch {
	case e.guide == nil && v == Passed:
		r := rng.At(e.config.Seed, term.Hash(t))
		e.grower.keep(&r, t)
	case e.guide != nil && e.guide.start() != nil:
		e.guide.line.seed(t, v, run)
	}
}

// Resume takes a term that an earlier search kept, and what its run shows now. It
// is kept again if that is new.
func (e *Engine) Resume(t term.Term, v Verdict, run trace.Run) {
	switch {
	case e.guide == nil:
		e.Seed(t, v, run)
	case e.guide.start() != nil:
		e.guide.line.resume(t, v, run)
	}
}

// Share takes a term that another search keeps, and what its run has shown there. What
// it shows is known from now on, and it serves to make others of; its own changes are
// the business of the other one.
func (e *Engine) Share(t term.Term, v Verdict, run trace.Run) {
	if e.guide != nil && e.guide.start() != nil {
		e.guide.line.share(t, v, run)
	}
}

// Pass counts a term that passed, wherever it came from.
func (e *Engine) Pass(t term.Term) {
	e.Passed++
	if e.flat && !e.picky() {
		return // a number; to run it may cost less than to look at it
	}
	cells := e.config.World.Cells(t)
	e.Largest = max(e.Largest, cells)
	if cells >= e.least {
		e.Rich++
	}
	if e.picky() {
		r := rng.At(e.config.Seed, ^uint64(e.Runs))
		e.grower.keep(&r, t)
	}
}

// Stop ends the search after the present run. Any goroutine may call it.
func (e *Engine) Stop() { e.stop.Store(true) }

// Whole reports whether every term of the domain is tried, one by one.
func (e *Engine) Whole() bool { return e.all > 0 }

// All reports whether every term of the domain was tried.
func (e *Engine) All() bool { return e.all > 0 && uint64(e.Runs) >= e.all }

// CanBeRich reports whether there are terms of this type and size that are not
// trivial.
func (e *Engine) CanBeRich() bool {
	return e.config.World.Root.MaxCells >= e.least && e.gen.Bound(e.config.Size) >= e.least
}
