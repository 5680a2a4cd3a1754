//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// scopeUnits is the maximum size, in units of package term, of a subterm whose
// alternatives are counted. Above this size even the simplest recursive type has more
// alternatives than would be tried.
const scopeUnits = 40

// scopeMax is the maximum number of terms that scopes tries in one round. For example,
// there are 275 terms that are not larger than a binary tree of four nodes with two
// different numbers.
const scopeMax = 500

// tooMany stands for all counts above scopeMax: counting stops there.
const tooMany = scopeMax + 1

// If there are few terms that are not larger than a subterm, scopes tries all of them in
// place of the subterm. The reason is that a small tree can be stuck in a shape that no
// single step makes simpler. Only trees of recursive types can be stuck, so other
// subterms are skipped. The terms contain only numbers and texts that occur in the
// subterm, and the simplest ones.
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

// scope counts and lists all terms up to a size. Their leaves come from one given term,
// or are the simplest ones.
type scope struct {
	s      *shrinker
	leaves map[uint16][]term.Term // by schema
	counts map[place]int          // how many terms there are, at most tooMany
}

// place is the key of a count. What is counted has the given number of nodes in total:
// terms of a schema, lists of elements of a slice, or ways to fill the fields of a constructor,
// beginning with the field that has index field.
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

// isLeaf reports whether terms of sc are only used as a whole. Maps are leaves, because
// new entries would have to be sorted.
func isLeaf(sc *schema.Schema) bool {
	return sc.IsScalar() || sc.Kind == schema.Choice || sc.Kind == schema.Map
}

func (e *scope) addLeaf(t term.Term) {
	known := e.leaves[t[0].S]
	if !slices.ContainsFunc(known, func(k term.Term) bool { return term.Equal(k, t) }) {
		e.leaves[t[0].S] = append(known, t)
	}
}

// total returns how many terms of the schema of t have no more nodes than t.
func (e *scope) total(t term.Term) (total int) {
	for n := 1; n <= weigh(t).nodes; n++ {
		total += e.count(e.s.world.Of(t[0]), n)
	}
	return total
}

// search tries the terms in place of the subterm at pos, and reports whether one of them
// led to a new best term.
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
