//go:build go1.25

package schema

import (
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/value/pure"
)

// Values that point back, such as the elements of a doubly linked list, are not made from fields
// (see links.go). If no function was found that makes them, as in plain go test, methods with common
// names do. The names are constants: with others, the linker would keep all methods of all types.

// linkers returns the methods of *t with common names that add a value to a zero t. It returns nil
// if no value in a t points back, or the type belongs to another module.
func linkers(t reflect.Type) (all []*Func) {
	if t.Kind() != reflect.Struct || t.Name() == "" || !Own(t) || !linksInside(t) {
		return nil
	}
	p := reflect.PointerTo(t)
	add := func(m reflect.Method, ok bool) {
		if !ok || !pure.Method(m) {
			return
		}
		f := newMutator(m.Func).withCare()               // its results do not matter
		if c := f.onZero(t); c.ok && len(c.fields) > 0 { // otherwise a value needs a constructor, which is unknown
			all = append(all, f)
		}
	}
	add(p.MethodByName("Add"))
	add(p.MethodByName("AddChild"))
	add(p.MethodByName("Append"))
	add(p.MethodByName("AppendChild"))
	add(p.MethodByName("Attach"))
	add(p.MethodByName("Insert"))
	add(p.MethodByName("Push"))
	add(p.MethodByName("PushBack"))
	add(p.MethodByName("PushFront"))
	return all
}

// linksInside reports whether values that point back are in a t: a t itself, or values in its
// unexported fields.
func linksInside(t reflect.Type) bool {
	if l, ok := linkOf(t); ok && l.whole == t {
		return true
	}
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		e := f.Type
		if e.Kind() == reflect.Slice || e.Kind() == reflect.Map {
			e = e.Elem()
		}
		if e.Kind() == reflect.Pointer {
			e = e.Elem()
		}
		if f.IsExported() || e.Kind() != reflect.Struct || e == t {
			return false
		}
		_, ok := linkOf(e)
		return ok
	})
}
