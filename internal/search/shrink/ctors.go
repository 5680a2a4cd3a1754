//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// reuseMax is how many selections of the fields of a constructor are tried as fields
// of another constructor: all fields, all without the first, and all without the
// first two.
const reuseMax = 3

// ctors tries other constructors in place of the current one, first with as many of the
// current fields as fit, then with none of them.
func ctors(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); {
		if !ctorsAt(s, i) || s.moved {
			i = s.next(i)
		}
	}
}

func ctorsAt(s *shrinker, pos int) bool {
	sc := s.at(pos)
	if sc.Kind != schema.Interface && sc.Kind != schema.Made && sc.Kind != schema.Rule || int(s.best[pos].C) < sc.First() {
		return false
	}
	for c := sc.First(); c < len(sc.Ctors); c++ {
		kids := s.kids(pos)
		for skip := range min(reuseMax, len(kids)) {
			if s.replace(pos, remade(sc, c, kids[skip:])) {
				return true
			}
		}
		if s.replace(pos, remade(sc, c, nil)) {
			return true
		}
	}
	return false
}

// remade returns constructor c applied to the given fields where their schemas fit,
// each used once, and to minimal terms for the other fields.
func remade(sc *schema.Schema, c int, fields []term.Term) term.Term {
	t := term.Term{{S: sc.ID, C: uint16(c)}}
	used := make([]bool, len(fields))
	for _, want := range sc.Ctors[c].Fields {
		sub := want.S.Least
		for i, f := range fields {
			if !used[i] && f[0].S == want.S.ID {
				used[i], sub = true, f
				break
			}
		}
		t = append(t, sub...)
	}
	t[0].N = uint32(len(t))
	return t
}
