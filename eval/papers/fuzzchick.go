package papers

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// chick makes a mutant in the same way as the tool FuzzChick, by random choices
// only. At each node it descends into a field, replaces the node by a field of the
// same type, or changes it into another constructor. The fields of one of the two
// constructors must include those of the other. If there is nothing to change, it
// generates a term. See fuzzy_decl in FuzzChick's source.
type chick struct {
	world *schema.World
	gen   *gen.Gen
	size  int       // of generated terms
	t     term.Term // the parent
	out   term.Term // the mutant
}

func newChick(w *schema.World, size int) chick { return chick{world: w, gen: gen.New(w), size: size} }

// change returns a mutant of a term. It is valid until the next call.
func (c *chick) change(t term.Term, r *rng.Rand) term.Term {
	c.t = t
	c.out = c.fuzz(c.out[:0], r, 0)
	return c.out
}

// fuzz appends a mutant of the subterm at pos.
func (c *chick) fuzz(out term.Term, r *rng.Rand, pos int) term.Term {
	s := c.world.Of(c.t[pos])
	switch {
	case s.Kind == schema.Scalar && isEnum(s):
		return c.fuzzEnum(out, r, s, pos)
	case s.IsScalar():
		if term.Equal(c.t.Sub(pos), s.Least) || r.OneIn(2) {
			return c.fresh(out, r, s)
		}
		return append(out, s.Least...)
	case s.Kind == schema.Slice || s.Kind == schema.Map:
		return c.fuzzList(out, r, s, pos)
	case s.Kind == schema.Array:
		if s.Len == 0 {
			return append(out, c.t[pos])
		}
		return c.descend(out, r, pos, r.Below(s.Len))
	}
	return c.fuzzCtor(out, r, s, pos)
}

// fresh appends a generated term.
func (c *chick) fresh(out term.Term, r *rng.Rand, s *schema.Schema) term.Term {
	return append(out, c.gen.Part(r.Split(), s, c.size)...)
}

// fuzzEnum chooses another value of an enum.
func (c *chick) fuzzEnum(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	n := c.t[pos]
	switch k := len(s.Consts); {
	case k == 0:
		n.X ^= 1
	case k > 1:
		n.X = s.Consts[r.Below(k)]
		for n.X == c.t[pos].X {
			n.X = s.Consts[r.Below(k)]
		}
	}
	if !s.In(n.X) || s.Kind == schema.Scalar && len(s.Consts) == 1 {
		return c.fresh(out, r, s)
	}
	return append(out, n)
}

// descend mutates one kid of the node at pos.
func (c *chick) descend(out term.Term, r *rng.Rand, pos, which int) term.Term {
	from := len(out)
	out = append(out, c.t[pos])
	i := 0
	for k := range c.t.Kids(pos) {
		if i == which {
			out = c.fuzz(out, r, k)
		} else {
			out = append(out, c.t.Sub(k)...)
		}
		i++
	}
	out[from].N = uint32(len(out) - from)
	return out
}

// fuzzList treats a list as a first element and a rest, which is a list. With weight
// 1 it mutates the first element, with weight 1 it drops the first element, and with
// a weight of the list's length it continues with the rest. If the rest is empty, it
// generates a new one.
func (c *chick) fuzzList(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	n, per, from, at := int(c.t[pos].X), 1, len(out), pos+1
	if n == 0 {
		return c.fresh(out, r, s)
	}
	if s.Kind == schema.Map {
		per = 2
	}
	out = append(out, c.t[pos])
	for left := n; ; left-- {
		if left == 0 {
			if rest := c.gen.Part(r.Split(), s, c.size); s.FitsLen(n + int(rest[0].X)) {
				out = append(out, rest[1:]...)
				out[from].X += rest[0].X
			}
			break
		}
		next := at
		for range per {
			next += int(c.t[next].N)
		}
		choice := r.Below(left + 2)
		if choice == 0 || choice == 1 && !s.FitsLen(n-1) {
			out = c.fuzzElem(out, r, at, per)
		} else if choice == 1 {
			out[from].X--
		}
		if choice < 2 {
			out = append(out, c.t[next:pos+int(c.t[pos].N)]...)
			break
		}
		out = append(out, c.t[at:next]...)
		at = next
	}
	out[from].N = uint32(len(out) - from)
	if s.Kind == schema.Map {
		out = append(out[:from], c.world.SortEntries(out[from:])...)
	}
	return out
}

// fuzzElem mutates an element of a list, or the key or value of a map entry.
func (c *chick) fuzzElem(out term.Term, r *rng.Rand, at, per int) term.Term {
	if per == 1 {
		return c.fuzz(out, r, at)
	}
	value := at + int(c.t[at].N)
	if r.OneIn(2) {
		return append(c.fuzz(out, r, at), c.t.Sub(value)...)
	}
	return c.fuzz(append(out, c.t.Sub(at)...), r, value)
}

// fuzzCtor makes one of all possible changes of a constructor. All are equally
// likely.
func (c *chick) fuzzCtor(out term.Term, r *rng.Rand, s *schema.Schema, pos int) term.Term {
	type change struct{ ctor, kid, at int }
	var room [32]change
	all := room[:0]
	i := 0
	for k := range c.t.Kids(pos) {
		all = append(all, change{-1, i, k})
		if c.t[k].S == s.ID {
			all = append(all, change{-1, -1, k})
		}
		i++
	}
	own := int(c.t[pos].C)
	for i := s.First(); i < len(s.Ctors); i++ {
		mine, other := s.Ctors[own].Fields, s.Ctors[i].Fields
		if i != own && (isWithin(mine, other) || isWithin(other, mine)) {
			all = append(all, change{i, -1, -1})
		}
	}
	if len(all) == 0 {
		return c.fresh(out, r, s)
	}
	switch one := all[r.Below(len(all))]; {
	case one.ctor >= 0:
		return c.convert(out, r, pos, one.ctor)
	case one.kid >= 0:
		return c.descend(out, r, pos, one.kid)
	default:
		return append(out, c.t.Sub(one.at)...)
	}
}

// isWithin reports whether the schemas of the fields few are a subsequence of those
// of the fields many.
func isWithin(few, many []schema.Field) bool {
	n := 0
	for _, f := range many {
		if n < len(few) && few[n].S == f.S {
			n++
		}
	}
	return n == len(few)
}

// convert changes the node at pos into another constructor. It uses the present
// fields, in order, and generates the missing ones.
func (c *chick) convert(out term.Term, r *rng.Rand, pos, ctor int) term.Term {
	s := c.world.Of(c.t[pos])
	from, at, end := len(out), pos+1, pos+int(c.t[pos].N)
	out = append(out, term.Node{S: s.ID, C: uint16(ctor)})
	down := len(s.Ctors[ctor].Fields) < len(s.Ctors[c.t[pos].C].Fields)
	for _, f := range s.Ctors[ctor].Fields {
		for down && c.t[at].S != f.S.ID {
			at += int(c.t[at].N)
		}
		if at < end && c.t[at].S == f.S.ID {
			out = append(out, c.t.Sub(at)...)
			at += int(c.t[at].N)
		} else {
			out = c.fresh(out, r, f.S)
		}
	}
	out[from].N = uint32(len(out) - from)
	return out
}

// isEnum reports whether a schema has few values: declared values, constants, or a
// bool.
func isEnum(s *schema.Schema) bool {
	return s.Kind == schema.Choice || s.Kind == schema.Scalar && (len(s.Consts) > 0 || s.Lo == 0 && s.Hi == 1 && !s.IsFloat())
}
