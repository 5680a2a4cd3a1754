//go:build go1.25

package schema

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/allele-go/allele/internal/value/term"
)

// Some types of the standard library belong to packages that a test binary links only if the
// program under test does: net, net/mail, net/http, database/sql. Their builders are made by
// reflection, from the types that the program has. This package must not import theirs.

// linkedTypes returns the builders for each type, by its package and name.
var linkedTypes = map[string]func(reflect.Type) []*Func{
	"net.IP":           ipFuncs,
	"net.IPMask":       ipMaskFuncs,
	"net.IPNet":        ipNetFuncs,
	"net/mail.Address": mailFuncs,
}

// linkedFuncs returns the builders of a type of such a package, or nil.
func linkedFuncs(t reflect.Type) []*Func {
	if t.Kind() == reflect.Pointer {
		if e := t.Elem(); e.PkgPath() == "net/http" && e.Name() == "Request" {
			return requestFuncs(t)
		}
		return nil
	}
	switch pkg, name := t.PkgPath(), t.Name(); {
	case isNull(t):
		return nullFuncs(t)
	case linkedTypes[pkg+"."+name] != nil:
		return linkedTypes[pkg+"."+name](t)
	}
	return nil
}

// entry returns what is declared about t, or nil. In a scope of the input, it first adds the
// builders that types of other packages have, unless builders or fields of t are declared, or
// its values are made by functions that were found in the source.
func (sc *scope) entry(t reflect.Type) *entry {
	e := sc.types[t]
	if !sc.ready || sc.equipped[t] || e != nil && e.makers != nil || sc.leads(t) {
		return e
	}
	sc.equipped[t] = true
	ms := linkedFuncs(t)
	if ms == nil && !sc.declares(t) && !(sc.finds(t) && sc.onlyMade(t)) {
		ms = textFuncs(t)
	}
	var found []*Func
	if ms == nil && t.Kind() == reflect.Pointer && !sc.finds(t.Elem()) {
		found = linkers(t.Elem())
	}
	if ms == nil && found == nil {
		return e
	}
	if e == nil {
		e = &entry{}
		sc.types[t] = e
	}
	if e.found = append(slices.Clip(e.found), found...); ms != nil {
		e.makers, e.tier = ms, Ready
	}
	return e
}

// declares reports whether the user has declared builders of t or *t. Partial ones count if the property itself
// declares them.
func (sc *scope) declares(t reflect.Type) bool {
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if e := sc.types[t]; e != nil && (e.makers != nil || len(asked(e.found)) > 0) {
			return true
		}
	}
	return false
}

// finds reports whether the source has functions that make values of t or *t, other than
// methods that read a text.
func (sc *scope) finds(t reflect.Type) bool {
	builds := func(m *Func) bool { return !m.decodes() }
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if e := sc.types[t]; e != nil && (e.makers != nil || !sc.ignore.Builders && slices.ContainsFunc(e.found, builds)) {
			return true
		}
	}
	return false
}

// leads reports whether a declared path may lead into a field of t. Constants that code compares
// a field with do not count: they were found in the source, and limit nothing.
func (sc *scope) leads(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && slices.ContainsFunc(sc.rules, func(r *rule) bool {
		_, ok := t.FieldByName(r.path[0])
		limits := func(d Decl) bool { return !d.Loose }
		return ok && (r.owner == nil || r.owner == t) && slices.ContainsFunc(r.use.decl.Sub, limits)
	})
}

// reflected returns a builder for a type that is only known at run time. The function set
// receives the arguments, which have the types of the given values.
func reflected(t reflect.Type, template string, set func(dst reflect.Value, args []reflect.Value) bool, args ...reflect.Type) *Func {
	m := &Func{Name: template, Template: template, Named: true, Result: t, Pkg: t.PkgPath()}
	if t.Kind() == reflect.Pointer {
		m.Pkg = t.Elem().PkgPath()
	}
	var fields []reflect.StructField
	for i, a := range args {
		fields = append(fields, reflect.StructField{Name: "A" + string(rune('0'+i)), Type: a})
		m.Args = append(m.Args, Arg{Type: a})
	}
	m.args = reflect.StructOf(fields)
	m.call = func(dst, args unsafe.Pointer) bool { return set(reflect.NewAt(t, dst).Elem(), m.arguments(args)) }
	return m
}

// textForm is how values of a type that is only known at run time are made from a text, and back.
type textForm struct {
	set  func(dst reflect.Value, text string) bool
	text func(reflect.Value) (string, bool)
}

// respelled returns a copy of the spelled builder f that makes values of another type.
func respelled(f *Func, t reflect.Type, template string, form textForm) *Func {
	c := *f
	c.Name, c.Template, c.Result, c.Pkg = template, template, t, t.PkgPath()
	c.call = func(dst, args unsafe.Pointer) bool { return form.set(reflect.NewAt(t, dst).Elem(), c.spell(args)) }
	c.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		s, ok := form.text(v)
		if !ok {
			return nil, false
		}
		return c.unspell(s)
	}
	return &c
}

// asGiven returns the hidden builder of all values of t: its argument is the value itself, made
// from its fields. Examples and stored cases may have values that the others do not make.
func asGiven(t reflect.Type) *Func {
	f := given(t)
	f.Pkg, f.shape = t.PkgPath(), true
	f.call = func(dst, args unsafe.Pointer) bool {
		reflect.NewAt(t, dst).Elem().Set(reflect.NewAt(t, args).Elem())
		return true
	}
	return f
}

// literal returns a builder of a struct that sets exported fields: those in m.Fields to its
// arguments, and fixed, if it is not empty, to true. Its values are printed as composite literals.
func literal(t reflect.Type, fixed string, fields ...string) *Func {
	var types []reflect.Type
	for _, name := range fields {
		f, _ := t.FieldByName(name)
		types = append(types, f.Type)
	}
	m := reflected(t, t.String()+"{"+strings.Join(fields, ", ")+"}", func(dst reflect.Value, args []reflect.Value) bool {
		for i, name := range fields {
			dst.FieldByName(name).Set(args[i])
		}
		if fixed != "" {
			dst.FieldByName(fixed).SetBool(true)
		}
		return true
	}, types...)
	m.Literal, m.Fields, m.Fixed = true, fields, fixed
	m.invert = func(v reflect.Value) (args []reflect.Value, ok bool) {
		for _, name := range fields {
			args = append(args, v.FieldByName(name))
		}
		return args, fixed != "" && v.FieldByName(fixed).Bool() || fixed == "" && (len(fields) > 0 || v.IsZero())
	}
	return m
}

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

// IsGiven reports whether the argument of the builder is the whole value, made from its fields.
func (m *Func) IsGiven() bool { return m.shape }

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
