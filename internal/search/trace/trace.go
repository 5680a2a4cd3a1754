//go:build go1.25

// Package trace reads what a run of rewritten code has recorded in package hook. A
// Recorder is called before and after each run:
//
//	rec.Begin(hitsMax)
//	...             // the property runs
//	run := rec.End()
//
// A path is a list of symbols. The low bits of a symbol are the site, the bits above are
// its kind. In a run with goroutines, probes may have overwritten each other's symbols.
// So such a run is recorded as a set of sites instead, in rising order and without kinds.
package trace

import (
	"iter"
	"runtime"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/outside"
)

// Recorder records one run after the other. The zero value is ready to use.
type Recorder struct {
	// Sites is how many sites the program has. It bounds the search for the sites
	// that a run with goroutines reached. 0 stands for the maximum, hook.Sites; then
	// the search takes a millisecond.
	Sites int

	symbols []uint32
	quiet   int  // number of goroutines between runs
	leaked  bool // a goroutine that a run started is still alive
}

// Run is the trace of a run: a path or a set of sites. Symbols is valid until the next
// End.
type Run struct {
	Symbols []uint32
	Set     bool  // Symbols are sites in rising order, not a path
	Outside bool  // Symbols are a set of places in other programs, with buckets of their hit counts
	Hits    int64 // number of hits; approximate if Set is true
	Early   bool  // the property returned before its end, as it does if a parser does not accept the input
	Long    bool  // the run took so many steps that its input should not be changed to make more inputs
}

// Begin starts to record a run that may make at most the given number of hits.
func (r *Recorder) Begin(hits int64) {
	// While a goroutine of an earlier run is alive, it may hit probes in this run. Then
	// the old number of goroutines is kept, so that End notices that goroutine.
	if n := runtime.NumGoroutine(); !r.leaked || n <= r.quiet {
		r.quiet, r.leaked = n, false
	}
	hook.Reset(hits)
	outside.Begin()
}

// End returns the trace of the run. Goroutines that were started by code outside the
// rewritten packages are noticed only if they are still alive. Those that have ended
// unnoticed matter only if they called rewritten code.
func (r *Recorder) End() Run {
	if r.symbols = outside.End(r.symbols[:0]); len(r.symbols) > 0 {
		return Run{Symbols: r.symbols, Set: true, Outside: true, Hits: int64(len(r.symbols))}
	}
	more := runtime.NumGoroutine() > r.quiet
	for try := 0; more && try < yields && !started(); try++ {
		// A run may end its goroutine, and that goroutine may still be exiting: let it
		// exit.
		runtime.Gosched()
		more = runtime.NumGoroutine() > r.quiet
	}
	r.leaked = more && (r.leaked || started())
	run := Run{Set: more || started(), Hits: hook.Hits()}
	if run.Set {
		r.symbols = reached(r.symbols[:0], r.Sites)
	} else {
		r.symbols = hook.Path(r.symbols[:0])
		run.Early = endsEarly(r.symbols)
	}
	run.Symbols = r.symbols
	return run
}

// endsEarly reports whether the last probe of a path was at a return of the property before its end.
func endsEarly(path []uint32) bool {
	n := len(path)
	return n > 0 && path[n-1]&(hook.Early|hook.Fold) == hook.Early
}

// Before returns what was reached before the first Begin. It is a set if the probes
// of the program record one, because initialisers may have started goroutines.
func (r *Recorder) Before() Run {
	run := Run{Symbols: reached(nil, r.Sites), Hits: hook.Hits()}
	if run.Set = len(run.Symbols) > 0; !run.Set {
		run.Symbols = hook.Path(nil)
	}
	return run
}

// yields is how often End yields, so that a goroutine that is about to exit can do so.
const yields = 3

//go:norace
func started() bool { return hook.Spawned != 0 }

// reached appends the sites of the run. Goroutines may still be storing to Set. That
// is harmless, because all of them store the same number, the epoch.
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

// Coarse returns the functions and clauses of a run, each perhaps several times. Of a set it returns all sites.
func (r Run) Coarse() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, symbol := range r.Symbols {
			id, ok := Site(symbol)
			if ok && (r.Set || symbol&hook.Coarse != 0) && !yield(id) {
				return
			}
		}
	}
}

// Site returns the site of a symbol. A Fold symbol has none.
func Site(symbol uint32) (site uint32, ok bool) {
	return symbol % hook.Sites, symbol&hook.Fold == 0
}

// Unstable finds where two paths of the same case diverge. It returns the first
// symbol of a that b does not have at the same index or, if a ends there, the symbol
// of b. found is false if the paths are equal.
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
