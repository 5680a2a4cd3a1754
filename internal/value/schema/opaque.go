//go:build go1.25

package schema

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// An opaque value cannot be a term: a function, a channel, or a value in an interface that has
// no such variant, such as io.EOF. All runs get the declared value itself, so it can be compared
// with the variable that it comes from.

// keep makes each declared value a constructor.
func (s *Schema) keep(values []Listed) {
	for i, v := range values {
		s.Ctors[i] = s.opaqueCtor(v, i)
	}
}

// opaqueCtor returns the constructor of an opaque value, with a name that differs from those of
// the values before it.
func (s *Schema) opaqueCtor(v Listed, i int) Ctor {
	f := variable(v, i)
	for _, other := range s.Ctors[:i] {
		if other.Name == f.Name {
			f.Name, f.Named = fmt.Sprintf("%s_%d", f.Name, i), false
		}
	}
	return Ctor{Name: f.Name, Opaque: v.value, Func: f}
}

// variable returns the name in Go code of a declared value, as far as it is known.
func variable(listed Listed, i int) *Func {
	f := &Func{Name: "value" + strconv.Itoa(i)}
	v := listed.value
	switch {
	case v.IsZero():
		f.Name = "nil"
	case v.Kind() == reflect.Func:
		f.Name, f.Named = funcName(v)
		if f.Named = f.Named && !strings.Contains(runtime.FuncForPC(v.Pointer()).Name(), "[...]"); f.Named {
			f.Pkg = funcPkg(v)
		}
	case v.Kind() == reflect.Interface:
		if name, pkg := wellKnown(v.Interface()); name != "" {
			f.Name, f.Pkg, f.Named = name, pkg, true
		}
		listed.Text = errorText(v.Interface())
	}
	f.Form = Variable{listed}
	return f
}

// wellKnown returns the name of a variable that has the value v: one of the standard library, or one
// that was found in the source.
func wellKnown(v any) (name, pkg string) {
	err, ok := v.(error)
	if !ok || !reflect.TypeOf(err).Comparable() {
		return "", ""
	}
	if x, ok := foundErrors.Load(err); ok {
		return x.(foundError).name, x.(foundError).pkg
	}
	for _, x := range wellKnownErrors {
		if x.err == err {
			pkg, _, _ := strings.Cut(x.name, ".")
			if pkg == "fs" {
				pkg = "io/fs"
			}
			return x.name, pkg
		}
	}
	return "", ""
}

// wellKnownErrors are errors that code often compares with, of packages that are linked anyway.
var wellKnownErrors = []struct {
	name string
	err  error
}{
	{"io.EOF", io.EOF}, {"io.ErrUnexpectedEOF", io.ErrUnexpectedEOF}, {"io.ErrClosedPipe", io.ErrClosedPipe},
	{"io.ErrShortWrite", io.ErrShortWrite}, {"io.ErrShortBuffer", io.ErrShortBuffer}, {"io.ErrNoProgress", io.ErrNoProgress},
	{"context.Canceled", context.Canceled}, {"context.DeadlineExceeded", context.DeadlineExceeded},
	{"fs.ErrNotExist", fs.ErrNotExist}, {"fs.ErrExist", fs.ErrExist}, {"fs.ErrPermission", fs.ErrPermission},
	{"fs.ErrInvalid", fs.ErrInvalid}, {"fs.ErrClosed", fs.ErrClosed}, {"os.ErrDeadlineExceeded", os.ErrDeadlineExceeded},
	{"os.ErrProcessDone", os.ErrProcessDone}, {"errors.ErrUnsupported", errors.ErrUnsupported},
	{"strconv.ErrSyntax", strconv.ErrSyntax}, {"strconv.ErrRange", strconv.ErrRange}, {"bufio.ErrTooLong", bufio.ErrTooLong},
}

var errorType = reflect.TypeFor[error]()

