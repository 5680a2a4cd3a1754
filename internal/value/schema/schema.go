// Package schema sees a Go type as an algebra: constructors with fields.
//
// A struct has one constructor, a pointer two (nil and a cell), an interface
// one for every variant, a type with builder functions one for every function.
// Lists have elements, scalars are one constructor with many values. Once the
// shape is known it is compiled into plans, so that building the value of a
// term is a walk over two flat arrays without reflection:
//
//	w, err := schema.Derive(reflect.TypeFor[In](), decls)
//	b := schema.NewBuilder(w)
//	ok := b.Build(t, unsafe.Pointer(&in)) // t is a term of w.Root
//	t, err := w.Read(reflect.ValueOf(in)) // and back, where the type allows it
//
// A World is not changed any more once its odds are set (gen.Trial, weight.Tune), before
// the first term is made, and may be shared between goroutines from then on; a
// Builder may not.
package schema

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/allele-go/allele/internal/value/term"
)

// Kind says how the terms of a schema look.
type Kind uint8

// A node of a Scalar keeps its value in X; String and Bytes keep their bytes
// behind the node; List kinds keep their length in X and their elements
// behind; the others are constructors with fields, numbered by C.
const (
	Scalar    Kind = iota // bool, int*, uint*, uintptr, float*
	String                // string
	Bytes                 // []byte: C is 0 for nil, term.Raw otherwise
	Struct                // one constructor
	Complex               // one constructor: real and imaginary part
	Pointer               // 0 nil, 1 a cell
	Interface             // 0 nil, then one for each variant
	Made                  // one for each builder function
	Choice                // one for each declared value, without fields
	Slice                 // C is 0 for nil, 1 otherwise
	Array                 // always of length Len
	Map                   // C as for Slice; X entries, key then value, sorted by key
)

// Schema is the shape of one type, in one place where declarations differ.
type Schema struct {
	ID    uint16
	Kind  Kind
	Type  reflect.Type
	Ctors []Ctor  // not for Scalar, String, Bytes and lists
	Elem  *Schema // of a Slice, Array or Map
	Key   *Schema // of a Map
	Len   int     // of an Array
	Base  *Schema // of a Choice: the schema its values are terms of; nil if they are opaque

	Lo, Hi  uint64 // least and greatest X of a Scalar, in the order of Less
	Limited bool   // Lo and Hi were declared
	Bits    int    // width of a Scalar

	Consts []uint64 // of a Scalar: the constants of its type
	Units  []uint64 // of a Scalar: most of its values are a few of one of these
	Words  []string // of a String: the same
	Loose  bool     // it has many values beside these

	Patterns []Pattern // shapes of its terms that code looks for
	// Odds are how often to choose each constructor and, after these, each
	// pattern, in any unit; nil means that all are alike.
	Odds []float64

	Measure

	first         int // see First
	float, signed bool
	capped        bool         // there are values beyond Lo and Hi that nobody tries
	fast          reflect.Type // of a Map that is built without reflection

	ops    []op // writes one value of the type, its own unit included
	elemOf *cell
}

// Ctor is one way to make a value.
type Ctor struct {
	Name   string
	Fields []Field
	Func   *Func     // of a Made
	Value  term.Term // of a Choice: the value, as a term of Base
	Opaque reflect.Value

	// Call marks the constructor of an Interface whose one field is a value of
	// the same type that functions made.
	Call bool

	// Weighed marks one that somebody has said a weight of.
	Weighed bool

	variant reflect.Type   // of an Interface
	ops     []op           // writes the fields
	box     *cell          // what is allocated to hold them, if anything is
	tab     unsafe.Pointer // of an Interface: the type word
	direct  bool           // the value itself is the data word
}

// Field is a field of a constructor: a struct field, an argument of a builder,
// or the nameless content of a cell or box.
type Field struct {
	Name string
	S    *Schema
	off  uintptr
}

// Pattern is a term with holes.
type Pattern struct {
	Name  string // of the function that looks for it, and a number
	Shape *Shape
}

// Shape is a node of a Pattern. A nil *Shape is a hole: any term will do.
type Shape struct {
	S      *Schema
	C      int      // constructor
	X      uint64   // of a Scalar
	Text   string   // of a String or Bytes
	Fields []*Shape // of the constructor, or the elements of a list
}

// World holds every schema reachable from one input type.
type World struct {
	Root    *Schema
	Schemas []*Schema // by ID
	Notes   []string  // what the user should know about the derivation
	Hollow  []string  // interfaces of the user's own that can only be nil
	// Depth is how deep terms are if constructors are chosen by their Odds alone;
	// 0 means that a size is split among fields instead.
	Depth int

	cells    []*cell
	fallible bool // a builder function may refuse its arguments
}

// Of is the schema of a node.
func (w *World) Of(n term.Node) *Schema { return w.Schemas[n.S] }

// IsList reports whether terms of s hold any number of elements.
func (s *Schema) IsList() bool { return s.Kind == Slice || s.Kind == Array || s.Kind == Map }

// IsScalar reports whether terms of s are one node.
func (s *Schema) IsScalar() bool { return s.Kind == Scalar || s.Kind == String || s.Kind == Bytes }

// First is the first constructor worth generating: an interface that has
// variants is never nil, because Go code rarely means it to be, nor is a pointer
// that our own builders make.
func (s *Schema) First() int { return s.first }

// Variant is the Go type behind constructor c of an Interface.
func (s *Schema) Variant(c int) reflect.Type { return s.Ctors[c].variant }

// IsFloat reports whether X holds the bits of a float64.
func (s *Schema) IsFloat() bool { return s.float }

// IsSigned reports whether X holds a sign-extended integer.
func (s *Schema) IsSigned() bool { return s.signed }

// number notes what sort of scalar s is.
func (s *Schema) number() {
	k := s.Type.Kind()
	s.Kind = Scalar
	s.Bits = 8 * int(s.Type.Size())
	s.float = k == reflect.Float32 || k == reflect.Float64
	s.signed = k >= reflect.Int && k <= reflect.Int64
	s.Lo, s.Hi = limits(s.Type)
}

// Less orders the values of a scalar. A NaN is above everything.
func (s *Schema) Less(x, y uint64) bool {
	switch {
	case s.IsFloat():
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		if a != a || b != b {
			return a == a
		}
		return a < b
	case s.IsSigned():
		return int64(x) < int64(y)
	}
	return x < y
}

// In reports whether x is a value of the scalar: in its declared range, and
// one its type can hold.
func (s *Schema) In(x uint64) bool {
	if s.IsFloat() {
		f := math.Float64frombits(x)
		if f != f || !s.Limited {
			return f == f && s.Bits == 64 || !s.Limited && (f != f || float64(float32(f)) == f)
		}
		return !s.Less(x, s.Lo) && !s.Less(s.Hi, x) && (s.Bits == 64 || float64(float32(f)) == f)
	}
	return !s.Less(x, s.Lo) && !s.Less(s.Hi, x)
}

// limits are the least and greatest values of an unrestricted scalar type.
func limits(t reflect.Type) (lo, hi uint64) {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return 0, 1
	case k == reflect.Float32:
		return math.Float64bits(-math.MaxFloat32), math.Float64bits(math.MaxFloat32)
	case k == reflect.Float64:
		return math.Float64bits(-math.MaxFloat64), math.Float64bits(math.MaxFloat64)
	case k >= reflect.Int && k <= reflect.Int64:
		b := t.Bits()
		return uint64(int64(-1) << (b - 1)), uint64(1)<<(b-1) - 1
	default:
		return 0, math.MaxUint64 >> (64 - t.Bits())
	}
}
