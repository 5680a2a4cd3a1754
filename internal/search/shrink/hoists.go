//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// hoistMax bounds how many inner subterms are tried in place of one subterm. Without
// this limit the pass would take quadratic time on deep terms.
const hoistMax = 32

// cuts shortens long branches as drops shortens lists. It replaces a subterm by an inner
// subterm of the same schema, or by one that a builder of the same type makes (see sameCall).
// At first the inner one must be smaller by half the size of the whole term, then by a
// quarter, and so on.
func cuts(s *shrinker) {
	for size := len(s.best) / 2; size > 0 && !s.spent(); size /= 2 {
		cutsOf(s, size)
	}
}

func cutsOf(s *shrinker, size int) {
	failed := 0 // where the last unsuccessful cut ended
	for i := 0; i < len(s.best) && !s.spent(); {
		end := i + int(s.best[i].N)
		if end-i <= size || i < failed && failed < end {
			i = after(s.best, i) // a cut from here would remove mostly the same nodes
			continue
		}
		inner := largestInside(s, i, end-i-size)
		switch {
		case inner < 0:
			i = after(s.best, i)
		case !s.replace(i, hoisted(s, i, inner)):
			failed = inner
			i = after(s.best, i)
		case s.moved:
			i = s.next(i)
		}
	}
}

// largestInside returns the position of the largest subterm inside the one at pos that can replace
// it and has at most size units, or -1 if there is none.
func largestInside(s *shrinker, pos, size int) int {
	found, largest := -1, 0
	for i, end := after(s.best, pos), pos+int(s.best[pos].N); i < end; i = after(s.best, i) {
		if n := int(s.best[i].N); n <= size && n > largest && mayHoist(s, pos, i) {
			found, largest = i, n
		}
	}
	return found
}

// mayHoist reports whether the subterm at from can replace the one at pos. A nil is not
// moved, because an interface that has variants must not become nil; see
// schema.Schema.First.
func mayHoist(s *shrinker, pos, from int) bool {
	sc := s.at(from)
	if s.best[pos].S != s.best[from].S {
		return sameCall(s, pos, from) >= 0
	}
	return sc.Kind != schema.Interface || int(s.best[from].C) >= sc.First()
}

// hoisted returns the subterm at from, as a term that can replace the one at pos.
func hoisted(s *shrinker, pos, from int) term.Term {
	sub := s.best.Sub(from)
	if c := sameCall(s, pos, from); c >= 0 {
		sub = slices.Clone(sub)
		sub[0].S, sub[0].C = s.best[pos].S, uint16(c)
	}
	return sub
}

// sameCall returns the constructor of the schema at pos that calls the same builder as the
// subterm at from, or -1. One of the two is a value of a type, and the other one a pointer to
// such a value: *New(1) can replace func() T { v := New(1); v.Set(2); return *v }().
func sameCall(s *shrinker, pos, from int) int {
	to, of := s.at(pos), s.at(from)
	if to.Kind != schema.Made || of.Kind != schema.Made || to == of {
		return -1
	}
	call := of.Ctors[s.best[from].C]
	for c := to.First(); c < len(to.Ctors); c++ {
		same := func(a, b schema.Field) bool { return a.S == b.S }
		if to.Ctors[c].Func.Same(call.Func) && slices.EqualFunc(to.Ctors[c].Fields, call.Fields, same) {
			return c
		}
	}
	return -1
}

// hoists replaces subterms by subterms inside them, one by one.
func hoists(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); {
		if !hoist(s, i) || s.moved {
			i = s.next(i)
		}
	}
}

func hoist(s *shrinker, pos int) bool {
	tried := 0
	for i, end := after(s.best, pos), pos+int(s.best[pos].N); i < end && tried < hoistMax; i = after(s.best, i) {
		if !mayHoist(s, pos, i) {
			continue
		}
		if tried++; s.replace(pos, hoisted(s, pos, i)) {
			return true
		}
	}
	return false
}
