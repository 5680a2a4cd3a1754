//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Allele finds functions that make values of a type in the source. The user did not
// declare them, so they are used with care. A type with unexported fields probably
// has invariants, so only its functions make its values. Values of an interface are
// variants or results of functions. A type without unexported fields needs no
// functions. If a function panics, it has rejected its arguments.

// smallMax bounds arguments that determine how much memory a function uses, or how
// long it runs.
const smallMax = 64

// NewFound wraps a function that was found in the source. The name is the one that
// code outside its package uses; it may be empty if the linker's name of the
// function suffices. small has the indexes of the arguments that must be small
// numbers.
func NewFound(name string, f any, small ...int) (*Func, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, fmt.Errorf("want a function, got %T", f)
	}
	m, err := NewFunc(f)
	if changes(v.Type(), true) {
		m, err = newMutator(v), nil
	}
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = m.instance(runtime.FuncForPC(v.Pointer()).Name())
	}
	if name != "" {
		m.rename(linked(name))
	}
	for _, i := range small {
		if i >= 0 && i < len(m.Args) {
			m.Args[i].Decls = smallRange(m.Args[i].Type)
		}
	}
	return m.withCare(), nil
}

// withCare marks a builder as found. If it panics, it has rejected its arguments.
func (m *Func) withCare() *Func {
	call := m.call
	m.origin.source, m.rejects = foundSource, max(m.rejects, rejectsSilently)
	m.call = func(dst, args unsafe.Pointer) (ok bool) {
		defer func() {
			if !ok {
				recover()
			}
		}()
		// A nil result means that the function failed, such as a lookup that found
		// nothing.
		return call(dst, args) && (m.Result.Kind() != reflect.Pointer || *(*unsafe.Pointer)(dst) != nil)
	}
	return m
}

// smallRange returns the range from 0 to smallMax. A negative length is no good test of a
// function: it panics, or it converts the number to an unsigned one and allocates 2^32 elements.
func smallRange(t reflect.Type) []Decl {
	lo, hi := reflect.New(t).Elem(), reflect.New(t).Elem()
	switch {
	case hi.CanInt():
		hi.SetInt(smallMax)
	case hi.CanUint():
		hi.SetUint(smallMax)
	default:
		return nil
	}
	return []Decl{{Type: t, What: Range{Lo: lo, Hi: hi, Narrow: true}}}
}

// linked converts the name (*pkg.T).M to the linker's form: pkg.(*T).M.
func linked(name string) string {
	rest, ok := strings.CutPrefix(name, "(*")
	pkg, method, dot := strings.Cut(rest, ".")
	if !ok || !dot || strings.ContainsAny(pkg, ")[") {
		return name
	}
	return pkg + ".(*" + method
}

// instance returns the name of an instance of a generic function. The linker's name
// has dots in place of the type arguments, so they are taken from the result type of
// the function. It fails for type arguments of other packages, because the name of a
// package may differ between files.
func (m *Func) instance(linked string) string {
	linked = linked[strings.LastIndexByte(linked, '/')+1:]
	t := m.Result
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, args, ok := strings.Cut(t.Name(), "[")
	if !ok || !strings.Contains(linked, "[...]") || strings.Contains(args, ".") {
		return ""
	}
	return strings.Replace(linked, "[...]", "["+strings.ReplaceAll(args, ",", ", "), 1)
}

func (m *Func) rename(name string) {
	m.Template = name + strings.TrimPrefix(m.Template, m.Name)
	m.Name, m.Named = name, true
}

// changes reports whether a function seems to change what its first argument points
// to: it returns nothing, or only whether it succeeded. A bool result counts as
// success only if the function was found in the source. A declared function may be a
// builder of bools.
func changes(t reflect.Type, found bool) bool {
	if t.NumIn() == 0 || t.In(0).Kind() != reflect.Pointer {
		return false
	}
	switch t.NumOut() {
	case 0:
		return true
	case 1:
		return t.Out(0) == reflect.TypeFor[error]() || found && t.Out(0).Kind() == reflect.Bool
	}
	return false
}

// newMutator makes a constructor from a method that changes its receiver. The value
// of the constructor is the changed receiver. The result of the method is ignored,
// since the receiver is a valid value even if the method failed.
func newMutator(f reflect.Value) *Func {
	m := wrap(f)
	m.Result, m.Form = f.Type().In(0), Mutator{}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	m.call = func(dst, args unsafe.Pointer) bool {
		in := m.arguments(args)
		call(in)
		reflect.NewAt(m.Result, dst).Elem().Set(in[0])
		return true
	}
	return m
}

