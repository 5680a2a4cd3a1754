//go:build go1.25

package mutate

import (
	"bytes"
	"reflect"
	"sync"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// fill adds to the items the fills for s: the terms that a new field or element of s
// can get. The first fill is the least term. If kind Filled is enabled, there are
// more: all values of an enum, or otherwise a sample and values near the scalars of
// the parent. They are needed, for example, to grow a search tree: if all new keys
// were zero, the tree would soon be out of order.
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

// enum calls add with each value of an enum.
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

// random returns a stream of random numbers for one purpose at this position. It
// returns the same stream whenever the position is visited.
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

// vary makes a copy of the least term of s, with other scalars in it.
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

// appendNear appends a random scalar. For an enum it is any of its values. Otherwise
// it is a scalar of the parent that has the same schema, or a neighbour of such a
// scalar, or a sample if the parent has none.
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

// someScalar finds a scalar of schema s in the parent: the first one after a random
// position.
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

// appendSample appends a scalar or text from the generator. The result must not
// depend on earlier samples, because otherwise a batch could not continue where it
// stopped. The usual generator may repeat an earlier text, so texts come from a
// generator that starts over each time.
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
	if !s.Fits(out.Bytes(from)) {
		valid := bytes.ToValidUTF8(out.Bytes(from), []byte("\ufffd"))
		out = term.AppendRaw(out[:from], s.ID, valid)
	}
	return out
}

// texts is the world of the type string. It is derived only once, because that takes
// longer than everything else that a mutator needs.
var texts = sync.OnceValue(func() *schema.World {
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		panic("mutate: " + err.Error())
	}
	return w
})

// textGen returns a generator of strings.
func textGen() *gen.Gen { return gen.New(texts()) }
