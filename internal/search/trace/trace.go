// Package trace reads what a run of rewritten code has left in package hook.
//
// A Recorder stands around each run; a Lens then shows the path as coarsely as
// the search wants to judge it:
//
//	rec.Begin(hitsMax)
//	...                        // the property runs
//	run := rec.End()
//	seen := lens.View(run.Symbols) // if !run.Set
//
// A path is a list of symbols, the site in the low bits and its kind above
// them. Probes of several goroutines may have overwritten each other, so a run
// that had any is a set of sites instead, in rising order and without kinds.
//
// # Loops
//
// A loop that goes round once more makes another path but seldom another idea.
// Under Once and Log2 a Lens therefore folds iterations, and only them: it
// looks at Loop symbols, which begin an iteration, and nowhere else, so
// recursion and chance repetitions stay. It goes from the last symbol to the
// first. At a Loop symbol s everything to the right is folded already, inner
// loops included. The iteration is what stands from s to before the next s. If
// the same symbols follow once more, the iteration is folded into its successor:
//
//	Once   s a s a s a b  ->  s a b
//	Log2   s a s a s a b  ->  s a R b      R: s went round 2 or 3 times
//
// R is a Repeat symbol with the site of s and the logarithm of the number of
// iterations, rounded down. Iterations that fold must be equal as folded, so an
// outer iteration with 5 rounds inside equals one with 7 under Log2, and with
// any number under Once. What a Repeat symbol ends is not taken apart again:
// under Log2 s a, s a b, s a b gives s a s a b R.
//
// At the level Coarse, folding looks at Coarse, Fold and Loop symbols, and the
// Loop symbols are left out afterwards. A loop with nothing else inside folds as
// under Once: its number of iterations is below the level too.
//
// Two things are lost. A path does not say where a loop ends, so what follows
// the last iteration may belong to it: s a, s a b folds as two times s a, then
// b. And Fold symbols, the digests of a run beyond hook.Cap, differ with every
// number of iterations, so such a run is not folded beyond its first part.
package trace

import (
	"runtime"

	"github.com/allele-go/allele/internal/hook"
)

// Recorder follows one run after the other. The zero value is ready.
type Recorder struct {
	// Sites is how many sites the program has, which bounds the search for those
	// that a run with goroutines reached. 0 stands for as many as there can be,
	// which takes a millisecond.
	Sites int

	symbols []uint32
	quiet   int  // goroutines while no run is under way
	leaked  bool // one that a run started is alive
}

// Run is what a run has shown. Symbols is valid until the next End.
type Run struct {
	Symbols []uint32
	Set     bool  // Symbols are sites in rising order, not a path
	Hits    int64 // if Set, no more than about how many
}

// Begin starts to follow a run that may make so many hits.
func (r *Recorder) Begin(hits int64) {
	// While a goroutine of an earlier run lives it may hit probes in this one.
	if n := runtime.NumGoroutine(); !r.leaked || n <= r.quiet {
		r.quiet, r.leaked = n, false
	}
	hook.Reset(hits)
}

// End reads what the run has left. Goroutines that code outside the rewritten
// packages started show only if they are still there; those that ended unseen
// would have to call rewritten code to do harm.
func (r *Recorder) End() Run {
	more := runtime.NumGoroutine() > r.quiet
	for try := 0; more && try < yields && !started(); try++ {
		// A run may end by ending its goroutine, and that may still be at it.
		runtime.Gosched()
		more = runtime.NumGoroutine() > r.quiet
	}
	r.leaked = more && (r.leaked || started())
	run := Run{Set: more || started(), Hits: hook.Hits()}
	if run.Set {
		r.symbols = reached(r.symbols[:0], r.Sites)
	} else {
		r.symbols = hook.Path(r.symbols[:0])
	}
	run.Symbols = r.symbols
	return run
}

// Before reads what was reached before the first Begin: a set if the program has
// one, since initialisers may have started goroutines.
func (r *Recorder) Before() Run {
	run := Run{Symbols: reached(nil, r.Sites), Hits: hook.Hits()}
	if run.Set = len(run.Symbols) > 0; !run.Set {
		run.Symbols = hook.Path(nil)
	}
	return run
}

// yields is how often a goroutine that is about to end gets the chance to.
const yields = 3

//go:norace
func started() bool { return hook.Spawned != 0 }

// reached appends the sites of the run. Goroutines may still be at it: they
// store the same number as everybody else.
//
//go:norace
func reached(to []uint32, sites int) []uint32 {
	if sites <= 0 || sites > hook.Sites {
		sites = hook.Sites
	}
	epoch := hook.Epoch
	for id, last := range hook.Set[:sites] {
		if last == epoch {
			to = append(to, uint32(id))
		}
	}
	return to
}

// Site is the site a symbol speaks of. A Fold symbol speaks of none.
func Site(symbol uint32) (site uint32, ok bool) {
	return symbol % hook.Sites, symbol&hook.Fold == 0
}

// Unstable finds where two paths of the same case part: the first symbol of a
// that b does not have in its place or, if a has ended there, that of b.
// Nothing is found if they are the same.
func Unstable(a, b []uint32) (symbol uint32, at int, found bool) {
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	switch {
	case at < len(a):
		return a[at], at, true
	case at < len(b):
		return b[at], at, true
	}
	return 0, at, false
}