// IsFound reports whether s is made by functions that were found in the source.
func (s *Schema) IsFound() bool {
	return slices.ContainsFunc(s.Ctors, func(c Ctor) bool { return c.Func != nil && c.Func.origin.source != declaredSource })
}

// lifted returns a builder of an interface, from a builder m of one of its variants.
// It rejects nil pointers.
func (m *Func) lifted(iface reflect.Type) *Func {
	if m.Result == iface {
		return m
	}
	c := *m
	c.Result = iface
	c.call = func(dst, args unsafe.Pointer) bool {
		v := reflect.New(m.Result)
		if !m.call(v.UnsafePointer(), args) || m.Result.Kind() == reflect.Pointer && v.Elem().IsNil() {
			return false
		}
		reflect.NewAt(iface, dst).Elem().Set(v.Elem())
		return true
	}
	return &c
}

// Hides reports whether t is a struct with unexported fields, or a pointer to such a
// struct.
func Hides(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || isMessage(t) {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() && f.Name != "_" {
			return true
		}
	}
	return false
}

// finite returns the functions whose arguments can be made. It returns nothing if
// each of them needs an argument of the types in open: the recursion would never
// end.
func (sc *scope) finite(ms []*Func, open []reflect.Type) []*Func {
	ms = sc.able(ms)
	for _, m := range ms {
		leaf := true
		for _, a := range m.Args {
			leaf = leaf && sc.ends(a.Type, append(open, m.Result))
		}
		if leaf {
			return ms
		}
	}
	return nil
}

// able returns the functions whose arguments can be made.
func (sc *scope) able(ms []*Func) []*Func {
	return slices.DeleteFunc(slices.Clone(ms), func(m *Func) bool {
		return slices.ContainsFunc(m.Args, func(a Arg) bool { return !sc.makeable(a.Type, map[reflect.Type]bool{}) })
	})
}

// ends reports whether a value of t can be made without a value of the types in
// open. A value that may be nil or empty always can.
func (sc *scope) ends(t reflect.Type, open []reflect.Type) bool {
	for _, o := range open {
		if o == t || o.Kind() == reflect.Pointer && o.Elem() == t {
			return false
		}
	}
	switch {
	case t.Kind() == reflect.Array:
		return sc.ends(t.Elem(), open)
	case !sc.onlyMade(t):
		return true
	}
	ms, tier := sc.family(t)
	return len(ms) == 0 || tier != Found || sc.finite(ms, open) != nil
}

// makeable reports whether values of t can be made at all: not those that are too large,
// nor those of funcs and channels, unless they are declared.
func (sc *scope) makeable(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t.Size() > valueBytes {
		return false
	}
	if e := sc.entry(t); seen[t] || e != nil && (e.values != nil || e.makers != nil && !e.byDefault(t) || e.found != nil) {
		return true
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return isSteps(t)
	case reflect.Map:
		return sc.makeable(t.Key(), seen) && sc.makeable(t.Elem(), seen)
	case reflect.Array:
		return t.Len() <= arrayMax && sc.makeable(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice:
		return sc.makeable(t.Elem(), seen)
	case reflect.Interface:
		e := sc.types[t]
		return e != nil && e.variants != nil
	case reflect.Struct:
		if isMessage(t) {
			return true
		}
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || Own(t)) && !sc.makeable(f.Type, seen) {
				return false
			}
		}
	}
	return true
}

// calls adds to an interface the constructor for its builder functions, declared or
// found, if there are any (see Ctor.Call).
func (d *deriver) calls(s *Schema, e entry, sc *scope, path string) {
	if sc.ignore.Builders && e.makers == nil {
		return
	}
	ms := slices.Clip(e.makers)
	if e.byDefault(s.Type) && e.variants != nil {
		ms = nil // the default
	}
	if e.variants == nil {
		ms = append(ms, sentinels(s.Type, e.likely.all)...)
	}
	for _, t := range append([]reflect.Type{s.Type}, e.variants...) {
		if o := sc.types[t]; o != nil && o.makers == nil && (t == s.Type || !Hides(t)) {
			for _, m := range o.found {
				ms = append(ms, m.lifted(s.Type))
			}
		}
	}
	if ms = sc.able(ms); len(ms) == 0 {
		return
	}
	inner := d.add(s.Type)
	d.made(inner, ms, sc, path)
	s.Ctors = append(s.Ctors, Ctor{Name: "call", Call: true, variant: s.Type, Fields: []Field{{"", inner, 0}}})
}
