//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A map key that contains an interface may be impossible to hash, and building the map would panic.
// If this can happen, keys have a scope of their own. In it, declared values and variants that cannot
// be compared are left out, and so are such results of builders.

// unhashable reports whether a map key of type t may be impossible to hash.
func (sc *scope) unhashable(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	e := sc.types[t]
	switch {
	case e != nil && e.values != nil:
		return slices.ContainsFunc(e.values, Listed.unhashable)
	case e != nil && (e.makers != nil || e.found != nil) && !e.byDefault(t) && holdsInterface(t):
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return sc.unhashable(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if sc.unhashable(t.Field(i).Type, seen) {
				return true
			}
		}
	case reflect.Interface:
		part := func(v reflect.Type) bool { return !v.Comparable() || sc.unhashable(v, seen) }
		return sc.isJSON(t) || e != nil && (slices.ContainsFunc(e.variants, part) || slices.ContainsFunc(e.likely.all, Listed.unhashable))
	}
	return false
}

func (l Listed) unhashable() bool { return !l.value.Comparable() }

// holdsInterface reports whether a value of type t has an interface as a part, not behind a pointer.
func holdsInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return holdsInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// hashable returns what is declared about a type in a scope: of map keys, only what can be compared. If
// nothing is left, it is an error.
func (d *deriver) hashable(t reflect.Type, e entry, sc *scope, path string) entry {
	if !sc.kin.comparable {
		return e
	}
	values := slices.DeleteFunc(slices.Clone(e.values), Listed.unhashable)
	variants := slices.DeleteFunc(slices.Clone(e.variants), func(v reflect.Type) bool { return !v.Comparable() })
	switch {
	case len(values) == 0 && e.values != nil:
		d.notKeys(path, t, "values", "Values")
	case e.values == nil && len(variants) == 0 && e.variants != nil:
		d.notKeys(path, t, "types", "Variants")
	default:
		e.values, e.variants = values, variants
	}
	return e
}

// notKeys refuses a type of which nothing that is declared can be a map key.
func (d *deriver) notKeys(path string, t reflect.Type, what, call string) {
	at := strings.TrimPrefix(strings.TrimPrefix(path, "in"), ".")
	if strings.ContainsAny(path, "(#") { // it is inside a variant or a call
		at = "..." + keysName
	}
	d.refuse(path, t, fmt.Sprintf("none of the %s of %s[%v] can be a map key; ", what, call, t)+
		d.advise(t, fmt.Sprintf("declare others for the keys: allele.At(%q, allele.%s[%%s](...))", at, call)))
}

// hashable returns a builder that rejects arguments for which m returns a value that cannot be hashed.
func (m *Func) hashable() *Func {
	c := *m
	c.rejects = max(c.rejects, rejectsSilently)
	c.call = func(dst, args unsafe.Pointer) bool {
		return m.call(dst, args) && reflect.NewAt(m.Result, dst).Elem().Comparable()
	}
	return &c
}
