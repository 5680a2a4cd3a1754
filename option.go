//go:build go1.25

package allele

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/schema"
)

// Option configures a [Check] or declares facts about the types of its input.
type Option interface{ apply(*property.Settings) }

type optionFunc func(*property.Settings)

func (f optionFunc) apply(s *property.Settings) { f(s) }

// Tests is the number of runs of a Check that must pass, 1,000 by default. A Check stops
// after ten times as many runs, even if fewer have passed. Tests(0) runs only examples and
// stored cases; it is an error if none of them passes.
type Tests int

func (n Tests) apply(s *property.Settings) {
	if v := int(n); v >= 0 {
		s.Tests = &v
		return
	}
	mistake("Tests(%d): want 0 or more", int(n)).apply(s)
}

// For is the time that a Check runs, instead of a number of tests.
//
//	allele.For(30 * time.Second)
type For time.Duration

func (d For) apply(s *property.Settings) {
	if v := time.Duration(d); v > 0 {
		s.Budget = &v
		return
	}
	mistake("For(%v): want a time above 0", time.Duration(d)).apply(s)
}

// Seed is the seed of the random inputs. By default it is computed from the name of the
// property: each execution of a test generates the same inputs, so a test that passes keeps
// passing.
type Seed uint64

func (n Seed) apply(s *property.Settings) { v := uint64(n); s.Seed = &v }

// Size is the size of the largest inputs, 20 by default: the number of nodes of a tree or
// elements of a list. Most generated numbers are not larger than the Size either. A list of
// calls ([Steps]) has at most Size calls, and 50 by default.
type Size int

func (n Size) apply(s *property.Settings) {
	if v := int(n); v > 0 {
		s.Size = &v
		return
	}
	mistake("Size(%d): want a size of at least 1", int(n)).apply(s)
}

// Name is the name of a Check in a test with several Checks. Each Check has its own stored
// cases. Without a Name the second Check of TestX is called TestX#2, and its cases belong to
// another Check when the order of the Checks changes.
type Name string

func (n Name) apply(s *property.Settings) { s.Name = string(n) }

// AllowVacuous lets a Check pass even if it has checked almost nothing. Without this option
// such a Check fails as vacuous.
func AllowVacuous() Option { return optionFunc(func(o *property.Settings) { o.Vacuous = true }) }

// Given declares a precondition: an input for which pre returns false is discarded before
// the property runs. Given is cheaper than [T.Assume].
func Given[In any](pre func(In) bool) Option {
	if pre == nil {
		return mistake("Given: the function is nil")
	}
	_, file, line, _ := runtime.Caller(1)
	return optionFunc(func(o *property.Settings) {
		o.Given = append(o.Given, property.Given{In: reflect.TypeFor[In](), Pre: pre, Site: fmt.Sprintf("%s:%d", file, line)})
	})
}

// Compare declares when two values that [T.Observe] recorded are equal. It is used for values
// of type V or, if V is an interface, of the types that implement V. The first argument is from
// the original run. Values that contain a V are compared as without Compare.
//
//	allele.Compare(func(a, b *Tree) bool { return slices.Equal(a.Keys(), b.Keys()) })
//
// The values are copies. A copy shares functions and channels with the original, and the far
// parts of a huge value.
func Compare[V any](equal func(a, b V) bool) Option {
	if equal == nil {
		return mistake("Compare: the function is nil")
	}
	c := property.Compare{Type: reflect.TypeFor[V](), Equal: func(a, b any) bool { return equal(a.(V), b.(V)) }}
	return optionFunc(func(o *property.Settings) { o.Compare = append(o.Compare, c) })
}

// Example adds an input that is run before all others. A value that only builders can make
// cannot be an example, because allele cannot find out which calls made the value. Write
// those calls into a case file in testdata/allele instead.
func Example[In any](v In) Option {
	return optionFunc(func(o *property.Settings) { o.Examples = append(o.Examples, reflect.ValueOf(&v).Elem()) })
}

