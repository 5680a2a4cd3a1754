//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// The builders of a type T and those of *T work together. A builder of *T makes a value of T: the
// one that the pointer points to. A builder of T starts a chain of methods with pointer receivers:
// its value is stored in a new variable.

// deref returns a builder of T, from a builder m of *T.
func (m *Func) deref() *Func {
	c := *m
	c.Result, c.Via, c.origin.first = m.Result.Elem(), Deref, m.first()
	c.call = func(dst, args unsafe.Pointer) bool {
		v := reflect.New(m.Result)
		if !m.call(v.UnsafePointer(), args) || v.Elem().IsNil() {
			return false
		}
		reflect.NewAt(c.Result, dst).Elem().Set(v.Elem().Elem())
		return true
	}
	return &c
}

// ref returns a builder of *T, from a builder m of T.
func (m *Func) ref() *Func {
	c := *m
	c.Result, c.Via, c.origin.first = reflect.PointerTo(m.Result), Ref, m.first()
	c.call = func(dst, args unsafe.Pointer) bool {
		v := reflect.New(m.Result)
		if !m.call(v.UnsafePointer(), args) {
			return false
		}
		reflect.NewAt(c.Result, dst).Elem().Set(v)
		return true
	}
	return &c
}

// Pointee returns the type of the values that the builder makes, without a pointer.
func (m *Func) Pointee() reflect.Type {
	if m.Result.Kind() == reflect.Pointer {
		return m.Result.Elem()
	}
	return m.Result
}

func (m *Func) first() *Func {
	if m.origin.first != nil {
		return m.origin.first
	}
	return m
}

// Same reports whether two builders call the same function, and one makes pointers to the values
// of the other.
func (m *Func) Same(o *Func) bool {
	switch {
	case m.Result != reflect.PointerTo(o.Result) && o.Result != reflect.PointerTo(m.Result):
		return false
	case Is[Start](m) && Is[Start](o):
		return true
	}
	return m.first() == o.first()
}

// argument returns the scope of an argument with declarations of its own. Builders that call the
// same function share it.
func (d *deriver) argument(m *Func, i int) *scope {
	a := &m.Args[i]
	if d.args[a] == nil {
		d.args[a] = newScope(&d.uses, a.Decls)
	}
	return d.args[a]
}

// makers returns the functions of a type whose values are made by functions only:
// the declared functions or, if t has unexported fields, those that were found. It
// returns nil for an interface, whose values may also be variants (see calls).
func (sc *scope) makers(t reflect.Type) []*Func {
	if e := sc.types[t]; t.Kind() == reflect.Interface && (e == nil || e.makers == nil || e.variants != nil || e.byDefault(t)) {
		return nil
	}
	ms, tier := sc.family(t)
	if len(ms) == 0 {
		return nil
	}
	if tier == Found {
		ms = sc.finite(ms, nil)
	}
	var all []*Func
	for _, m := range ms {
		if m.Result != t {
			m = m.deref()
		}
		all = append(all, m)
	}
	return all
}

// own returns the functions that return a t, and the tier that declared them: Found if none of
// them is declared without Partial.
func (sc *scope) own(t reflect.Type) ([]*Func, Tier) {
	e := sc.entry(t)
	switch {
	case e == nil:
		return nil, Found
	case e.makers != nil:
		return slices.Concat(e.makers, asked(e.found)), e.tier
	case sc.ignore.Builders:
		return nil, Found
	case !sc.onlyMade(t) && t.Kind() != reflect.Func: // its fields are filled, unless the property itself asks for its functions
		return asked(e.found), Found
	}
	return sc.constructors(e, t), Found
}

// family returns the functions that make values of t. If t is *T, it adds those of T; otherwise it
// adds those of *t as they are.
func (sc *scope) family(t reflect.Type) ([]*Func, Tier) {
	ms, tier := sc.own(t)
	if t.Kind() == reflect.Pointer {
		if len(ms) == 0 {
			return nil, tier
		}
		for _, m := range sc.values(t, ms, tier) {
			ms = append(slices.Clip(ms), m.ref())
		}
		return sc.started(ms), tier
	}
	p := reflect.PointerTo(t)
	more, above := sc.own(p)
	switch {
	case len(more) == 0 || above == Ready || tier == Ready || !hasPointers(t):
		return ms, tier
	case len(ms) == 0 && t.Kind() != reflect.Struct:
		return nil, tier
	case tier == Found && above > Found:
		ms = asked(ms)
	case tier > above:
		more = asked(more)
	}
	if len(more) == 0 {
		return ms, tier
	}
	sc.lookup(p)
	if len(ms) == 0 {
		more = sc.started(more)
	}
	return slices.Concat(ms, more), max(tier, above)
}

// values returns the builders of T with which values of p = *T begin, beside the builders ms of p.
// The builders of a lower tier count only if all ms change existing values.
func (sc *scope) values(p reflect.Type, ms []*Func, tier Tier) []*Func {
	t := p.Elem()
	if p != reflect.PointerTo(t) || !hasPointers(t) || tier == Ready {
		return nil
	}
	more, below := sc.own(t)
	switch {
	case len(more) == 0 || below == Ready:
		return nil
	case below < tier && (below == Found || !onlyChange(ms)):
		more = asked(more)
	}
	if len(more) > 0 {
		sc.lookup(t)
	}
	return more
}

// hasPointers reports whether t may have methods with pointer receivers.
func hasPointers(t reflect.Type) bool {
	return t.PkgPath() != "" && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer || t.Kind() == reflect.Struct
}

// asked returns the functions that the property itself declares as Partial.
func asked(ms []*Func) []*Func {
	return slices.DeleteFunc(slices.Clone(ms), func(m *Func) bool { return m.origin.source != askedSource })
}

// Asked returns a copy of m, marked as declared by the property itself.
func (m *Func) Asked() *Func {
	c := *m
	c.origin.source = askedSource
	return &c
}

// onlyChange reports whether all functions only change existing values.
func onlyChange(ms []*Func) bool {
	return !slices.ContainsFunc(ms, func(m *Func) bool { return !Is[Mutator](m) })
}

// apart renames functions that share a name, so that a stored case is read back as a
// call of the same function. For example, instances of a generic function share a
// name, and so do closures that one function returns.
func apart(makers []*Func) []*Func {
	seen := map[string]int{}
	out := make([]*Func, len(makers))
	for i, m := range makers {
		if seen[m.Template]++; seen[m.Template] > 1 {
			c := *m
			c.origin.first = m.first()
			c.Name = fmt.Sprintf("%s_%d", m.Name, seen[m.Template])
			c.Template, c.Named = strings.Replace(m.Template, m.Name, c.Name, 1), false
			m = &c
		}
		out[i] = m
	}
	return out
}
