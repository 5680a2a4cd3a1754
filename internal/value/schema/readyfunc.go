//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// This file has what ready builders are made of. A builder has a template, which is the call as Go
// code; the declarations about its arguments, if not all values of their types are of use; and
// invert, which finds the arguments of a given value, so that examples may contain it.

// func0, func1 and func2 wrap functions with 0, 1 and 2 arguments whose types are
// known here. Calls are five times cheaper than through reflect. The compiler makes a copy of
// them for each builder, and all users compile them: whatever does not need the types is in wrapped.
func func0[R any](template string, f func() R) *Func {
	return wrapped(template, reflect.TypeFor[R](), noArgs, func(dst, _ unsafe.Pointer) bool {
		*(*R)(dst) = f()
		return true
	})
}

func func1[A, R any](template string, f func(A) R) *Func {
	return wrapped(template, reflect.TypeFor[R](), reflect.TypeFor[args1[A]](), func(dst, args unsafe.Pointer) bool {
		*(*R)(dst) = f((*args1[A])(args).A0)
		return true
	})
}

func func2[A, B, R any](template string, f func(A, B) R) *Func {
	return wrapped(template, reflect.TypeFor[R](), reflect.TypeFor[args2[A, B]](), func(dst, args unsafe.Pointer) bool {
		a := (*args2[A, B])(args)
		*(*R)(dst) = f(a.A0, a.A1)
		return true
	})
}

// wrapped returns a builder of values of type result. args is a struct type with one field for
// each argument. call may reject its arguments.
func wrapped(template string, result, args reflect.Type, call func(dst, args unsafe.Pointer) bool) *Func {
	m := &Func{Name: template, Template: template, Named: true, Form: Call{}, Result: result, args: args, call: call}
	m.Pkg = result.PkgPath()
	if result.Kind() == reflect.Pointer {
		m.Pkg = result.Elem().PkgPath()
	}
	for i := range args.NumField() {
		m.Args = append(m.Args, Arg{Type: args.Field(i).Type})
	}
	return m
}

// setting wraps a function that sets the result from a struct of arguments.
func setting[Args, R any](template string, f func(*R, *Args)) *Func {
	return wrapped(template, reflect.TypeFor[R](), reflect.TypeFor[Args](), func(dst, args unsafe.Pointer) bool {
		f((*R)(dst), (*Args)(args))
		return true
	})
}

var noArgs = reflect.TypeFor[struct{}]()

type args1[A any] struct{ A0 A }

type args2[A, B any] struct {
	A0 A
	A1 B
}

// reflected returns a builder for a type that is only known at run time. The function set
// receives the arguments, which have the types args.
func reflected(t reflect.Type, template string, set func(dst reflect.Value, args []reflect.Value) bool, args ...reflect.Type) *Func {
	m := &Func{Name: template, Template: template, Named: true, Form: Call{}, Result: t, Pkg: t.PkgPath()}
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
	c, spelled := *f, f.Form.(Spelled)
	c.Name, c.Template, c.Result, c.Pkg = template, template, t, t.PkgPath()
	c.call = func(dst, args unsafe.Pointer) bool {
		return form.set(reflect.NewAt(t, dst).Elem(), spelled.spell(args))
	}
	c.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		s, ok := form.text(v)
		if !ok {
			return nil, false
		}
		return spelled.unspell(s)
	}
	return &c
}

// given returns the hidden builder of bytes that no call of the encoder has made. It is
// printed as the bytes alone.
func given(t reflect.Type) *Func {
	m := &Func{Name: "_0", Template: "_0", Named: true, Form: Call{}, Result: t, hidden: true}
	m.Args = []Arg{{Type: t, Decls: []Decl{}}}
	m.args = reflect.StructOf([]reflect.StructField{{Name: "A0", Type: t}})
	m.call = func(dst, args unsafe.Pointer) bool { *(*[]byte)(dst) = *(*[]byte)(args); return true }
	m.invert = func(v reflect.Value) ([]reflect.Value, bool) { return []reflect.Value{v}, true }
	return m
}

// asGiven returns the hidden builder of all values of t: its argument is the value itself, made
// from its fields. Examples and stored cases may have values that the others do not make.
func asGiven(t reflect.Type) *Func {
	f := given(t)
	f.Pkg, f.Form = t.PkgPath(), Given{}
	f.call = func(dst, args unsafe.Pointer) bool {
		reflect.NewAt(t, dst).Elem().Set(reflect.NewAt(t, args).Elem())
		return true
	}
	return f
}

// literal returns a builder of a struct that sets exported fields: those in fields to its
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
	m.Form = Literal{Fields: fields, Fixed: fixed}
	m.invert = func(v reflect.Value) (args []reflect.Value, ok bool) {
		for _, name := range fields {
			args = append(args, v.FieldByName(name))
		}
		return args, fixed != "" && v.FieldByName(fixed).Bool() || fixed == "" && (len(fields) > 0 || v.IsZero())
	}
	return m
}