func declare(t reflect.Type, what schema.Declaration) Option {
	d := schema.Decl{Type: t, What: what, Tier: schema.Local}
	return optionFunc(func(o *property.Settings) { o.Decls = append(o.Decls, d) })
}

func mistake(format string, args ...any) Option {
	return optionFunc(func(o *property.Settings) { o.Errs = append(o.Errs, fmt.Errorf(format, args...)) })
}

// Variants lists the types that an interface may hold. Each argument stands for its type;
// its value does not matter:
//
//	allele.Variants[Expr](Num{}, Add{}, &Let{})
func Variants[I any](vs ...I) Option {
	t := reflect.TypeFor[I]()
	if t.Kind() != reflect.Interface {
		return mistake("Variants[%v]: want an interface; Values lists values of any type", t)
	}
	types := schema.VariantsOf(vs...)
	if i := slices.Index(types, nil); i >= 0 {
		return mistake("Variants[%v]: argument %d is nil; give a value of each type, as in Num{}", t, i+1)
	}
	if len(vs) == 0 {
		return mistake("Variants[%v]: list at least one variant", t)
	}
	return declare(t, types)
}

// Values lists the only values that a type may have.
//
//	allele.Values[Method]("GET", "PUT", "DELETE")
func Values[V any](vs ...V) Option {
	t := reflect.TypeFor[V]()
	if len(vs) == 0 {
		return mistake("Values[%v]: list at least one value", t)
	}
	values := schema.Values{Site: schema.SiteOf()}
	for i := range vs {
		values.All = append(values.All, reflect.ValueOf(&vs[i]).Elem())
	}
	return declare(t, values)
}

// number is the constraint of [Range]. For texts there are [Match] and [Values].
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Range limits the numbers of a type to those from lo to hi, both included.
//
//	allele.Range[Port](1, 65535)
//
// A range of floats may have infinite ends. It never contains NaN.
func Range[V number](lo, hi V) Option {
	t := reflect.TypeFor[V]()
	return declare(t, schema.Range{Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)})
}

// Match limits the texts of a type to those that match a regular expression as a whole, in
// the syntax of package regexp. Texts are generated, changed and shrunk inside the language of
// the expression, so no run is lost to a text that does not match:
//
//	allele.Match[string](`v?\d+\.\d+\.\d+(-[0-9a-z]+)?`)
//	allele.At("Release.Version", allele.Match[string](`\d+\.\d+`))
//
// Texts consist of valid UTF-8, and of the characters of a large class such as . or \pL the
// ASCII ones are generated most. The length of a repetition is bounded by [Size], unless the
// expression needs more. Conditions such as \b, or ^ and $ inside the expression, are checked
// after a text was made; if they rarely hold, many inputs are discarded. A text in an
// [Example] or a stored case that does not match is an error that names the position.
func Match[V ~string | ~[]byte](expr string) Option {
	t := reflect.TypeFor[V]()
	m, err := schema.NewMatch(expr)
	if err != nil {
		return mistake("Match[%v](%q): %w", t, expr, err)
	}
	return declare(t, m)
}

