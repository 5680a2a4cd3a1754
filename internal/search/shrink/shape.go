//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	// hoistMax bounds how many inner subterms are tried in place of one subterm. Without
	// this limit the pass would take quadratic time on deep terms.
	hoistMax = 32
	// reuseMax is how many selections of the fields of a constructor are tried as fields
	// of another constructor: all fields, all without the first, and all without the
	// first two.
	reuseMax = 3
)

// edit replaces the subterm at pos by sub.
type edit struct {
	pos int
	sub term.Term
}

// rewrite returns t with the edits applied, in the memory of dst. The edits must be in
// order and must not overlap.
func rewrite(dst, t term.Term, edits []edit) term.Term {
	type opened struct{ end, out int }
	var open []opened
	dst = dst[:0]
	for i := 0; i < len(t); {
		switch {
		case len(edits) > 0 && edits[0].pos == i:
			dst = append(dst, edits[0].sub...)
			i, edits = i+int(t[i].N), edits[1:]
		case t[i].C == term.Raw:
			dst = append(dst, t.Sub(i)...)
			i += int(t[i].N)
		default:
			open = append(open, opened{i + int(t[i].N), len(dst)})
			dst = append(dst, t[i])
			i++
		}
		for n := len(open) - 1; n >= 0 && open[n].end == i; n-- {
			dst[open[n].out].N = uint32(len(dst) - open[n].out)
			open = open[:n]
		}
	}
	return dst
}

// rewrite applies edits to the best term and tries the result.
func (s *shrinker) rewrite(edits []edit) bool {
	s.scratch = rewrite(s.scratch, s.best, edits)
	return s.try(s.scratch)
}

// leastRuns replaces subterms of about the same size by the minimal terms of their
// schemas: first all of them at once, then half of them, and so on. Large subterms come
// first.
func (s *shrinker) leastRuns() {
	for size := len(s.best); size > 0 && !s.spent(); size /= 2 {
		edits := s.leastEdits(size)
		for many := len(edits); many > 0 && !s.spent(); many = min(many/2, len(edits)) {
			for from := 0; from < len(edits) && !s.spent(); {
				if s.rewrite(edits[from:min(from+many, len(edits))]) {
					s.moved = false
					edits = s.leastEdits(size) // the subterms just replaced are no longer in the list
				} else {
					from += many
				}
			}
		}
	}
}

// leastEdits returns edits for the subterms of size/2 to size units that are not minimal
// yet. A subterm inside another one of the list is left out.
func (s *shrinker) leastEdits(size int) (edits []edit) {
	for i := 0; i < len(s.best); {
		n := int(s.best[i].N)
		if least := s.at(i).Least; n <= size && n > size/2 && !term.Equal(least, s.best.Sub(i)) {
			edits = append(edits, edit{i, least})
			i += n
		} else {
			i = after(s.best, i)
		}
	}
	return edits
}

// leastEach replaces subterms by minimal terms one by one, including subterms inside
// others of about the same size.
func (s *shrinker) leastEach() {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if least := s.at(i).Least; s.at(i).Kind != schema.Scalar && !term.Equal(least, s.best.Sub(i)) {
			s.replace(i, least)
		}
	}
}

// cuts shortens long branches as drops shortens lists. It replaces a subterm by an inner
// subterm of the same schema, or by one that a builder of the same type makes (see sameCall).
// At first the inner one must be smaller by half the size of the whole term, then by a
// quarter, and so on.
func (s *shrinker) cuts() {
	for size := len(s.best) / 2; size > 0 && !s.spent(); size /= 2 {
		s.cutsOf(size)
	}
}

func (s *shrinker) cutsOf(size int) {
	failed := 0 // where the last unsuccessful cut ended
	for i := 0; i < len(s.best) && !s.spent(); {
		end := i + int(s.best[i].N)
		if end-i <= size || i < failed && failed < end {
			i = after(s.best, i) // a cut from here would remove mostly the same nodes
			continue
		}
		inner := s.inner(i, end-i-size)
		switch {
		case inner < 0:
			i = after(s.best, i)
		case !s.replace(i, s.hoisted(i, inner)):
			failed = inner
			i = after(s.best, i)
		case s.moved:
			i = s.next(i)
		}
	}
}

// inner returns the position of the largest subterm inside the one at pos that can replace
// it and has at most size units, or -1 if there is none.
func (s *shrinker) inner(pos, size int) int {
	found, largest := -1, 0
	for i, end := after(s.best, pos), pos+int(s.best[pos].N); i < end; i = after(s.best, i) {
		if n := int(s.best[i].N); n <= size && n > largest && s.mayHoist(pos, i) {
			found, largest = i, n
		}
	}
	return found
}

// mayHoist reports whether the subterm at from can replace the one at pos. A nil is not
// moved, because an interface that has variants must not become nil; see
// schema.Schema.First.
func (s *shrinker) mayHoist(pos, from int) bool {
	sc := s.at(from)
	if s.best[pos].S != s.best[from].S {
		return s.sameCall(pos, from) >= 0
	}
	return sc.Kind != schema.Interface || int(s.best[from].C) >= sc.First()
}

// hoisted returns the subterm at from, as a term that can replace the one at pos.
func (s *shrinker) hoisted(pos, from int) term.Term {
	sub := s.best.Sub(from)
	if c := s.sameCall(pos, from); c >= 0 {
		sub = slices.Clone(sub)
		sub[0].S, sub[0].C = s.best[pos].S, uint16(c)
	}
	return sub
}

// sameCall returns the constructor of the schema at pos that calls the same builder as the
// subterm at from, or -1. One of the two is a value of a type, and the other one a pointer to
// such a value: *New(1) can replace func() T { v := New(1); v.Set(2); return *v }().
func (s *shrinker) sameCall(pos, from int) int {
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
func (s *shrinker) hoists() {
	for i := 0; i < len(s.best) && !s.spent(); {
		if !s.hoist(i) || s.moved {
			i = s.next(i)
		}
	}
}

func (s *shrinker) hoist(pos int) bool {
	tried := 0
	for i, end := after(s.best, pos), pos+int(s.best[pos].N); i < end && tried < hoistMax; i = after(s.best, i) {
		if !s.mayHoist(pos, i) {
			continue
		}
		if tried++; s.replace(pos, s.hoisted(pos, i)) {
			return true
		}
	}
	return false
}

// ctors tries other constructors in place of the current one, first with as many of the
// current fields as fit, then with none of them.
func (s *shrinker) ctors() {
	for i := 0; i < len(s.best) && !s.spent(); {
		if !s.ctorsAt(i) || s.moved {
			i = s.next(i)
		}
	}
}

func (s *shrinker) ctorsAt(pos int) bool {
	sc := s.at(pos)
	if sc.Kind != schema.Interface && sc.Kind != schema.Made && sc.Kind != schema.Rule || int(s.best[pos].C) < sc.First() {
		return false
	}
	for c := sc.First(); c < len(sc.Ctors); c++ {
		kids := s.kids(pos)
		for skip := range min(reuseMax, len(kids)) {
			if s.replace(pos, s.remade(sc, c, kids[skip:])) {
				return true
			}
		}
		if s.replace(pos, s.remade(sc, c, nil)) {
			return true
		}
	}
	return false
}

func (s *shrinker) kids(pos int) (kids []term.Term) {
	for k := range s.best.Kids(pos) {
		kids = append(kids, s.best.Sub(k))
	}
	return kids
}

// remade returns constructor c applied to the given fields where their schemas fit,
// each used once, and to minimal terms for the other fields.
func (s *shrinker) remade(sc *schema.Schema, c int, fields []term.Term) term.Term {
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
