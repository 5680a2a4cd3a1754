//go:build go1.25

package allele

import (
	"errors"
	"reflect"
	"sync"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/schema"
)

// The options in this file declare facts about types. `allele test` finds such facts in the
// source, and `allele facts -write` writes them to a file for plain `go test`.

// Likely lists values of a type that are generated more often than others, such as the
// constants of an enumeration, or values that code compares with. Other values are generated
// too, unlike with [Values].
//
//	allele.Likely[Method]("GET", "PUT", "DELETE")
//
// The type is one of numbers or texts, or error.
func Likely[V any](vs ...V) Option {
	t := reflect.TypeFor[V]()
	var likely schema.Likely
	if t == reflect.TypeFor[error]() && len(vs) > 0 {
		likely.Site = schema.SiteOf()
		for i := range vs {
			likely.All = append(likely.All, reflect.ValueOf(&vs[i]).Elem())
		}
		return declare(t, likely)
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Interface,
		reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return mistake("Likely[%v]: want numbers, strings or errors; use Pattern for shapes", t)
	}
	if len(vs) == 0 {
		return mistake("Likely[%v]: list at least one value", t)
	}
	for _, v := range vs {
		likely.All = append(likely.All, reflect.ValueOf(v))
	}
	return declare(t, likely)
}

// From declares, for one field, that its values are those of a field of S that occur in the same
// input, with few exceptions:
//
//	allele.Field[Call]("Func", allele.From[Decl]("Name"))
//
// Calls then name functions that are declared. Both fields have numbers or both have texts, or
// lists or pointers of them. A field may have several sources. A call remains as it is if the
// input has no Decl. Changes of an input may make a name unknown again, so a property that must
// not see such inputs needs a [Given].
func From[S any](name string) Option {
	t, wrong := structWith[S]("From", name)
	if wrong != nil {
		return wrong
	}
	return optionFunc(func(o *property.Settings) {
		o.Decls = append(o.Decls, schema.Decl{What: schema.From{Owner: t, Field: name}, Tier: schema.Local})
	})
}

// structWith returns the struct type S with a field of this name, or an option that says what is wrong with it.
func structWith[S any](option, name string) (t reflect.Type, wrong Option) {
	t = reflect.TypeFor[S]()
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		return t, mistake("%s[%v](%q): want the struct: %[1]s[%[4]v]", option, t, name, t.Elem())
	}
	if t.Kind() != reflect.Struct {
		return t, mistake("%s[%v](%q): want a struct", option, t, name)
	}
	f, ok := t.FieldByName(name)
	if !ok {
		return t, mistake("%s[%v](%q): the struct has no such field", option, t, name)
	}
	if len(f.Index) > 1 {
		in := t.FieldByIndex(f.Index[:len(f.Index)-1]).Type
		return t, mistake("%s[%v](%q): the field is that of an embedded struct: want %[1]s[%[4]v](%[3]q)", option, t, name, in)
	}
	return t, nil
}

// leafOf returns the type of the numbers or texts in a field: that of the field without pointers and lists.
func leafOf(t reflect.Type, name string) reflect.Type {
	f, _ := t.FieldByName(name)
	leaf := f.Type
	for range 100 { // a type may be a list of itself
		switch leaf.Kind() {
		case reflect.Slice:
			if leaf.Elem().Kind() == reflect.Uint8 { // a text
				return leaf
			}
		case reflect.Pointer, reflect.Array:
		default:
			return leaf
		}
		leaf = leaf.Elem()
	}
	return leaf
}

// Field limits declarations to one field of a struct type, wherever that type occurs in
// the input:
//
//	allele.Field[Token]("Kind", allele.Likely("if", "else"))
func Field[S any](name string, opts ...Option) Option {
	t, wrong := structWith[S]("Field", name)
	if wrong != nil {
		return wrong
	}
	sub, ok := declarations(opts)
	if !ok {
		return mistake("Field[%v](%q): want options that declare something about its type, such as Likely or Range", t, name)
	}
	for i, d := range sub.Decls {
		if _, ok := d.What.(schema.From); ok {
			sub.Decls[i].Type = leafOf(t, name)
		}
		if likely, ok := d.What.(schema.Likely); ok {
			likely.Loose = true
			sub.Decls[i].What = likely
		}
	}
	return optionFunc(func(o *property.Settings) {
		o.Errs = append(o.Errs, sub.Errs...)
		o.Decls = append(o.Decls, schema.Decl{What: schema.At{Owner: t, Path: name, Sub: sub.Decls}, Tier: schema.Local})
	})
}

