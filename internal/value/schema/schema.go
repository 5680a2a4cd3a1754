//go:build go1.25

// Package schema describes a Go type as an algebraic type: constructors with
// fields.
//
// A struct has one constructor. A pointer has two: nil, and a pointer to a value. An
// interface has one constructor for each variant (a type that implements it), and a
// type with builder functions has one for each function. Lists have elements, and a
// scalar has one constructor with many values. The schemas are compiled into plans,
// so that building the Go value of a term is a walk over two flat arrays, without
// reflection:
//
//	w, err := schema.Derive(reflect.TypeFor[In](), decls)
//	b := schema.NewBuilder(w)
//	ok := b.Build(t, unsafe.Pointer(&in)) // t is a term of w.Root
//	t, err := w.Read(reflect.ValueOf(in)) // and back, where the type allows it
//
// A World contains all schemas of one input type. Its odds are set before the first
// term is generated (gen.Trial, weight.Tune). After that it does not change, and
// goroutines may share it. Goroutines must not share a Builder.
package schema

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/allele-go/allele/internal/value/steps"
	"github.com/allele-go/allele/internal/value/term"
)

// Kind determines how the terms of a schema look.
type Kind uint8

// The node of a Scalar stores its value in X. The bytes of String, Bytes and Block
// follow the node. List kinds store their length in X, and their elements follow.
// The other kinds are constructors with fields, numbered by C.
const (
	Scalar    Kind = iota // bool, int*, uint*, uintptr, float*
	String                // string
	Bytes                 // []byte: C is 0 for nil, term.Raw otherwise
	Struct                // one constructor
	Complex               // one constructor: real and imaginary part
	Pointer               // constructor 0 is nil, 1 is a pointer to a value
	Interface             // constructor 0 is nil, then there is one for each variant
	Made                  // one constructor for each builder function
	Choice                // one constructor, without fields, for each declared value
	Slice                 // C is 0 for nil, 1 otherwise
	Array                 // always of length Len
	Map                   // C as for Slice; X entries sorted by key, each a key and a value
	Block                 // an array of at least blockMin scalars: C is term.Raw, and its memory follows, see block.go
	Rule                  // one constructor for each alternative of a part of a regular expression, see match.go
)

// Schema describes one type. A type has several schemas if different declarations
// apply to it in different parts of the input.
type Schema struct {
	ID    uint16
	Kind  Kind
	Type  reflect.Type
	Ctors []Ctor  // none for Scalar, String, Bytes and lists
	Elem  *Schema // of a Slice, Array, Block or Map
	Key   *Schema // of a Map
	Len   int     // of an Array or Block
	Base  *Schema // of a Choice: the schema of its values; nil if they cannot be terms, such as functions; of a Match: String or Bytes

	// LenMin and LenMax are the bounds of the length of a Slice in a Rule. Such a slice is
	// never nil. LenMax is 0 for other slices, which have no bounds.
	LenMin, LenMax int

	Lo, Hi  uint64 // minimal and maximal X of a Scalar, in the order of Less
	Limited bool   // Lo and Hi are a declared range
	Bits    int    // width of a Scalar
	Class   *Class // of a Scalar in a Rule: X is the index of a member

	Consts []uint64 // of a Scalar: the constants of its type
	Units  []uint64 // of a Scalar: most of its values are small multiples of one of these, such as time.Second
	Words  []string // of a String: the constants of its type
	Loose  bool     // Consts and Words are only a few of its values
	Tag    *Tag     // what the struct tag of a field says about its values; nil without one

	Patterns []Pattern // shapes of its terms that code branches on
	// Odds has the relative frequencies of the constructors, followed by those of
	// the patterns; nil means that all are equally likely.
	Odds []float64

	Manner
	Measure

	numeral

	first int // see First

	ops    []op // the plan that builds a value of the type
	elemOf *cell
	opaque *opaque  // of a Struct that is a protobuf message with hidden fields
	match  *matcher // of a Rule: set if it describes a whole text, and not a part of one

	machine *steps.Machine // of a list of calls, and of its value: see steps.go
}

