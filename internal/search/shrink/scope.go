package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// scopeUnits bounds the size of subterms whose alternatives are counted. Above this
// size even the simplest recursive type has more alternatives than would be tried.
const scopeUnits = 40

// scopeMax bounds the terms tried in one round. For a binary tree of four nodes with
// two different numbers there are 275 terms that are not larger.
const scopeMax = 500

// tooMany is where counting stops.
const tooMany = scopeMax + 1

// scopes tries all smaller terms in place of a subterm if there are few: a small tree
// can be stuck in a shape that no single step makes simpler. The numbers and texts in
// the terms tried are those of the subterm and the simplest ones. Only recursive types
// have such shapes.
func (s *shrinker) scopes() {
	cyclic := s.world.Cyclic()
	left := scopeMax
	for i := 0; i < len(s.best) && !s.spent(); {
		sub := s.best.Sub(i)
		if !cyclic[sub[0].S] || len(sub) > scopeUnits {
			i = s.next(i)
			continue
		}
		e := s.newScope(sub)
		total := e.total(sub)
		if total > left {
			i = s.next(i)
			continue
		}
		left -= total
		switch {
		case !e.search(i):
			i += int(s.best[i].N)
		case s.moved:
			i = s.next(i)
		}
	}
}

// scope counts and lists all terms up to a size whose leaves come from one term.
type scope struct {
	s      *shrinker
	leaves map[uint16][]term.Term // by schema
	counts map[place]int          // how many terms there are, at most tooMany
}

// place is a schema, or the fields of a constructor starting at field, with the number
// of nodes that they must have.
type place struct {
	id, ctor uint16
	field    int // -1 for the whole term
	nodes    int
}

func (s *shrinker) newScope(t term.Term) *scope {
	e := &scope{s: s, leaves: map[uint16][]term.Term{}, counts: map[place]int{}}
	for i := 0; i < len(t); i = after(t, i) {
		if isLeaf(s.world.Of(t[i])) {
			e.addLeaf(t.Sub(i))
		}
	}
	for _, sc := range s.world.Schemas {
		if isLeaf(sc) {
			e.addLeaf(sc.Least)
		}
	}
	return e
}

// isLeaf reports whether terms of sc are used as a whole. Maps are, because new
// entries would have to be sorted.
func isLeaf(sc *schema.Schema) bool {
	return sc.IsScalar() || sc.Kind == schema.Choice || sc.Kind == schema.Map
}

func (e *scope) addLeaf(t term.Term) {
	known := e.leaves[t[0].S]
	if !slices.ContainsFunc(known, func(k term.Term) bool { return term.Equal(k, t) }) {
		e.leaves[t[0].S] = append(known, t)
	}
}

// total returns how many terms there are with no more nodes than t.
func (e *scope) total(t term.Term) (total int) {
	for n := 1; n <= weigh(t).nodes; n++ {
		total += e.count(e.s.world.Of(t[0]), n)
	}
	return total
}

// search tries the terms in place of the subterm at pos, and reports whether one of
// them gave a new best term.
func (e *scope) search(pos int) bool {
	s, sc := e.s, e.s.at(pos)
	for n := 1; n <= weigh(s.best.Sub(pos)).nodes; n++ {
		found := false
		e.each(sc, n, nil, func(t term.Term) bool {
			found = s.replace(pos, t)
			return !found && !s.spent()
		})
		if found || s.spent() {
			return found
		}
	}
	return false
}
