//go:build go1.25

package shrink

import "github.com/allele-go/allele/internal/value/term"

// scopeUnits is the maximum size, in units of package term, of a subterm whose
// alternatives are counted. Above this size even the simplest recursive type has more
// alternatives than would be tried.
const scopeUnits = 40

// smallTrees tries all terms that are not larger than a subterm in its place, if there are
// few of them. The reason is that a small tree can be stuck in a shape that no
// single step makes simpler. Only trees of recursive types can be stuck, so other
// subterms are skipped. The terms contain only numbers and texts that occur in the
// subterm, and the simplest ones.
func smallTrees(s *shrinker) {
	cyclic := s.world.Cyclic()
	left := scopeMax
	for i := 0; i < len(s.best) && !s.spent(); {
		sub := s.best.Sub(i)
		if !cyclic[sub[0].S] || len(sub) > scopeUnits {
			i = s.next(i)
			continue
		}
		e := newScope(s.world, sub)
		total := e.total(sub)
		if total > left {
			i = s.next(i)
			continue
		}
		left -= total
		switch {
		case !searchScope(s, e, i):
			i += int(s.best[i].N)
		case s.moved:
			i = s.next(i)
		}
	}
}

// searchScope tries the terms of a scope in place of the subterm at pos, and reports whether
// one of them led to a new best term.
func searchScope(s *shrinker, e *scope, pos int) bool {
	sc := s.at(pos)
	for n := 1; n <= weigh(s.world, s.best.Sub(pos)).nodes; n++ {
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
