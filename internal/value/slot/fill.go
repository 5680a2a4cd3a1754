//go:build go1.25

package slot

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Fill returns a term in which at most so many values are those of fields that they fit, or nil if there is nothing to
// do. sources returns the fields that a field takes its values from. If two fields fit each other, values are not exchanged: what is
// a source is not changed. The term is valid until the next call.
func (f *Filler) Fill(t term.Term, most int, sources func(to Field) []Field, r *rng.Rand) term.Term {
	u := t
	all := f.Slots(t)
	left := most
	for i := len(all) - 1; i >= 0 && left > 0; i-- { // the last first, because a text may change the positions after it
		to := &all[i]
		from := f.source(t, to, sources(to.Field), r)
		if from == nil {
			continue
		}
		left--
		to.changed, from.source = true, true
		f.sub = f.Copied(f.sub[:0], t, to.Pos, from.Pos)
		u = f.put(u, to.Pos, left == most-1)
	}
	if left == most {
		return nil
	}
	return u
}

// put returns u with f.sub at pos. It changes u unless the length differs, or u is the term to be filled: first.
func (f *Filler) put(u term.Term, pos int, first bool) term.Term {
	if len(f.sub) == len(u.Sub(pos)) {
		if first {
			f.out[0] = append(f.out[0][:0], u...)
			u = f.out[0]
		}
		copy(u[pos:], f.sub)
		return u
	}
	f.out[0], f.out[1] = f.out[1], f.out[0]
	f.out[0] = term.Replace(f.out[0], u, pos, f.sub)
	return f.out[0]
}

// In a term with more than slotsMany slots, only sourcesMax of the slots that a value may be taken from are looked at.
const (
	slotsMany  = 1 << 10
	sourcesMax = 64
)

// source returns the slot that a slot takes its value from, or nil if the slot is left alone: it has a value that fits,
// or there is none. Values of the same field are the last resort: a call may take the name of another call, but that
// one need not be declared either.
func (f *Filler) source(t term.Term, to *Slot, froms []Field, r *rng.Rand) *Slot {
	if len(froms) == 0 || to.Fixed || to.source {
		return nil
	}
	f.from, f.own = f.from[:0], f.own[:0]
	start, looked := 0, 0
	if len(f.slots) > slotsMany {
		start = r.Below(len(f.slots))
	}
	for i := range f.slots {
		from := &f.slots[(start+i)%len(f.slots)]
		if from.Pos == to.Pos || from.changed || !slices.Contains(froms, from.Field) {
			continue
		}
		if looked++; looked > sourcesMax && len(f.slots) > slotsMany {
			break
		}
		list := &f.from
		if from.Field == to.Field {
			list = &f.own
		}
		if len(f.Copied(f.sub[:0], t, to.Pos, from.Pos)) > 0 {
			*list = append(*list, from)
		} else if from.Field != to.Field && f.same(t, to.Pos, from.Pos) {
			return nil
		}
	}
	all := f.from
	if len(all) == 0 {
		all = f.own
	}
	if len(all) == 0 {
		return nil
	}
	if r.OneIn(2) { // the last one before it: scopes are parts of a term
		near := slices.IndexFunc(all, func(from *Slot) bool { return from.Pos > to.Pos })
		if near < 0 {
			near = len(all)
		}
		return all[max(0, near-1)]
	}
	return all[r.Below(len(all))]
}

// Copied appends to dst the value at from, as a value for the number or text at to. It returns dst unchanged if they
// are equal, or if the value does not fit.
func (f *Filler) Copied(dst, t term.Term, to, from int) term.Term {
	src, b := f.value(t, from)
	a := f.world.Of(t[to])
	switch {
	case a == b:
		if !term.Equal(t.Sub(to), src) {
			return append(dst, src...)
		}
	case schema.HasConstants(a) && a.From == nil: // other values make no sense
	case src[0].C == term.Raw:
		if text := src.Bytes(0); a.IsText() && a.Fits(text) && (t[to].C != term.Raw || string(t.Bytes(to)) != string(text)) {
			return term.AppendRaw(dst, a.ID, text)
		}
	case a.Kind == schema.Scalar && b.Kind == schema.Scalar && a.IsFloat() == b.IsFloat():
		x := src[0].X
		if t[to].X != x && a.In(x) && (a.IsSigned() == b.IsSigned() || int64(x) >= 0) {
			return append(dst, term.Node{S: a.ID, N: 1, X: x})
		}
	}
	return dst
}

// value returns the term of the value at a position, and its schema. A value of Values or Match becomes a plain one.
func (f *Filler) value(t term.Term, pos int) (term.Term, *schema.Schema) {
	switch s := f.world.Of(t[pos]); s.Kind {
	case schema.Choice:
		return s.Ctors[t[pos].C].Value, s.Base
	case schema.Rule:
		return s.Flat(t.Sub(pos)), s.Base
	default:
		return t.Sub(pos), s
	}
}

// same reports whether the values at two positions are the same, though perhaps of different types.
func (f *Filler) same(t term.Term, to, from int) bool {
	a := t.Sub(to)
	b, _ := f.value(t, from)
	if a[0].C == term.Raw || b[0].C == term.Raw {
		return a[0].C == b[0].C && string(a.Bytes(0)) == string(b.Bytes(0))
	}
	return a[0].C == b[0].C && a[0].X == b[0].X
}
