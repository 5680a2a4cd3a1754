//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
)

// Decl is one declaration about a type, or about a part of the input.
type Decl struct {
	Type reflect.Type // the type that it is about; nil for At and Ignore
	What Declaration
	Tier Tier
}

// Declaration is what a Decl declares. There is one type for each kind of declaration:
//
//	Variants    the types that an interface may hold
//	Values      the only values of a type
//	Likely      constants of a type, which has other values as well
//	Range       the least and the greatest number of a type
//	*Match      a regular expression for texts
//	Trait       what all values of a type have in common
//	*Func       a builder of a type
//	Through     an encoder that makes whole inputs
//	*ShapeDecl  a pattern of values
//	*Mix        which constructors are used, and how often
//	From        a field that values of a type are taken from
//	Ignore      which facts are not used
//	At          declarations for a part of the input
//
// To add a kind, write a type with these methods. TestEveryKindOfDeclaration fails until
// all code that distinguishes kinds handles the new one.
type Declaration interface {
	// code returns the declaration of a type as the user wrote it.
	code(t reflect.Type) string
	// declare adds the declaration d, which has this content, to a scope.
	declare(sc *scope, d Decl)
}

// Tier is where a declaration was made. If builders of a type are declared in
// several tiers, only those of the highest tier are used.
type Tier uint8

// Declarations of the tiers below Local are made for many properties. So it is no
// error if one does not apply to a property.
const (
	Ready  Tier = iota // comes with allele
	Found              // found in the source
	Global             // for the whole test binary
	Local              // for one property
)

// String returns the declaration as the user wrote it.
func (d Decl) String() string { return d.What.code(d.Type) }

// Variants are the types that an interface may hold.
type Variants []reflect.Type

// VariantsOf returns the types of values that implement an interface.
func VariantsOf[I any](vs ...I) (types Variants) {
	for _, v := range vs {
		types = append(types, reflect.TypeOf(v))
	}
	return types
}

func (v Variants) code(t reflect.Type) string { return fmt.Sprintf("Variants[%v]", t) }

func (v Variants) declare(sc *scope, d Decl) { sc.about(d).variants = v }

// Values are the only values of a type.
type Values struct {
	All  []reflect.Value
	Site Site // the call that declares them
}

func (v Values) code(t reflect.Type) string { return fmt.Sprintf("Values[%v]", t) }

func (v Values) declare(sc *scope, d Decl) { sc.about(d).values = v.Site.listed(v.All) }

// Likely are values of a type that are generated more often than others, such as its constants.
type Likely struct {
	All   []reflect.Value
	Site  Site // the call that declares them
	Only  bool // no other values are generated
	Loose bool // they are only operands of comparisons, so values that are not listed are as common
}

func (l Likely) code(t reflect.Type) string { return fmt.Sprintf("Likely[%v]", t) }

func (l Likely) declare(sc *scope, d Decl) {
	e := sc.about(d)
	switch {
	case d.Type == errorType: // each package declares its own
		e.likely.all = append(slices.Clip(e.likely.all), l.Site.listed(l.All)...)
	case l.Loose && e.likely.all != nil:
		if e.likely.loose { // otherwise they are the constants of the type, which matter more
			e.likely.all = append(slices.Clip(e.likely.all), l.Site.listed(l.All)...)
		}
	default:
		e.likely = likely{l.Site.listed(l.All), l.Loose, l.Only}
	}
}

// Range limits the numbers of a type. Both ends are included.
type Range struct {
	Lo, Hi reflect.Value
	Narrow bool // values outside of Lo and Hi are valid but are not generated
}

func (r Range) code(t reflect.Type) string { return fmt.Sprintf("Range[%v]", t) }

func (r Range) declare(sc *scope, d Decl) { sc.about(d).limit = &r }

func (m *Match) code(t reflect.Type) string { return fmt.Sprintf("Match[%v]", t) }

func (m *Match) declare(sc *scope, d Decl) { sc.about(d).match = m }

// Trait is what all values of a type have in common that are generated. A type may have several.
type Trait uint8

const (
	UTF8   Trait = 1 << iota // of texts: they are valid UTF-8
	NonNil                   // of slices and maps: they are not nil
	Finite                   // of floats: they are neither NaN nor infinite
)

func (x Trait) code(t reflect.Type) string {
	return fmt.Sprintf(map[Trait]string{UTF8: "UTF-8 in %v", NonNil: "non-nil %v", Finite: "finite %v"}[x], t)
}

func (x Trait) declare(sc *scope, d Decl) { sc.about(d).traits |= x }

func (m *Func) code(reflect.Type) string { return fmt.Sprintf("Builder(%s)", m.Name) }

func (m *Func) declare(sc *scope, d Decl) { sc.about(d).build(m, d.Tier) }

// Through declares an encoder: it makes whole inputs, and no parts of them.
type Through struct{ Encoder *Func }

func (x Through) code(reflect.Type) string { return fmt.Sprintf("Through(%s)", x.Encoder.Name) }

func (x Through) declare(*scope, Decl) {} // see input

func (s *ShapeDecl) code(t reflect.Type) string { return fmt.Sprintf("Pattern[%v](%q)", t, s.Name) }

func (s *ShapeDecl) declare(sc *scope, d Decl) {
	e, shape := sc.about(d), *s
	shape.tier = d.Tier
	e.shapes = append(e.shapesBeside(&shape), &shape)
}

func (m *Mix) code(t reflect.Type) string { return fmt.Sprintf("%s[%v]", m.word(), t) }

func (m *Mix) declare(sc *scope, d Decl) {
	e := sc.about(d)
	e.mixes = append(slices.Clip(e.mixes), m)
}

func (i Ignore) code(reflect.Type) string { return "Ignore" }

func (i Ignore) declare(sc *scope, _ Decl) {
	old := sc.ignore
	sc.ignore = Ignore{old.Builders || i.Builders, old.Patterns || i.Patterns, old.Constants || i.Constants, old.Tags || i.Tags}
}

// From declares that the numbers or texts of a field are taken from another field.
type From Source

func (f From) code(reflect.Type) string { return fmt.Sprintf("From[%v](%q)", f.Owner, f.Field) }

func (f From) declare(sc *scope, d Decl) {
	if d.Type == nil { // it is no option of Field: see unused
		sc.use(d)
		return
	}
	e := sc.about(d)
	e.sources = append(slices.Clip(e.sources), Source(f))
}

// At has declarations for the part of the input at a path.
type At struct {
	Path  string
	Owner reflect.Type // the struct that the path starts from, wherever it occurs; nil if it starts from the input
	Sub   []Decl
}

func (a At) code(reflect.Type) string {
	if a.Owner != nil {
		return fmt.Sprintf("Field[%v](%q)", a.Owner, a.Path)
	}
	return fmt.Sprintf("At(%q)", a.Path)
}

func (a At) declare(sc *scope, d Decl) {
	sc.rules = append(sc.rules, &rule{owner: a.Owner, everywhere: a.Owner != nil, path: splitPath(a.Path), sub: a.Sub, use: sc.use(d)})
}

// repeatable reports whether a property may declare a thing of this kind several times for one type.
func repeatable(what Declaration) bool {
	switch what := what.(type) {
	case *Func, *Mix, From:
		return true
	case Likely:
		return what.Loose
	default:
		return false
	}
}
