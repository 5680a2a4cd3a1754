//go:build go1.25

package fuzzinput

import (
	"fmt"
	"math"
	"reflect"
)

// basics are the types of fuzz arguments, by name.
var basics = map[string]reflect.Type{
	"string": reflect.TypeFor[string](), "[]byte": reflect.TypeFor[[]byte](), "[]uint8": reflect.TypeFor[[]byte](),
	"bool": reflect.TypeFor[bool](), "byte": reflect.TypeFor[byte](), "rune": reflect.TypeFor[rune](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](),
	"uint": reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](),
	"uint32": reflect.TypeFor[uint32](), "uint64": reflect.TypeFor[uint64](),
}

// converted returns a value in another type, if nothing is lost: texts as texts, numbers as
// numbers. nil becomes the zero value.
func converted(v any, to Arg) (any, error) {
	t, ok := basics[to.typ]
	if !ok {
		return nil, fmt.Errorf("the field %s has the type %s, which fuzz arguments cannot have", to.name, to.text)
	}
	if v == nil {
		return reflect.Zero(t).Interface(), nil
	}
	from := reflect.ValueOf(v)
	switch {
	case from.Type() == t:
		return v, nil
	case isText(from.Type()) != isText(t), from.Kind() == reflect.Bool, t.Kind() == reflect.Bool:
		return nil, fmt.Errorf("cannot use a value of type %T as %s", v, to.text)
	case isText(t):
		return from.Convert(t).Interface(), nil
	}
	out := from.Convert(t)
	if from.CanFloat() && out.CanFloat() && math.IsInf(from.Float(), 0) == math.IsInf(out.Float(), 0) {
		return out.Interface(), nil // rounded, as a constant of this type would be
	}
	if back := out.Convert(from.Type()); !same(back, from) || negative(out) != negative(from) {
		return nil, fmt.Errorf("%v does not fit %s", v, to.text)
	}
	return out.Interface(), nil
}

func isText(t reflect.Type) bool { return t.Kind() == reflect.String || t.Kind() == reflect.Slice }

// same reports whether two numbers of one type are equal; NaN equals NaN.
func same(a, b reflect.Value) bool {
	if a.CanFloat() {
		return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	}
	return a.Interface() == b.Interface()
}

func negative(v reflect.Value) bool {
	return v.CanInt() && v.Int() < 0 || v.CanFloat() && v.Float() < 0
}
