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

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Config configures shrinking. World and Fails are required.
type Config struct {
	World *schema.World

	// Fails runs the property and reports whether the term still fails in the
	// same way. It must not retain the term. The outcome must not depend on earlier
	// runs, because each term is tried only once.
	Fails func(term.Term) bool

	RunsMax int         // maximum number of runs; 0 means the constant RunsMax
	Stop    func() bool // called before every run; true ends shrinking; nil means never
}

// RunsMax is the default maximum number of runs. The public challenges took 374 at most,
// from 300 seeds each, and a term with a single relevant node among 10^5 nodes took about
// a hundred. If a term has some 10^4 nodes and thousands of them matter, most other nodes
// are removed after 3,000 runs, and after that the term shrinks slowly.
const RunsMax = 10_000

const (
	// idleFirst is how many consecutive runs without success a pass may take before the
	// next pass starts. Without this limit, the first pass would spend all runs if every
	// part of a large term is needed. The limit doubles after a round in which it ended a
	// pass early; with a fixed limit of 500, the texts of large terms stayed long.
	idleFirst = 50
	// wastePerRun limits the work on candidates that are built but not run, because they
	// are known or not simpler. For each allowed run, such candidates may have this many
	// units of package term in total; the work on them takes about 0.1 ms. In a long list
	// of equal elements nearly all candidates are known.
	wastePerRun = 20_000
)

// Minimise returns the simplest failing term that it finds, or t itself if there is no
// simpler one, and the number of runs. t must be a failing term of the schema World.Root;
// it is not changed.
func Minimise(c Config, t term.Term) (least term.Term, runs int) {
	s := newShrinker(c, t)
	s.repair()
	for s.round() {
	}
	return s.best, s.runs
}

// pass proposes candidates of one kind.
type pass struct {
	name string
	run  func(*shrinker)
}

// passes lists all passes, those that take big steps first.
var passes = []pass{
	{"replace runs of subterms by minimal ones", (*shrinker).leastRuns},
	{"cut a long stretch out of a branch", (*shrinker).cuts},
	{"drop runs of elements", (*shrinker).drops},
	{"replace one subterm by a minimal one", (*shrinker).leastEach},
	{"replace a subterm by one inside it", (*shrinker).hoists},
	{"join neighbouring lists", (*shrinker).joins},
	{"drop an element and renumber", (*shrinker).renumbers},
	{"use a simpler constructor", (*shrinker).ctors},
	{"shorten texts by brackets and separators", (*shrinker).textGroups},
	{"drop lines of texts", (*shrinker).textLines},
	{"shorten tokens of texts", (*shrinker).textTokens},
	{"shorten and simplify texts", (*shrinker).texts},
	{"make parts of long arrays zero", (*shrinker).clearBlocks},
	{"simplify each number", (*shrinker).numbers},
	{"simplify elements of long arrays", (*shrinker).lowerBlocks},
	{"simplify equal numbers together", (*shrinker).groups},
	{"move numbers by the same distance", (*shrinker).slides},
	{"swap neighbours", (*shrinker).swaps},
	{"try all small trees", (*shrinker).scopes},
}

// shrinker holds the best term so far and what was tried.
type shrinker struct {
	world   *schema.World
	passes  []pass
	fails   func(term.Term) bool
	stop    func() bool
	runsMax int
	idleMax int
	maps    bool // the world has maps, whose entries must stay sorted

	best    term.Term
	weight  weight // weight of best
	seen    map[uint64]struct{}
	runs    int
	wasted  int // total size, in units, of candidates that were not run
	idle    int // runs since the last success in this pass
	stopped bool
	broken  int  // how many struct tags best breaks; see repair
	moved   bool // a map was sorted again, so positions that a pass remembers are invalid

	scratch term.Term
}

func newShrinker(c Config, t term.Term) *shrinker {
	s := &shrinker{
		world: c.World, passes: passes, fails: c.Fails, stop: c.Stop,
		runsMax: c.RunsMax, idleMax: idleFirst, seen: map[uint64]struct{}{},
	}
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
	s.broken = s.world.Broken(t)
}

// round runs every pass once and reports whether another round may help. A pass that
// ended early gets further next time, because known candidates cost no runs.
func (s *shrinker) round() bool {
	before, endedEarly := s.best, false
	for _, p := range s.passes {
		s.idle, s.moved = 0, false
		p.run(s)
		endedEarly = endedEarly || s.idle >= s.idleMax
	}
	if endedEarly {
		s.idleMax *= 2
	}
	s.idle, s.moved = 0, false
	improved := &before[0] != &s.best[0]
	return !s.spent() && (improved || endedEarly)
}

// spent reports whether the current loop of a pass must end: because a limit is reached,
// or because a map was sorted and the positions that the loop uses are invalid.
func (s *shrinker) spent() bool {
	return s.stopped || s.moved || s.idle >= s.idleMax || s.runs >= s.runsMax || s.wasted >= s.runsMax*wastePerRun
}

// try runs a candidate if it is new and simpler than the best term. If the candidate
// fails, it becomes the best term. try reports whether it did.
func (s *shrinker) try(t term.Term) bool {
	if s.spent() {
		return false
	}
	t, sorted := s.sortMaps(t)
	if !s.simpler(t) || !s.isNew(t) || s.world.Tagged() && s.world.Broken(t) > s.broken {
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

// replace tries the best term with sub in place of the subterm at pos.
func (s *shrinker) replace(pos int, sub term.Term) bool {
	s.scratch = term.Replace(s.scratch, s.best, pos, sub)
	return s.try(s.scratch)
}

// at returns the schema of a node of the best term.
func (s *shrinker) at(pos int) *schema.Schema { return s.world.Of(s.best[pos]) }

// next returns the position of the node that follows pos in the best term. If a map was
// sorted, pos may lie inside a text; then next walks from the start to the first node
// after pos and clears moved.
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

// after returns the position of the node that follows pos in preorder.
func after(t term.Term, pos int) int {
	if t[pos].C == term.Raw {
		return pos + int(t[pos].N)
	}
	return pos + 1
}
