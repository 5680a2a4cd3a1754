package allele

import (
	"reflect"
	"sync"

	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/schema"
)

// What is said here about types is what `allele test` reads out of the source by
// itself, and what `allele facts -write` writes down for plain `go test`.

// Likely lists values of a type that are worth more than others, because the type
// was made for them or code looks for them. Values lists the only ones.
func Likely[V any](vs ...V) Option {
	t := reflect.TypeFor[V]()
	d := schema.Decl{Type: t, Tier: schema.Local}
	switch t.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Interface,
		reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return mistake("Likely[%v]: want numbers or strings; Pattern says which shapes are likely", t)
	}
	if len(vs) == 0 {
		return mistake("Likely[%v]: list at least one value", t)
	}
	for _, v := range vs {
		d.Consts = append(d.Consts, reflect.ValueOf(v))
	}
	return declare(d)
}

// Field limits declarations to one field of a struct, wherever in the input the
// struct is:
//
//	allele.Field[Token]("Kind", allele.Likely("if", "else"))
func Field[S any](name string, opts ...Option) Option {
	t := reflect.TypeFor[S]()
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		return mistake("Field[%v](%q): want the struct: Field[%v]", t, name, t.Elem())
	}
	if t.Kind() != reflect.Struct {
		return mistake("Field[%v](%q): want a struct", t, name)
	}
	if _, ok := t.FieldByName(name); !ok {
		return mistake("Field[%v](%q): there is no such field", t, name)
	}
	sub, ok := declarations(opts)
	if !ok {
		return mistake("Field[%v](%q): give it options that say something about a type, such as Likely or Range", t, name)
	}
	for i := range sub.Decls {
		sub.Decls[i].Loose = sub.Decls[i].Consts != nil
	}
	return optionFunc(func(o *property.Settings) {
		o.Errs = append(o.Errs, sub.Errs...)
		o.Decls = append(o.Decls, schema.Decl{Owner: t, Path: name, Sub: sub.Decls, Tier: schema.Local})
	})
}

// Maker is a function that may make values of a type, or change them, as `allele test`
// finds them in the source. It is a [Builder] that nobody vouches for: a panic or a nil
// is a refusal, a function that refuses most of its arguments is called less often, and
// the arguments with the given numbers, the receiver counting as 0, are small, because
// they say how much memory it takes or how long it goes on. A type that hides fields is
// made by its makers alone, an interface by its variants as well, other types by their
// fields; a Builder comes before all makers.
func Maker(f any, small ...int) Option {
	m, err := schema.NewFound("", f, small...)
	if err != nil {
		return mistake("Maker: %w", err)
	}
	return declare(schema.Decl{Type: m.Result, Make: m, Tier: schema.Found})
}

// Pattern is a shape of a type that is worth trying, because code looks for it.
// What is zero in it may be anything, except for the fields whose paths are named
// as fixed:
//
//	allele.Pattern[Html]("simplify#1", Join{Left: Text{}, Right: Text{}})
//	allele.Pattern("balance#1", &Tree{Left: &Tree{Red: true}}, "Red")
func Pattern[V any](name string, shape V, fixed ...string) Option {
	v := reflect.ValueOf(&shape).Elem()
	if name == "" || v.IsZero() && len(fixed) == 0 {
		return mistake("Pattern[%v](%q): give it a name, and a shape that is not zero", v.Type(), name)
	}
	return declare(schema.Decl{Type: v.Type(), Shape: &schema.ShapeDecl{Name: name, Value: v, Fixed: fixed}, Tier: schema.Local})
}

// Only limits an interface, or a type that functions make, to the constructors
// with the given names: variants by their types, functions and patterns by their
// names, all that were found in the source by "builders" and "patterns". It is
// for one property; what is known about the type stays as it is for others.
//
//	allele.Only[Html]("Text", "Join", "patterns")
func Only[V any](names ...string) Option {
	t := reflect.TypeFor[V]()
	if len(names) == 0 {
		return mistake("Only[%v]: name at least one constructor", t)
	}
	m := &schema.Mix{Only: names}
	if m.Everywhere(t) {
		return mistake("Only[any]: say of which type; Without[any] leaves out builders, patterns or fields of all")
	}
	return declare(schema.Decl{Type: t, Mix: m, Tier: schema.Local})
}

// Without leaves out constructors of a type, named as for [Only]. Without[any]
// leaves out "builders", "patterns" or the constants of "fields" of all types:
//
//	allele.Without[any]("builders") // fill the fields of types, hidden ones too
func Without[V any](names ...string) Option {
	t := reflect.TypeFor[V]()
	if len(names) == 0 {
		return mistake("Without[%v]: name at least one constructor", t)
	}
	return declare(schema.Decl{Type: t, Mix: &schema.Mix{Without: names}, Tier: schema.Local})
}

// Weight says how often a constructor of a type, named as for [Only], is chosen
// among those that suit the size that is left for it: others have 1.
func Weight[V any](name string, w float64) Option {
	t := reflect.TypeFor[V]()
	if !(w >= 0 && w <= 1e6) || name == "" {
		return mistake("Weight[%v](%q, %v): want a name, and a weight from 0 to a million", t, name, w)
	}
	return declare(schema.Decl{Type: t, Mix: &schema.Mix{Weights: map[string]float64{name: w}}, Tier: schema.Local})
}

var declared struct {
	sync.Mutex
	opts []Option
}

// Declare makes options hold for every Check of the test binary. Call it from
// an init function or TestMain, or where a package-level variable is set:
//
//	func init() { allele.Declare(allele.Variants[Expr](Num{}, Add{})) }
func Declare(opts ...Option) {
	declared.Lock()
	defer declared.Unlock()
	declared.opts = append(declared.opts, opts...)
}

// gather applies what was declared for all, then what this Check says.
func gather(opts []Option) property.Settings {
	global := func(s *property.Settings) {
		declared.Lock()
		defer declared.Unlock()
		apply(s, declared.opts)
	}
	return property.Gather(global, func(s *property.Settings) { apply(s, opts) })
}