// reflectedNil returns the builder of a nil.
func reflectedNil(t reflect.Type, template string) *Func {
	f := reflected(t, template, func(dst reflect.Value, _ []reflect.Value) bool {
		dst.SetZero()
		return true
	})
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.IsNil() }
	return f
}

// hiddenZero returns the hidden builder of the zero value of R, which examples may contain.
func hiddenZero[R any](template string) *Func { return hiddenZeroOf(reflect.TypeFor[R](), template) }

func hiddenZeroOf(t reflect.Type, template string) *Func {
	f := wrapped(template, t, noArgs, func(dst, _ unsafe.Pointer) bool {
		reflect.NewAt(t, dst).Elem().SetZero()
		return true
	})
	f.hidden = true
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.IsZero() }
	return f
}

// newZero returns the hidden builder &T{}.
func newZero[T any]() *Func { return newZeroOf(reflect.TypeFor[T]()) }

func newZeroOf(t reflect.Type) *Func {
	f := zeroPointer(reflect.PointerTo(t))
	f.Name = "new(" + t.String() + ")"
	f.Template, f.hidden = f.Name, true // equal names mark a builder that comes with allele
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, !v.IsNil() && v.Elem().IsZero() }
	return f
}

// zeroPointer returns the builder &T{} of t = *T. Its arguments set the given fields.
func zeroPointer(t reflect.Type, fields ...string) *Func {
	zero := &Func{
		Name:   "&" + t.Elem().String() + "{}",
		Pkg:    t.Elem().PkgPath(),
		Result: t,
		Named:  true,
		Form:   Start{fields},
	}
	zero.Template = zero.Name + "()" // must differ from Name, but is never printed
	var args []reflect.StructField
	for i, name := range fields {
		f, _ := t.Elem().FieldByName(name)
		zero.Args = append(zero.Args, Arg{Type: f.Type})
		args = append(args, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: f.Type})
	}
	zero.args = reflect.StructOf(args)
	zero.call = func(dst, from unsafe.Pointer) bool {
		v := reflect.New(t.Elem())
		for i, a := range zero.arguments(from) {
			v.Elem().FieldByName(fields[i]).Set(a)
		}
		reflect.NewAt(t, dst).Elem().Set(v)
		return true
	}
	return zero
}

func values(vs ...any) []reflect.Value {
	out := make([]reflect.Value, len(vs))
	for i, v := range vs {
		out[i] = reflect.ValueOf(v)
	}
	return out
}

// elements returns the elements of a slice.
func elements(list reflect.Value) (all []reflect.Value) {
	for i := range list.Len() {
		all = append(all, list.Index(i))
	}
	return all
}

func rangeOf[V any](lo, hi V) Decl {
	return Decl{Type: reflect.TypeFor[V](), What: Range{Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)}}
}

// valuesOf declares all values of a type of this package.
func valuesOf[V any](vs ...V) Decl {
	return Decl{Type: reflect.TypeFor[V](), What: Values{All: elements(reflect.ValueOf(vs))}}
}

// variantsOf declares the variants of an interface of this package.
func variantsOf[I any](vs ...I) Decl {
	return Decl{Type: reflect.TypeFor[I](), What: VariantsOf(vs...)}
}

// matchOf declares the texts of strings. The expression must be valid.
func matchOf(expr string) Decl {
	m, err := NewMatch(expr)
	if err != nil {
		panic("schema: " + err.Error())
	}
	return Decl{Type: stringType, What: m}
}

func makes(f *Func) Decl { return Decl{Type: f.Result, What: f} }

var (
	byteType   = reflect.TypeFor[uint8]()
	stringType = reflect.TypeFor[string]()
)

// addressed returns a pointer to v or, if v is a *T, v itself.
func addressed[T any](v reflect.Value) *T {
	if v.Kind() == reflect.Pointer {
		return v.Interface().(*T)
	}
	return v.Addr().Interface().(*T)
}

// parsed turns a parser's error into a bool.
func parsed[R any](parse func(string) (R, error)) func(string) (R, bool) {
	return func(text string) (R, bool) {
		x, err := parse(text)
		return x, err == nil
	}
}

// qualified sets the package that the names in a template belong to, if it is not that of the result.
func qualified(pkg string, f *Func) *Func {
	f.Pkg = pkg
	return f
}

// imports sets a second package that a template needs.
func imports(pkg string, f *Func) *Func {
	f.Imports = []string{pkg}
	return f
}

// utf8Arg lets the first argument of f be a text in UTF-8, whatever the user declares about texts.
func utf8Arg(f *Func) *Func {
	f.Args[0].Decls = []Decl{{Type: reflect.TypeFor[string](), What: UTF8}}
	return f
}
