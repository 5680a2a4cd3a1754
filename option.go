package allele

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"time"

	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/schema"
)

// Option changes how a Check works or says something about its input.
type Option interface{ apply(*property.Settings) }

type optionFunc func(*property.Settings)

func (f optionFunc) apply(s *property.Settings) { f(s) }

// Tests is the number of passed runs a Check wants, 1,000 unless it says
// otherwise. It gives up after ten times as many runs. Tests(0) runs nothing
// but the examples and the stored cases.
type Tests int

func (n Tests) apply(s *property.Settings) { v := max(0, int(n)); s.Tests = &v }

// For lets a Check run for a time instead of a number of tests.
type For time.Duration

func (d For) apply(s *property.Settings) { v := time.Duration(d); s.Budget = &v }

// Seed is where the random inputs start. Without it every property has a seed
// of its own that does not change, so that a test that passes keeps passing.
type Seed uint64

func (n Seed) apply(s *property.Settings) { v := uint64(n); s.Seed = &v }

// Size is the size of the largest inputs, 20 unless it says otherwise: nodes of
// trees, elements of lists, and the reach of most numbers.
type Size int

func (n Size) apply(s *property.Settings) { v := max(1, int(n)); s.Size = &v }

// Name tells apart several Checks in one test. Stored cases belong to a name.
func Name(s string) Option { return optionFunc(func(o *property.Settings) { o.Name = s }) }

// AllowVacuous accepts a Check that has checked almost nothing, which is
// otherwise a failure.
func AllowVacuous() Option { return optionFunc(func(o *property.Settings) { o.Vacuous = true }) }

// Given is a precondition: inputs for which pre is false are discarded before
// the property sees them. It does what [T.Assume] does, at less cost.
func Given[In any](pre func(In) bool) Option {
	if pre == nil {
		return mistake("Given: the function is nil")
	}
	_, file, line, _ := runtime.Caller(1)
	return optionFunc(func(o *property.Settings) {
		o.Given = append(o.Given, property.Given{In: reflect.TypeFor[In](), Pre: pre, Site: fmt.Sprintf("%s:%d", file, line)})
	})
}

// Example is an input to try before any other. A value that only builders can
// make cannot be given this way, as the calls that made it are not known: put
// the calls into a case file under testdata/allele instead.
func Example[In any](v In) Option {
	return optionFunc(func(o *property.Settings) { o.Examples = append(o.Examples, reflect.ValueOf(&v).Elem()) })
}

func declare(d schema.Decl) Option {
	return optionFunc(func(o *property.Settings) { o.Decls = append(o.Decls, d) })
}

func mistake(format string, args ...any) Option {
	return optionFunc(func(o *property.Settings) { o.Errs = append(o.Errs, fmt.Errorf(format, args...)) })
}

// Variants lists the types an interface may hold, by a value of each. Only the
// types count:
//
//	allele.Variants[Expr](Num{}, Add{}, &Let{})
func Variants[I any](vs ...I) Option {
	t := reflect.TypeFor[I]()
	if t.Kind() != reflect.Interface {
		return mistake("Variants[%v]: want an interface; Values lists values of any type", t)
	}
	d := schema.Decl{Type: t, Tier: schema.Local}
	for i, v := range vs {
		vt := reflect.TypeOf(v)
		if vt == nil {
			return mistake("Variants[%v]: argument %d is nil; give a value of each type, as in Num{}", t, i+1)
		}
		d.Variants = append(d.Variants, vt)
	}
	if len(vs) == 0 {
		return mistake("Variants[%v]: list at least one variant", t)
	}
	return declare(d)
}

// Values lists the only values a type may have.
func Values[V any](vs ...V) Option {
	t := reflect.TypeFor[V]()
	if len(vs) == 0 {
		return mistake("Values[%v]: list at least one value", t)
	}
	d := schema.Decl{Type: t, Tier: schema.Local}
	for i := range vs {
		d.Values = append(d.Values, reflect.ValueOf(&vs[i]).Elem())
	}
	return declare(d)
}

// Range limits the numbers of a type to those from lo to hi, both included.
func Range[V cmp.Ordered](lo, hi V) Option {
	t := reflect.TypeFor[V]()
	if t.Kind() == reflect.String {
		return mistake("Range[%v]: a range of strings cannot be generated; use Values, or a type of its own with Builder", t)
	}
	return declare(schema.Decl{Type: t, Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi), Tier: schema.Local})
}

// Builder makes a function a constructor: values of its result type are made by
// calling it, and its arguments are generated like fields. Several builders of
// one type are alternatives. A second result of type error or bool says whether
// the arguments were acceptable; inputs for which they were not are discarded. A
// method that changes its receiver and gives nothing back makes the receiver.
//
//	allele.Builder(NewTree), allele.Builder((*Tree).Insert)
func Builder(f any) Option {
	m, err := schema.NewFunc(f)
	if err != nil {
		return mistake("%w", err)
	}
	return declare(schema.Decl{Type: m.Result, Make: m, Tier: schema.Local})
}

// At limits declarations to one field. The path names struct fields from the
// input down; pointers, lists and maps on the way need no mention, and an
// interface is passed by the name of a variant. In a recursive type the field
// is meant at every depth:
//
//	func(t *allele.T, in struct{ Root *Tree; Key int }) { ... }
//	allele.At("Root.K", allele.Range(0, 99)) // the K of every node of in.Root
func At(path string, opts ...Option) Option {
	sub, ok := declarations(opts)
	if path == "" || !ok {
		return mistake("At(%q): give it the path of a field, and options that say something about a type, such as Range or Values", path)
	}
	return optionFunc(func(o *property.Settings) {
		o.Errs = append(o.Errs, sub.Errs...)
		o.Decls = append(o.Decls, schema.Decl{Path: path, Sub: sub.Decls, Tier: schema.Local})
	})
}

// declarations are options that say something about types, and nothing else.
func declarations(opts []Option) (sub property.Settings, ok bool) {
	apply(&sub, opts)
	rest := sub
	rest.Decls, rest.Errs = nil, nil
	return sub, reflect.ValueOf(rest).IsZero() && len(sub.Decls)+len(sub.Errs) > 0
}

func apply(s *property.Settings, opts []Option) {
	for _, o := range opts {
		if o != nil {
			o.apply(s)
		}
	}
}
