package mutate

import (
	"reflect"
	"sync"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// fill adds the possible fills of a field of s to the items: the least term and,
// if kind Filled is enabled, all values of an enum, or a sample and values near
// the scalars of the parent. A search tree that only grows by zeros soon violates
// its order.
func (f *frame) fill(s *schema.Schema) {
	from := len(f.items)
	f.items = append(f.items, s.Least)
	if f.m.Kinds&Filled == 0 {
		return
	}
	add := func(t term.Term) {
		if indexOf(f.items[from:], t) < 0 {
			f.items = append(f.items, t)
		}
	}
	switch {
	case s.Kind == schema.Choice:
		for c := range s.Ctors {
			add(f.ctor(s, c))
		}
	case isEnum(s):
		f.enum(s, add)
	default:
		r := f.random(uint64(s.ID) + 1)
		if s.IsScalar() {
			add(f.sample(&r, s))
		}
		for range f.m.NeighboursMax {
			add(f.vary(&r, s))
		}
	}
}

// enum adds all values of an enum.
func (f *frame) enum(s *schema.Schema, add func(term.Term)) {
	if len(s.Consts) == 0 {
		add(f.node(s, 0))
		add(f.node(s, 1))
	}
	for _, x := range s.Consts {
		if s.In(x) {
			add(f.node(s, x))
		}
	}
}

// random returns the stream for one purpose at this position. It is the same
// whenever the position is visited.
func (f *frame) random(purpose uint64) rng.Rand {
	return f.m.source.Run(uint64(f.pos)<<20 | purpose)
}

// node makes a scalar in the memory of the frame.
func (f *frame) node(s *schema.Schema, x uint64) term.Term {
	return f.keep(func(t term.Term) term.Term { return append(t, term.Node{S: s.ID, N: 1, X: x}) })
}

// ctor makes a constructor without fields.
func (f *frame) ctor(s *schema.Schema, c int) term.Term {
	return f.keep(func(t term.Term) term.Term { return append(t, term.Node{S: s.ID, C: uint16(c), N: 1}) })
}

// keep returns what grow appends to the memory of the frame. If the memory is
// reallocated, earlier results stay valid.
func (f *frame) keep(grow func(term.Term) term.Term) term.Term {
	from := len(f.mem)
	f.mem = grow(f.mem)
	return f.mem[from:len(f.mem):len(f.mem)]
}

// vary makes the least term of s with other scalars in it.
func (f *frame) vary(r *rng.Rand, s *schema.Schema) term.Term {
	return f.keep(func(t term.Term) term.Term { return f.appendVaried(t, r, s.Least, 0) })
}

func (f *frame) appendVaried(out term.Term, r *rng.Rand, least term.Term, at int) term.Term {
	s, n := f.m.world.Of(least[at]), least[at]
	switch {
	case s.IsScalar():
		return f.appendNear(out, r, s)
	case s.Kind == schema.Choice:
		n.C = uint16(r.Below(len(s.Ctors)))
		return append(out, n)
	}
	from := len(out)
	out = append(out, n)
	for k := range least.Kids(at) {
		out = f.appendVaried(out, r, least, k)
	}
	out[from].N = uint32(len(out) - from)
	return out
}

// appendNear appends a value of an enum, or a scalar of the parent or a neighbour
// of it, or a sample if the parent has none.
func (f *frame) appendNear(out term.Term, r *rng.Rand, s *schema.Schema) term.Term {
	if isEnum(s) {
		if len(s.Consts) == 0 {
			return append(out, term.Node{S: s.ID, N: 1, X: r.Uint64() >> 63})
		}
		if x := s.Consts[r.Below(len(s.Consts))]; s.In(x) {
			return append(out, term.Node{S: s.ID, N: 1, X: x})
		}
		return append(out, s.Least...)
	}
	near := f.m.someScalar(r, s)
	if near == nil {
		return f.appendSample(out, r, s)
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

// someScalar finds a scalar of schema s in the parent, the first after a random
// place.
func (m *Mutator) someScalar(r *rng.Rand, s *schema.Schema) term.Term {
	from := r.Below(len(m.order))
	for i := range m.order {
		i += from
		if i >= len(m.order) {
			i -= len(m.order)
		}
		if pos := m.order[i]; m.t[pos].S == s.ID {
			return m.t.Sub(int(pos))
		}
	}
	return nil
}

// sample draws a scalar or text from the generator.
func (f *frame) sample(r *rng.Rand, s *schema.Schema) term.Term {
	return f.keep(func(t term.Term) term.Term { return f.appendSample(t, r, s) })
}

// appendSample must not depend on earlier draws, or a batch could not continue
// where it stopped. The generator reuses texts of the current term, so texts are
// drawn by a generator without such memory.
func (f *frame) appendSample(out term.Term, r *rng.Rand, s *schema.Schema) term.Term {
	if s.Kind != schema.String {
		return append(out, f.m.gen.Part(r.Split(), s, f.m.size)...)
	}
	if len(s.Words) > 0 && !r.OneIn(16) {
		return term.AppendRaw(out, s.ID, s.Words[r.Below(len(s.Words))])
	}
	from := len(out)
	out = append(out, f.m.texts.Term(r.Split(), f.m.size)...)
	out[from].S = s.ID
	return out
}

// texts is the world of strings. Deriving it takes longer than everything else
// that a mutator needs.
var texts = sync.OnceValue(func() *schema.World {
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		panic("mutate: " + err.Error())
	}
	return w
})

// textGen returns a generator of strings.
func textGen() *gen.Gen { return gen.New(texts()) }