// numeral describes the numbers of a Scalar.
type numeral struct {
	float, signed bool
	capped        bool     // values outside of Lo and Hi are valid but are not generated
	names         []string // of Consts, if they are those of a protobuf enum: constants of the package of the type
	follows       bool     // its sign is that of the scalar before it, see Number
}

// Manner has what is different about a schema where its values must fit others.
type Manner struct {
	UTF8   bool // of a String: only valid UTF-8 is generated; other texts are valid terms, because cases may contain them
	Finite bool // of a float: it is neither NaN nor infinite
	NonNil bool // of a Slice or Map: it is never nil, because an interface contains it
	Only   bool // of a Scalar: only Consts are generated; other values are valid terms, because cases may contain them
	Nil    bool // of an Interface: nil is one of its values, and counts as a cell like the others

	From []Source // of a Scalar, String or Bytes: the fields that its values are taken from, if they are declared
}

// Source is a field of a struct type, wherever the type occurs in the input.
type Source struct {
	Owner reflect.Type
	Field string
}

// Ctor is a constructor: one of the alternatives for a value of a type.
type Ctor struct {
	Name   string
	Fields []Field
	Func   *Func         // of a Made: the builder function; of an opaque value of a Choice: its name in Go code
	Value  term.Term     // of a Choice: the value, as a term of Base
	Opaque reflect.Value // of a Choice: the value, if it cannot be a term

	// Call marks the constructor of an Interface that stands for its builder
	// functions. The only field of this constructor has the type of the interface,
	// but another schema: a Made schema whose constructors are these functions.
	Call bool

	// Weighed marks a constructor with a declared weight.
	Weighed bool

	texts   []string       // of a Rule: the text before each field, and after the last
	variant reflect.Type   // of an Interface
	ops     []op           // the plan that builds the fields
	box     *cell          // the memory to allocate for the fields, nil if none is needed
	tab     unsafe.Pointer // of an Interface: the first word of its value, see words
	direct  bool           // of an Interface: the second word is the value itself, not a pointer to it
}

// Field is a field of a constructor: a struct field, an argument of a builder, or,
// without a name, the value in a pointer or an interface.
type Field struct {
	Name string
	S    *Schema
	off  uintptr
}

// Pattern is a term with holes. It describes terms that some function in the source
// treats specially.
type Pattern struct {
	Name  string // name of the function that branches on it, and a number
	Shape *Shape
}

// Shape is a node of a Pattern. A nil *Shape is a hole, which matches any term.
type Shape struct {
	S      *Schema
	C      int      // constructor
	X      uint64   // of a Scalar
	Text   string   // of a String or Bytes
	Fields []*Shape // of the constructor, or the elements of a list
}

// World contains every schema reachable from one input type.
type World struct {
	Root    *Schema
	Schemas []*Schema // by ID
	Notes   []string  // messages for the user about the derivation
	Hollow  []Hollow  // the user's own interfaces that can only be nil
	Links   []string  // about links that never point back; shown for every Check, like Zero
	Zero    []string  // those of Notes about parts that never vary: structs that are always zero, interfaces that are always nil
	Unset   []string  // those of Notes about parts that are never set because no value makes sense: functions, channels, atomics
	// Depth selects how terms are generated. If it is positive, constructors are
	// chosen by their Odds alone, and terms have at most Depth levels. If it is 0,
	// each term gets a size that is split among its fields.
	Depth int
	// CallsMax is the maximal number of calls in a list of calls, see Schema.IsCalls.
	CallsMax int

	declared []Declared
	cells    []*cell
	fallible bool  // a builder function may reject its arguments
	encoder  *Func // makes the inputs, if one is declared
	tagged   bool  // see Tagged
	fickle   fickle
	left     bool // a part is left zero or nil, perhaps one that has no message, such as a mutex
}

