//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
)

// This file is about numbers and texts that are taken from a field of the same input: see Source. Package slot finds
// such values.

// Owner returns the struct type whose fields are those of a constructor, or nil: the struct itself, or a pointer or an
// interface that contains it.
func Owner(s *Schema, c int) reflect.Type {
	t := s.Ctors[c].variant
	switch s.Kind {
	case Struct, Pointer:
		t = s.Type
	case Interface:
	default:
		return nil
	}
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct || len(s.Ctors[c].Fields) == 0 || s.Ctors[c].Fields[0].Name == "" {
		return nil
	}
	return t
}

// Leaf returns the schema of the numbers or texts that a field has, through pointers and lists, or nil if it has none or
// other parts. The entries of a map are not followed.
func Leaf(s *Schema) *Schema {
	if s = within(s); s == nil || !s.IsScalar() || s.Kind == Block {
		return nil
	}
	return s
}

// Origin returns the schema of the numbers or texts that other fields can take from a field, or nil. It may have
// values of Values or Match.
func Origin(s *Schema) *Schema {
	if s = within(s); s != nil && (s.Kind == Choice || s.IsMatch()) {
		s = s.Base
	}
	if s == nil {
		return nil
	}
	return Leaf(s)
}

// within returns the schema that is inside of pointers and lists, or nil if there is none.
func within(s *Schema) *Schema {
	for range leafDepth {
		switch s.Kind {
		case Slice, Array:
			s = s.Elem
		case Pointer:
			last := len(s.Ctors) - 1
			if Owner(s, last) != nil || len(s.Ctors[last].Fields) != 1 {
				return nil
			}
			s = s.Ctors[last].Fields[0].S
		default:
			return s
		}
	}
	return nil
}

// leafDepth is the maximum number of lists and pointers around a number or text. A type may be a list of itself.
const leafDepth = 100

// unsourced describes declarations of From that have no effect.
func unsourced(w *World) (problems []string) {
	fields := map[*Schema]string{}
	takers(w.Root, fields, map[*Schema]bool{})
	for _, s := range w.Schemas {
		for _, x := range s.From {
			p := unfit(w, s, x)
			if p == "" && fields[s] == "" {
				p = "the field that takes the values is only in the keys of maps, and these stay as they are"
			}
			if p == "" {
				continue
			}
			if p = From(x).code(nil) + ": " + p; fields[s] != "" {
				p = fields[s] + ": " + p
			}
			if !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
	}
	return problems
}

// takers adds a field of each schema that takes its values from others, as its declaration is written. Keys of maps are
// not followed.
func takers(s *Schema, fields map[*Schema]string, seen map[*Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for c := range s.Ctors {
		for _, f := range s.Ctors[c].Fields {
			if x := within(f.S); x != nil && x.From != nil && fields[x] == "" {
				fields[x] = At{Path: f.Name, Owner: Owner(s, c)}.code(nil)
			}
			takers(f.S, fields, seen)
		}
	}
	takers(s.Elem, fields, seen)
}

// unfit says why a schema cannot take its values from a field, or "".
func unfit(w *World, s *Schema, x Source) string {
	field := FieldOf(w, x)
	isValue := func(s *Schema) bool { return s.IsText() || s.Kind == Scalar && s.Type.Kind() != reflect.Bool }
	switch {
	case s.Kind == Choice || s.Kind == Rule || s.Kind == Made:
		return "values of Values, Match and Builder are not taken from other fields; leave these out for the field"
	case !isValue(s):
		return fmt.Sprintf("want a number or text that takes the values, or a list of these, and not %v", s.Type)
	case field == nil:
		return fmt.Sprintf("the input has no %v that is made by its fields; name a struct that it has", x.Owner)
	case Origin(field) == nil || !isValue(Origin(field)):
		return "want a field with a number or text, or a list of these, that no builder makes"
	case Origin(field).IsText() != s.IsText() || Origin(field).IsFloat() != s.IsFloat():
		return fmt.Sprintf("its values are of type %v, which are no values of %v", Origin(field).Type, s.Type)
	}
	return ""
}

// FieldOf returns the schema of a field, or nil if the input has none.
func FieldOf(w *World, x Source) *Schema {
	for _, s := range w.Schemas {
		for c := range s.Ctors {
			if Owner(s, c) != x.Owner {
				continue
			}
			for _, f := range s.Ctors[c].Fields {
				if f.Name == x.Field {
					return f.S
				}
			}
		}
	}
	return nil
}
