//go:build go1.25

package schema

import "reflect"

// Interfaces that every program has get values without a declaration. An interface without
// methods, such as any, contains what encoding/json decodes to. For error, io.Reader and a few
// more there are builders (see ifaceFuncs). Whatever is declared about an interface, or found in
// the source, replaces its default.

// kin is how a scope is related to others. Two of them differ from it only in how interfaces without methods, and what
// they contain, are derived.
type kin struct {
	json       *scope  // texts are UTF-8, floats are finite
	keys       *scope  // of map keys
	comparable bool    // this is the scope of map keys: only values that can be compared
	done       []*rule // those that have led to this scope
}

var anyType = reflect.TypeFor[any]()

// jsonTypes are the types of the values that encoding/json decodes to. Those of the last two
// cannot be compared.
var jsonTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](),
}

const jsonComparable = 3

// defaults gives an interface without variants its default values. It returns false if it has none.
func (d *deriver) defaults(s *Schema, e entry, sc *scope, path string) bool {
	switch {
	case s.Type == errorType && e.variants == nil && len(s.Ctors) > 1:
		return true // with nil, unlike other interfaces: most calls return no error
	case s.Type.NumMethod() > 0 || len(s.Ctors) > 1:
		return false
	}
	in := sc.json()
	if in.schemas[s.Type] == nil {
		in.schemas[s.Type] = s
	}
	types := jsonTypes
	if sc.kin.comparable {
		types = types[:jsonComparable]
	}
	s.Nil = true
	for _, t := range types {
		c := d.variant(s.Type, t, in, path)
		switch content := c.Fields[0].S; content.Kind {
		case Slice:
			c.Name, content.NonNil = "[]any", true
		case Map:
			c.Name, content.NonNil = "map[string]any", true
		}
		s.Ctors = append(s.Ctors, c)
	}
	return true
}

// isJSON reports whether t is an interface that contains what encoding/json decodes to.
func (sc *scope) isJSON(t reflect.Type) bool {
	e := sc.types[t]
	return t.Kind() == reflect.Interface && t.NumMethod() == 0 &&
		(e == nil || e.variants == nil && e.values == nil && e.makers == nil && e.found == nil)
}

// json returns the scope of what an interface without methods contains.
func (sc *scope) json() *scope {
	if sc.kin.json == nil {
		sub := sc.copy()
		sub.rules = sc.rules
		sub.add([]Decl{{Type: reflect.TypeFor[string](), What: UTF8}, {Type: reflect.TypeFor[float64](), What: Finite}})
		sub.kin.json, sc.kin.json = sub, sub
	}
	return sc.kin.json
}

// keys returns the scope of the keys of a map type. Those of map[string]any are texts of JSON.
func (sc *scope) keys(t reflect.Type) *scope {
	in := sc.inside(t, keysName)
	switch key := t.Key(); {
	case key.Kind() == reflect.String && in.isJSON(t.Elem()):
		in = in.json()
		if in.types[key] == nil {
			in.add([]Decl{{Type: key, What: UTF8}})
		}
	case in.unhashable(key, map[reflect.Type]bool{}):
		if in.kin.keys == nil {
			sub := in.copy()
			sub.rules, sub.kin.comparable = in.rules, true
			sub.kin.keys, in.kin.keys = sub, sub
		}
		in = in.kin.keys
	}
	return in
}

// Empty returns the constructor of the simplest list: 0 for nil, or 1 if it is never nil.
func (s *Schema) Empty() int {
	if s.NonNil || s.LenMax > 0 {
		return 1
	}
	return 0
}

// byDefault reports whether the builders of t are those of an interface that come with allele.
func (e *entry) byDefault(t reflect.Type) bool {
	return t.Kind() == reflect.Interface && e.tier == Ready
}
