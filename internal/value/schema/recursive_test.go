//go:build go1.25

package schema

import (
	"reflect"
	"testing"
)

type (
	nestSlice   []nestSlice
	nestMap     map[string]nestMap
	nestPointer *nestPointer
	nestArray   [2][]nestArray
	nestEven    []nestOdd
	nestOdd     map[string]*nestEven
	nestAny     []any
)

type nestAll struct {
	S nestSlice `validate:"required,dive,max=3"`
	M nestMap   `validate:"min=1,dive,required"`
	P nestPointer
	A nestArray
	E nestEven `validate:"dive,dive,required"`
	N nestAny
	F []func(nestSlice)
	C map[string]chan nestMap
}

// A type that contains itself without a struct between ends the derivation too.
func TestRecursiveLists(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[nestSlice](), reflect.TypeFor[nestMap](), reflect.TypeFor[nestPointer](), reflect.TypeFor[nestArray](),
		reflect.TypeFor[nestEven](), reflect.TypeFor[nestAny](), reflect.TypeFor[nestAll](), reflect.TypeFor[*nestAll](),
		reflect.TypeFor[map[string]nestAll](),
	} {
		if _, err := Derive(typ, nil); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
	}
}