// Hollow is an interface without variants, so it is always nil.
type Hollow struct {
	Path string // its first place in the input
	Type reflect.Type
}

// String returns the reason why the interface is always nil.
func (h Hollow) String() string {
	return fmt.Sprintf("%s: %v has no variants, so it is always nil", h.Path, h.Type)
}

// Of returns the schema of a node.
func (w *World) Of(n term.Node) *Schema { return w.Schemas[n.S] }

// IsList reports whether terms of s have a list of elements.
func (s *Schema) IsList() bool { return s.Kind == Slice || s.Kind == Array || s.Kind == Map }

// IsScalar reports whether terms of s are one node.
func (s *Schema) IsScalar() bool { return s.Kind == Scalar || s.Kind == Block || s.IsText() }

// IsText reports whether terms of s are texts: strings or bytes.
func (s *Schema) IsText() bool { return s.Kind == String || s.Kind == Bytes }

// Fits reports whether a text may be generated for s, which must be a String or Bytes.
func (s *Schema) Fits(text []byte) bool { return !s.UTF8 || utf8.Valid(text) }

// First returns the index of the first constructor that is generated. It skips nil
// for an interface that has variants, because Go code rarely intends a nil
// interface; any and error are the exceptions. It also skips hidden builders, see Func.
func (s *Schema) First() int { return s.first }

// Variant returns the Go type of constructor c of an Interface.
func (s *Schema) Variant(c int) reflect.Type { return s.Ctors[c].variant }

// IsFloat reports whether X holds the bits of a float64.
func (s *Schema) IsFloat() bool { return s.float }

// IsSigned reports whether X holds a sign-extended integer.
func (s *Schema) IsSigned() bool { return s.signed }

// number sets the kind, width and limits of a scalar.
func (s *Schema) number() {
	k := s.Type.Kind()
	s.Kind = Scalar
	s.Bits = 8 * int(s.Type.Size())
	s.float = k == reflect.Float32 || k == reflect.Float64
	s.signed = k >= reflect.Int && k <= reflect.Int64
	s.Lo, s.Hi = limits(s.Type)
}

// Less orders the values of a scalar. A NaN is greater than all other values.
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

// In reports whether x may be generated for the scalar: it is in its declared range, and
// representable in its type.
func (s *Schema) In(x uint64) bool {
	if s.Only && !slices.Contains(s.Consts, x) {
		return false
	}
	if s.IsFloat() {
		f := math.Float64frombits(x)
		if s.Finite && (f != f || math.IsInf(f, 0)) {
			return false
		}
		if f != f || !s.Limited {
			return f == f && s.Bits == 64 || !s.Limited && (f != f || float64(float32(f)) == f)
		}
		return !s.Less(x, s.Lo) && !s.Less(s.Hi, x) && (s.Bits == 64 || float64(float32(f)) == f)
	}
	return !s.Less(x, s.Lo) && !s.Less(s.Hi, x)
}

// Holds reports whether x is a value of the scalar. It holds for all values that are generated, and
// for others that may occur in cases: those of an enum without Consts, and those outside of a range
// that is not declared by the user.
func (s *Schema) Holds(x uint64) bool {
	if !s.Only && !s.capped {
		return s.In(x)
	}
	free := *s
	free.Only, free.Limited = false, false
	free.Lo, free.Hi = limits(s.Type)
	return free.In(x)
}

// limits returns the minimal and maximal value of an unrestricted scalar type.
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

// HasConstants reports whether a number or text has constants that are declared for its type: in the source of the
// program, or by the user. Constants that code compares it with do not count, and neither do likely values of a
// predeclared type, such as string.
func HasConstants(s *Schema) bool {
	if s.Loose || s.Only || s.Type.PkgPath() == "" {
		return false
	}
	return s.Kind == Scalar && len(s.Consts) > 0 || s.Kind == String && len(s.Words) > 0
}
