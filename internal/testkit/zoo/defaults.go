//go:build go1.25

package zoo

import "reflect"

// JSON is another name of any.
type JSON any

// Defaults has interfaces that have values without a declaration.
type Defaults struct {
	Data any
	Obj  map[string]any
	Keys map[any]JSON
	Pair [2]any
	Ptr  *any
}

func defaults() Animal { return Animal{Name: "defaults", Type: reflect.TypeFor[Defaults]()} }
