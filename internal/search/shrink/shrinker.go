//go:build go1.25

package shrink

import (
	"cmp"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// shrinker holds the best term so far and what was tried. Passes propose candidates to it.
type shrinker struct {
	world  *schema.World
	maps   bool // the world has maps, whose entries must stay sorted
	fails  func(term.Term) bool
	budget budget

	best    term.Term
	weight  weight // weight of best
	broken  int    // how many struct tags best breaks; see repair
	seen    map[uint64]struct{}
	moved   bool // a map was sorted again, so positions that a pass remembers are invalid
	scratch term.Term
}

func newShrinker(c Config, t term.Term) *shrinker {
	s := &shrinker{world: c.World, fails: c.Fails, budget: newBudget(c), seen: map[uint64]struct{}{}}
	for _, sc := range c.World.Schemas {
		s.maps = s.maps || sc.Kind == schema.Map
	}
	s.adopt(t)
	return s
}

func (s *shrinker) adopt(t term.Term) {
	s.best, s.weight, s.budget.idle = t.Clone(), weigh(s.world, t), 0
	s.broken = s.world.Broken(t)
}

// spent reports whether the current loop of a pass must end: because a limit is reached,
// or because a map was sorted and the positions that the loop uses are invalid.
func (s *shrinker) spent() bool { return s.moved || s.budget.spent() }

// try runs a candidate if it is new and simpler than the best term. If the candidate
// fails, it becomes the best term. try reports whether it did.
func (s *shrinker) try(t term.Term) bool {
	if s.spent() {
		return false
	}
	t, sorted := s.sortMaps(t)
	if !s.simpler(t) || !s.isNew(t) || s.world.Tagged() && s.world.Broken(t) > s.broken {
		s.budget.wasted += len(t)
		return false
	}
	if !s.budget.begin() || !s.fails(t) {
		return false
	}
	s.adopt(t)
	s.moved = sorted
	return true
}

// tryFixed runs a term, and adopts it if it fails and breaks fewer tags than the best term.
func (s *shrinker) tryFixed(t term.Term) bool {
	t, _ = s.sortMaps(t)
	if s.world.Broken(t) >= s.broken || !s.isNew(t) || !s.budget.begin() || !s.fails(t) {
		return false
	}
	s.adopt(t)
	return true
}

// sortMaps sorts the maps in a candidate again, and reports whether there was anything to sort.
func (s *shrinker) sortMaps(t term.Term) (result term.Term, sorted bool) {
	if !s.maps {
		return t, false
	}
	return sortMaps(s.world, t)
}

// simpler reports whether t is below the best term in the order of terms.
func (s *shrinker) simpler(t term.Term) bool {
	return cmp.Or(weigh(s.world, t).compare(s.weight), compareNodes(s.world, t, s.best)) < 0
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

// rewrite applies edits to the best term and tries the result.
func (s *shrinker) rewrite(edits []edit) bool {
	s.scratch = rewrite(s.scratch, s.best, edits)
	return s.try(s.scratch)
}

// at returns the schema of a node of the best term.
func (s *shrinker) at(pos int) *schema.Schema { return s.world.Of(s.best[pos]) }

// kids returns the fields or elements of the node at pos.
func (s *shrinker) kids(pos int) (kids []term.Term) {
	for k := range s.best.Kids(pos) {
		kids = append(kids, s.best.Sub(k))
	}
	return kids
}

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
