//go:build go1.25

package same

import (
	"cmp"
	"reflect"
	"slices"
)

// Apart reports whether no memory is reachable twice from the values: they share nothing
// with each other, and each is a tree, without pointers to the same variable. It also reports
// false if a value contains a function, a channel or an unsafe pointer, or is too large.
// Values of types for which skip returns true are not visited.
func Apart(skip func(reflect.Type) bool, vs ...reflect.Value) bool {
	a := aparter{skip: skip, starts: map[uintptr]bool{}}
	for _, v := range vs {
		if !a.value(v) {
			return false
		}
	}
	slices.SortFunc(a.all, func(x, y region) int { return cmp.Compare(x.start, y.start) })
	for i := 1; i < len(a.all); i++ {
		if a.all[i].start < a.all[i-1].end {
			return false
		}
	}
	return true
}

// region is the memory that a pointer, slice or map refers to.
type region struct{ start, end uintptr }

type aparter struct {
	skip   func(reflect.Type) bool
	all    []region
	starts map[uintptr]bool // the beginnings of all, so that a cycle is found at once
}

// regionsMax bounds the values that Apart looks at.
const regionsMax = 1 << 20

// add adds a region. It returns false if another one begins at the same address.
func (a *aparter) add(start, size uintptr) bool {
	if size == 0 {
		return true // all empty variables may have the same address
	}
	if a.starts[start] || len(a.all) == regionsMax {
		return false
	}
	a.starts[start] = true
	a.all = append(a.all, region{start, start + size})
	return true
}

// value visits all that v refers to. It is one switch over kinds, kept whole.
func (a *aparter) value(v reflect.Value) bool {
	if a.skip(v.Type()) {
		return true
	}
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsZero()
	case reflect.Pointer:
		return v.IsNil() || a.add(v.Pointer(), v.Type().Elem().Size()) && a.value(v.Elem())
	case reflect.Interface:
		return v.IsNil() || a.value(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return true
		}
		if size := v.Type().Elem().Size(); !a.add(v.Pointer(), uintptr(v.Cap())*size) {
			return false
		}
		return a.elements(v)
	case reflect.Array:
		return a.elements(v)
	case reflect.Map:
		if v.IsNil() {
			return true
		}
		if !a.add(v.Pointer(), 1) {
			return false
		}
		for it := v.MapRange(); it.Next(); {
			if !a.value(it.Key()) || !a.value(it.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !a.value(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

func (a *aparter) elements(v reflect.Value) bool {
	if k := v.Type().Elem().Kind(); k <= reflect.Complex128 || k == reflect.String {
		return true
	}
	for i := range v.Len() {
		if !a.value(v.Index(i)) {
			return false
		}
	}
	return true
}