// Pattern makes the generator produce values of a given shape, usually a shape that the code
// under test looks for. A field that is zero in the shape may have any value, unless its path
// is listed in fixed; then the field stays zero:
//
//	allele.Pattern[Html]("simplify#1", Join{Left: Text{}, Right: Text{}})
//	allele.Pattern("balance#1", &Tree{Left: &Tree{Red: true}}, "Red")
func Pattern[V any](name string, shape V, fixed ...string) Option {
	v := reflect.ValueOf(&shape).Elem()
	if name == "" || v.IsZero() && len(fixed) == 0 {
		return mistake("Pattern[%v](%q): want a name, and a shape that is not zero", v.Type(), name)
	}
	return declare(v.Type(), &schema.ShapeDecl{Name: name, Value: v, Fixed: fixed})
}

// Only limits an interface, or a type that builders make, to the named constructors. The
// name of a variant is the name of its type; the name of a builder is the name of its function.
// Only affects one property. Patterns stay in use if they consist of the remaining
// constructors; if Only names patterns too, all other patterns are removed.
//
//	allele.Only[Html]("Text", "Join")
func Only[V any](names ...string) Option {
	t := reflect.TypeFor[V]()
	if len(names) == 0 {
		return mistake("Only[%v]: name at least one constructor", t)
	}
	return declare(t, &schema.Mix{Only: names})
}

// Without excludes constructors and patterns of a type, by the names that [Only] uses. The
// name of a function also stands for all patterns that were found in it.
//
//	allele.Without[Html]("Single", "simplify")
func Without[V any](names ...string) Option {
	t := reflect.TypeFor[V]()
	if len(names) == 0 {
		return mistake("Without[%v]: name at least one constructor", t)
	}
	return declare(t, &schema.Mix{Without: names})
}

// Weight sets how often a constructor or pattern of a type is chosen, relative to the other
// constructors, whose weight is 1 by default. The choice is among the constructors that fit
// into what is left of the input's [Size]. The names are those that [Only] uses.
//
//	allele.Weight[Html]("Join", 3)
func Weight[V any](name string, w float64) Option {
	t := reflect.TypeFor[V]()
	if !(w >= 0 && w <= 1e6) || name == "" {
		return mistake("Weight[%v](%q, %v): want a name, and a weight from 0 to a million", t, name, w)
	}
	return declare(t, &schema.Mix{Weights: map[string]float64{name: w}})
}

// Ignore excludes facts that were found in the source, for all types of the input of one
// property.
//
//	allele.Ignore{Builders: true} // fill the fields of all types, unexported ones too
type Ignore struct {
	Builders  bool // functions that make values, unless Builder declares them without Partial
	Patterns  bool // all patterns
	Constants bool // constants that fields are compared with
	Tags      bool // struct tags with the keys validate and binding
}

func (i Ignore) apply(s *property.Settings) {
	if i == (Ignore{}) {
		s.Errs = append(s.Errs, errors.New("Ignore{}: set Builders, Patterns, Constants or Tags"))
		return
	}
	s.Decls = append(s.Decls, schema.Decl{What: schema.Ignore(i), Tier: schema.Local})
}

var declared struct {
	sync.Mutex
	opts []Option
}

// Declare sets options for every Check of the test binary. Call it from an init function,
// from TestMain, or in the initialisation of a package-level variable:
//
//	func init() { allele.Declare(allele.Variants[Expr](Num{}, Add{})) }
func Declare(opts ...Option) {
	declared.Lock()
	defer declared.Unlock()
	declared.opts = append(declared.opts, opts...)
}

// gather applies the options that are declared for all Checks, then those of this Check.
func gather(opts []Option) property.Settings {
	global := func(s *property.Settings) {
		declared.Lock()
		defer declared.Unlock()
		apply(s, declared.opts)
	}
	return property.Gather(global, func(s *property.Settings) { apply(s, opts) })
}
