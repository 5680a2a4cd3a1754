// Package shrink makes a failing input as simple as it can, one run at a time.
//
// A counterexample found by chance is mostly noise. Here a term is changed in
// every way that makes it simpler, and whatever still fails takes its place,
// until nothing simpler fails any more:
//
//	least, runs := shrink.Minimise(shrink.Config{World: w, Fails: fails}, t)
//
// The one idea is an order on terms (order.go): fewer nodes first, then fewer
// bytes, then simpler values, those near the front first. A candidate is run
// only if it is below the best term so far, and never twice. So whatever the
// passes propose, shrinking goes down and ends, and a pass is free to be
// clever: it cannot do harm, only waste runs.
//
// A pass is a way to propose candidates. Those that can throw away much come
// first; those that look at pairs of numbers come last, when few are left.
// There is no randomness and no clock: the same failure shrinks the same way.
package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Config is what to shrink with. World and Fails are needed.
type Config struct {
	World *schema.World

	// Fails runs the property and reports whether the term still fails in the
	// same way. It must not keep the term. Only the outcome of a term that does
	// not depend on earlier runs makes sense here: a term is tried once.
	Fails func(term.Term) bool

	RunsMax int         // at most so many runs; 0 means RunsMax
	Stop    func() bool // asked before every run; nil for never
}

// RunsMax is how many runs shrinking takes at most unless told otherwise. The
// public challenges took 374 at most, from 300 seeds each, and a needle in 10^5
// nodes about a hundred. Of terms of some 10^4 nodes of which thousands matter,
// most of the rest is gone after 3,000 and the remainder falls slowly.
const RunsMax = 10_000

const (
	// idleFirst is how many runs in a row without success a pass may take before
	// it makes way for the next one; where every part of a large term is needed,
	// the first pass would spend everything otherwise. It doubles when a round
	// was cut short by it. A fixed bound of 500 left the texts of large terms long.
	idleFirst = 50
	// wastePerRun bounds the units of candidates that are built but not run, as
	// they are known or not simpler: about 0.1 ms for each run allowed. In a
	// long list of equal elements nearly all candidates are known.
	wastePerRun = 20_000
)

// Minimise returns the simplest term it could find that still fails, t itself
// if there is none, and how many runs that took. t must be a failing term of
// the root of the world; it is not changed.
func Minimise(c Config, t term.Term) (least term.Term, runs int) {
	s := newShrinker(c, t)
	for s.round() {
	}
	return s.best, s.runs
}

// passes lists all ways to make a term simpler, those that take big steps first.
var passes = []struct {
	name string
	run  func(*shrinker)
}{
	{"replace runs of subterms by the least ones", (*shrinker).leastRuns},
	{"cut a long stretch out of a branch", (*shrinker).cuts},
	{"drop runs of elements", (*shrinker).drops},
	{"replace one subterm by the least one", (*shrinker).leastEach},
	{"replace a subterm by one inside it", (*shrinker).hoists},
	{"join neighbouring lists", (*shrinker).joins},
	{"drop an element and renumber", (*shrinker).renumbers},
	{"use a simpler constructor", (*shrinker).ctors},
	{"shorten and simplify texts", (*shrinker).texts},
	{"simplify each number", (*shrinker).numbers},
	{"simplify equal numbers together", (*shrinker).groups},
	{"move numbers by the same distance", (*shrinker).slides},
	{"swap neighbours", (*shrinker).swaps},
	{"try all small trees", (*shrinker).scopes},
}

// shrinker holds the best term so far and what was tried.
type shrinker struct {
	world   *schema.World
	fails   func(term.Term) bool
	stop    func() bool
	runsMax int
	idleMax int
	maps    bool // there are maps, whose entries must stay sorted

	best    term.Term
	weight  weight // of best
	seen    map[uint64]struct{}
	runs    int
	wasted  int // units of candidates not run
	idle    int // runs since the last success in this pass
	stopped bool
	moved   bool // a map was sorted anew, so positions a pass remembers are void

	scratch term.Term
}

func newShrinker(c Config, t term.Term) *shrinker {
	s := &shrinker{world: c.World, fails: c.Fails, stop: c.Stop, runsMax: c.RunsMax, idleMax: idleFirst, seen: map[uint64]struct{}{}}
	if s.runsMax <= 0 {
		s.runsMax = RunsMax
	}
	for _, sc := range c.World.Schemas {
		s.maps = s.maps || sc.Kind == schema.Map
	}
	s.adopt(t)
	return s
}

func (s *shrinker) adopt(t term.Term) {
	s.best, s.weight, s.idle = t.Clone(), weigh(t), 0
}

// round runs every pass once and reports whether another round may help. A
// pass that gave up gets further next time, as known candidates cost no runs.
func (s *shrinker) round() bool {
	before, cut := s.best, false
	for _, p := range passes {
		s.idle, s.moved = 0, false
		p.run(s)
		cut = cut || s.idle >= s.idleMax
	}
	if cut {
		s.idleMax *= 2
	}
	s.idle, s.moved = 0, false
	improved := &before[0] != &s.best[0]
	return !s.spent() && (improved || cut)
}

// spent reports whether the pass must end, or whatever in it holds positions.
func (s *shrinker) spent() bool {
	return s.stopped || s.moved || s.idle >= s.idleMax || s.runs >= s.runsMax || s.wasted >= s.runsMax*wastePerRun
}

// try runs a candidate if it is simpler than the best term and new. If it
// fails as well it is the best term from now on.
func (s *shrinker) try(t term.Term) bool {
	if s.spent() {
		return false
	}
	t, sorted := s.mend(t)
	if !s.simpler(t) || !s.isNew(t) {
		s.wasted += len(t)
		return false
	}
	if s.stop != nil && s.stop() {
		s.stopped = true
		return false
	}
	s.runs++
	s.idle++
	if !s.fails(t) {
		return false
	}
	s.adopt(t)
	s.moved = sorted
	return true
}

func (s *shrinker) isNew(t term.Term) bool {
	h := term.Hash(t)
	_, known := s.seen[h]
	s.seen[h] = struct{}{}
	return !known
}

// replace tries the best term with another subterm at pos.
func (s *shrinker) replace(pos int, sub term.Term) bool {
	s.scratch = term.Replace(s.scratch, s.best, pos, sub)
	return s.try(s.scratch)
}

// at is the schema of a node of the best term.
func (s *shrinker) at(pos int) *schema.Schema { return s.world.Of(s.best[pos]) }

// next is the position of the node that follows pos in the best term. It also
// ends the trouble after a map was sorted: pos may lie inside a text then, and
// the first node behind it is found by walking there.
func (s *shrinker) next(pos int) int {
	if !s.moved {
		return after(s.best, pos)
	}
	s.moved = false
	i := 0
	for i <= pos && i < len(s.best) {
		i = after(s.best, i)
	}
	return i
}

// after is the position of the node that follows pos in preorder.
func after(t term.Term, pos int) int {
	if t[pos].C == term.Raw {
		return pos + int(t[pos].N)
	}
	return pos + 1
}
