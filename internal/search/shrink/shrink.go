//go:build go1.25

// Package shrink minimises a failing input, one run at a time.
//
// Most of a counterexample found by chance does not matter for the failure. This
// package tries simpler terms in place of the failing one. A simpler term that still
// fails becomes the new term, until no simpler candidate fails:
//
//	least, runs := shrink.Minimise(shrink.Config{World: w, Fails: fails}, t)
//
// The central idea is an order on terms (order.go): fewer nodes first, then fewer bytes,
// then simpler values; the first value that differs decides. A candidate is run only if
// it is below the best term so far, and never twice. So whatever candidates are proposed,
// shrinking descends in this order and ends. A bad candidate does no harm; it only wastes
// a run.
//
// A pass proposes candidates of one kind. Passes that can remove a lot come first;
// passes that look at pairs of numbers come last, when few numbers are left. There
// is no randomness and no clock: the same failure always shrinks in the same way.
package shrink

import "github.com/allele-go/allele/internal/value/term"

// Minimise returns the simplest failing term that it finds, or t itself if there is no
// simpler one, and the number of runs. t must be a failing term of the schema World.Root;
// it is not changed.
func Minimise(c Config, t term.Term) (least term.Term, runs int) {
	s := newShrinker(c, t)
	repair(s)
	for round(s, passes) {
	}
	return s.best, s.budget.runs
}

// pass proposes candidates of one kind.
type pass struct {
	name string
	run  func(*shrinker)
}

// passes lists all passes, those that take big steps first. A new pass is a function in a
// file of its own and a line here.
var passes = []pass{
	{"replace runs of subterms by minimal ones", leastRuns},
	{"cut a long stretch out of a branch", cuts},
	{"drop runs of elements", drops},
	{"replace one subterm by a minimal one", leastEach},
	{"replace a subterm by one inside it", hoists},
	{"join neighbouring lists", joins},
	{"drop an element and renumber", renumbers},
	{"use a simpler constructor", ctors},
	{"use constants in place of other texts", constants},
	{"shorten texts by brackets and separators", textGroups},
	{"drop lines of texts", textLines},
	{"shorten tokens of texts", textTokens},
	{"shorten and simplify texts", letters},
	{"make parts of long arrays zero", clearBlocks},
	{"simplify each number", eachNumber},
	{"simplify elements of long arrays", lowerBlocks},
	{"simplify equal numbers together", equalNumbers},
	{"move numbers by the same distance", slides},
	{"swap neighbours", swaps},
	{"try all small trees", smallTrees},
	{"drop two calls", callPairs},
	{"make fewer calls in another order", reorders},
}

// round runs every pass once and reports whether another round may help. A pass that
// ended early gets further next time, because known candidates cost no runs.
func round(s *shrinker, passes []pass) bool {
	before, endedEarly := s.best, false
	for _, p := range passes {
		s.budget.idle, s.moved = 0, false
		p.run(s)
		endedEarly = endedEarly || s.budget.isIdle()
	}
	if endedEarly {
		s.budget.idleMax *= 2
	}
	s.budget.idle, s.moved = 0, false
	improved := &before[0] != &s.best[0]
	return !s.spent() && (improved || endedEarly)
}