// Builder declares a function that makes values of its result type. The function becomes a
// constructor: its arguments are generated like fields. Several builders of one type are
// alternatives. A second result of type error or bool reports whether the arguments were
// acceptable. If they were not, the input is discarded. A method that changes its receiver and
// returns nothing makes values of the receiver's type. It starts from a value that another
// builder has made or, if all builders of the type are such methods, from the zero value.
//
//	allele.Builder(NewTree), allele.Builder((*Tree).Insert)
//
// Builders of Tree and builders of *Tree work together. A builder of *Tree also makes values of
// type Tree: those that its pointers point to. If *Tree has builders, a builder of Tree also
// makes pointers, to a new variable with its value, from which methods start.
//
// A panic in a builder fails the property, unless the builder is [Partial].
func Builder(f any, rules ...Partial) Option {
	if len(rules) == 0 {
		m, err := schema.NewFunc(f)
		if err != nil {
			return mistake("%w", err)
		}
		return declare(m.Result, m)
	}
	var small []int
	for _, r := range rules {
		small = append(small, r.Small...)
	}
	m, err := schema.NewFound("", f, small...)
	if err != nil {
		return mistake("Builder: %w", err)
	}
	for _, i := range small {
		if i < 0 || i >= len(m.Args) {
			return mistake("Builder(%s): Small lists argument %d, but the arguments are numbered from 0 to %d", m.Name, i, len(m.Args)-1)
		}
	}
	return optionFunc(func(o *property.Settings) {
		o.Decls = append(o.Decls, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	})
}

// Partial declares that a [Builder] does not accept all arguments. A panic or a nil
// result means that the builder refuses its arguments. A builder that refuses most arguments
// is called less often. All builders that `allele test` finds in the source are partial.
//
//	allele.Builder(NewPercent, allele.Partial{})
//	allele.Builder(NewRing, allele.Partial{Small: []int{0}})
//
// A partial builder is used beside the builders that were found for the type that it makes. A
// builder of that type that is declared without Partial replaces those that were found. A partial builder
// that is declared with [Declare] is used only for interfaces and for types with unexported
// fields; other structs are still filled field by field.
type Partial struct {
	// Small lists the arguments that determine how much memory or time a call needs. Only
	// small values, from 0 to 64, are generated for them. For other arguments any number of the
	// type may be generated: a length that is not listed here may use up the memory. The
	// receiver of a method is argument 0.
	Small []int
}

// Through declares that the inputs of a property over bytes are made by an encoder. The values
// that it encodes are generated, changed and shrunk, instead of bytes, so every input is well
// formed:
//
//	func TestDecode(t *testing.T) {
//		allele.Check(t, func(t *allele.T, data []byte) { Decode(data) },
//			allele.Through(func(m Message) ([]byte, error) { return json.Marshal(m) }))
//	}
//
// If the encoder returns an error, the input is discarded. The other options declare things about
// the values and their parts; [At] starts from the value. An [Example] is a value, or bytes that need
// not come from the encoder.
func Through[In any](encode func(In) ([]byte, error)) Option {
	if encode == nil {
		return mistake("Through: the function is nil")
	}
	m, err := schema.NewEncoder(encode)
	if err != nil {
		return mistake("%w", err)
	}
	return declare(m.Result, schema.Through{Encoder: m})
}

// At limits declarations to one field of the input. The path names struct fields, starting
// from the input. Pointers, lists and maps add no name to the path; an interface adds the name
// of a variant. In a recursive type the path means the field at every depth:
//
//	func(t *allele.T, in struct{ Root *Tree; Key int }) { ... }
//	allele.At("Root.K", allele.Range(0, 99)) // the K of every node of in.Root
//
// After a map, [key] means its keys alone, and after a map or a list, [] means its elements alone:
//
//	func(t *allele.T, in struct{ Headers map[string]string }) { ... }
//	allele.At("Headers[key]", allele.Match[string](`[A-Z][a-z]*`))
func At(path string, opts ...Option) Option {
	sub, ok := declarations(opts)
	if path == "" || !ok {
		return mistake("At(%q): want the path of a field, and options that declare something about its type, such as Range or Values", path)
	}
	return optionFunc(func(o *property.Settings) {
		o.Errs = append(o.Errs, sub.Errs...)
		o.Decls = append(o.Decls, schema.Decl{What: schema.At{Path: path, Sub: sub.Decls}, Tier: schema.Local})
	})
}

// declarations returns the settings of options that declare something about types. ok is
// false if there are no such options, or if an option sets anything else.
func declarations(opts []Option) (sub property.Settings, ok bool) {
	apply(&sub, opts)
	rest := sub
	rest.Decls, rest.Errs = nil, nil
	whole := slices.ContainsFunc(sub.Decls, func(d schema.Decl) bool {
		_, through := d.What.(schema.Through)
		return through
	})
	return sub, !whole && reflect.ValueOf(rest).IsZero() && len(sub.Decls)+len(sub.Errs) > 0
}

func apply(s *property.Settings, opts []Option) {
	for _, o := range opts {
		if o != nil {
			o.apply(s)
		}
	}
}