// isOpaque reports whether a declared value of s is kept as it is: one of an interface that is
// not among the variants, and an error, because code compares errors by their address. err says
// why the value cannot be a term, if it cannot.
func (s *Schema) isOpaque(v reflect.Value, err error) bool {
	if s.Type.Kind() != reflect.Interface {
		return false
	}
	return err != nil || s.Type.Implements(errorType) && !v.IsNil() && v.Elem().Kind() == reflect.Pointer
}

// identical returns the constructor of the opaque value that is v itself, or -1. A printed test may
// make the value again, so the only one that v equals counts too.
func (s *Schema) identical(v reflect.Value) int {
	for c := range s.Ctors {
		if s.Ctors[c].Value == nil && same(s.Ctors[c].Opaque, v) {
			return c
		}
	}
	if v.Kind() != reflect.Interface {
		return -1
	}
	equal := s.equal(v)
	if len(equal) != 1 {
		return -1
	}
	return equal[0]
}

// equal returns the constructors of the opaque values in an interface that equal v.
func (s *Schema) equal(v reflect.Value) (cs []int) {
	for c := range s.Ctors {
		if s.Ctors[c].Value == nil && reflect.DeepEqual(s.Ctors[c].Opaque.Interface(), v.Interface()) {
			cs = append(cs, c)
		}
	}
	return cs
}

// Again reports whether Read finds constructor c again in a value that is made by the same Go code.
func (s *Schema) Again(c int) bool {
	v := s.Ctors[c].Opaque
	return v.Kind() == reflect.Interface && len(s.equal(v)) == 1
}

func same(a, b reflect.Value) bool {
	switch {
	case a.IsZero() || b.IsZero():
		return a.IsZero() && b.IsZero()
	case a.Kind() == reflect.Func:
		return a.Pointer() == b.Pointer()
	}
	return a.Comparable() && b.Comparable() && a.Equal(b)
}

// IsZero reports whether the constructor of a Choice is an opaque value that is nil.
func (c *Ctor) IsZero() bool { return c.Value == nil && c.Opaque.IsZero() }

// field derives a field of a struct. A function or channel stays nil if nothing is declared about
// it, and so does a list, a map or a pointer of them: allele cannot know what it should do.
func (d *deriver) field(t reflect.Type, sc *scope, path string) *Schema {
	if !sc.unmakeable(t) {
		return d.schema(t, sc, path)
	}
	sc.places = append(sc.places, place{path, t})
	d.unset, d.world.left = append(d.unset, place{path, t}), true
	s := d.add(t)
	s.Kind, s.Ctors = Choice, []Ctor{{Name: "nil", Opaque: reflect.Zero(t), Func: &Func{Name: "nil", Form: Variable{}}}}
	return s
}

// unmakeable reports whether t is, or consists of, functions or channels about which nothing is
// declared.
func (sc *scope) unmakeable(t reflect.Type) bool { return sc.lacks(t, nil) }

// bare is like unmakeable, but what is declared about t itself does not count.
func (sc *scope) bare(t reflect.Type) bool { return sc.consists(t, nil) }

// lacks is unmakeable inside the types of open. A type that contains itself, such as type T []T,
// does not consist of functions because of that.
func (sc *scope) lacks(t reflect.Type, open []reflect.Type) bool {
	if e := sc.types[t]; e != nil && (e.values != nil || e.makers != nil || e.found != nil) || slices.Contains(open, t) {
		return false
	}
	return sc.consists(t, open)
}

func (sc *scope) consists(t reflect.Type, open []reflect.Type) bool {
	open = append(open, t)
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return !isSteps(t)
	case reflect.Map:
		return sc.lacks(t.Key(), open) || sc.lacks(t.Elem(), open)
	case reflect.Pointer, reflect.Slice:
		return sc.lacks(t.Elem(), open)
	case reflect.Array:
		return t.Len() > 0 && sc.lacks(t.Elem(), open)
	}
	return false
}
