//go:build go1.25

package schema

import (
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/value/term"
)

// asGiven adds the constructor of a builder asGiven. Its argument has the declarations of the type
// itself, except that its values are made from its fields. There are no messages about them,
// because they are not generated. If the fields cannot be derived, there is no such constructor.
func (d *deriver) asGiven(s *Schema, m *Func, sc *scope, path string) {
	in := sc.copy()
	in.rules = slices.Clone(sc.rules)
	delete(in.types, m.Result)
	in.equipped[m.Result] = true
	w := d.world
	hollow, zero, notes, left, closed, problems := len(w.Hollow), len(w.Zero), len(w.Notes), w.left, len(d.shut), len(d.problems)
	links := len(w.Links)
	fields := d.schema(m.Result, in, path)
	w.Hollow, w.Zero, w.Notes, w.left, d.shut = w.Hollow[:hollow], w.Zero[:zero], w.Notes[:notes], left, d.shut[:closed]
	w.Links = w.Links[:links]
	if len(d.problems) > problems {
		d.problems = d.problems[:problems]
		return
	}
	s.Ctors = append(s.Ctors, Ctor{Name: m.Name, Func: m, box: d.cell(m.args), Fields: []Field{{"", fields, 0}}})
	s.first++
}

// Recast returns the term of the same value as t, a call of the builder asGiven, with another
// builder if one makes it.
func (w *World) Recast(t term.Term) term.Term {
	s := w.Of(t[0])
	v := reflect.New(s.Type)
	NewBuilder(w).exec(&cursor{t, 0}, s.ops, v.UnsafePointer())
	if out, err := w.read(s, v.Elem()); err == nil {
		return out
	}
	return t
}

// ZeroOf returns the term of the zero value of s, if it has one.
func (w *World) ZeroOf(s *Schema) (term.Term, bool) {
	t, err := w.read(s, reflect.Zero(s.Type))
	return t, err == nil
}
