//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// appendFills appends the fills for s: the terms that a new field or element of s
// can get. The first fill is the least term. If kind Filled is enabled, there are
// more: all values of an enum, or otherwise a sample and values near the scalars of
// the parent. They are needed, for example, to grow a search tree: if all new keys
// were zero, the tree would soon be out of order.
func appendFills(items []term.Term, f *frame, s *schema.Schema) []term.Term {
	from := len(items)
	items = append(items, s.Least)
	if !f.enabled(Filled) || rigid(s) {
		return items
	}
	add := func(t term.Term) {
		if indexOf(items[from:], t) < 0 {
			items = append(items, t)
		}
	}
	switch {
	case s.Kind == schema.Choice:
		for c := range s.Ctors {
			add(f.mem.ctor(s, c))
		}
	case isEnum(s):
		eachEnum(s, func(x uint64) { add(f.mem.node(s, x)) })
	default:
		r := f.random(uint64(s.ID) + 1)
		if s.IsScalar() {
			add(f.mem.keep(f.scene.sampler.append(f.mem.units, &r, s)))
		}
		for range f.scene.config.NeighboursMax {
			add(varied(f, &r, s))
		}
	}
	return items
}

// fillsMax returns a bound for the number of fills for s.
func fillsMax(f *frame, s *schema.Schema) int {
	switch {
	case !f.enabled(Filled) || rigid(s):
		return 1
	case s.Kind == schema.Choice:
		return 1 + len(s.Ctors)
	case isEnum(s):
		return 1 + max(2, len(s.Consts))
	case s.IsScalar():
		return 2 + f.scene.config.NeighboursMax
	}
	return 1 + f.scene.config.NeighboursMax
}

// fillKind returns the kind of a mutant that contains the given fill. It is Pure for
// the first fill, which is the least term.
func fillKind(which int) Kind {
	if which > 0 {
		return Filled
	}
	return Pure
}

// varied makes a copy of the least term of s, with other scalars in it.
func varied(f *frame, r *rng.Rand, s *schema.Schema) term.Term {
	return f.mem.keep(appendVaried(f.mem.units, f.scene, r, s.Least, 0))
}

func appendVaried(out term.Term, sc *scene, r *rng.Rand, least term.Term, at int) term.Term {
	s, n := sc.parent.world.Of(least[at]), least[at]
	switch {
	case s.IsScalar():
		return appendNear(out, sc, r, s)
	case s.Kind == schema.Choice:
		n.C = uint16(r.Below(len(s.Ctors)))
		return append(out, n)
	}
	from := len(out)
	out = append(out, n)
	for k := range least.Kids(at) {
		out = appendVaried(out, sc, r, least, k)
	}
	out[from].N = uint32(len(out) - from)
	return out
}

// appendNear appends a random scalar. For an enum it is any of its values. Otherwise
// it is a scalar of the parent that has the same schema, or a neighbour of such a
// scalar, or a sample if the parent has none.
func appendNear(out term.Term, sc *scene, r *rng.Rand, s *schema.Schema) term.Term {
	if isEnum(s) {
		if len(s.Consts) == 0 {
			return append(out, term.Node{S: s.ID, N: 1, X: r.Uint64() >> 63})
		}
		if x := s.Consts[r.Below(len(s.Consts))]; s.In(x) {
			return append(out, term.Node{S: s.ID, N: 1, X: x})
		}
		return append(out, s.Least...)
	}
	near := sc.parent.someScalar(r, s)
	if near == nil {
		return sc.sampler.append(out, r, s)
	}
	if s.Kind != schema.Scalar {
		return append(out, near...)
	}
	n := near[0]
	if x, ok := beside(s, n.X, r.Below(3)-1); ok {
		n.X = x
	}
	return append(out, n)
}
