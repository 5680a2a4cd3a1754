//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
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
	for {
		switch s.Kind {
		case Slice, Array:
			s = s.Elem
		case Pointer:
			last := len(s.Ctors) - 1
			if Owner(s, last) != nil || len(s.Ctors[last].Fields) != 1 {
				return nil
			}
			s = s.Ctors[last].Fields[0].S
		case Scalar, String, Bytes:
			return s
		default:
			return nil
		}
	}
}

// unsourced describes declarations of From that have no effect.
func unsourced(w *World) (problems []string) {
	seen := map[string]bool{}
	for _, s := range w.Schemas {
		for _, x := range s.From {
			if p := unfit(w, s, x); p != "" && !seen[p] {
				seen[p] = true
				problems = append(problems, fmt.Sprintf("%s: %s", From(x).code(nil), p))
			}
		}
	}
	return problems
}

// unfit says why a schema cannot take its values from a field, or "".
func unfit(w *World, s *Schema, x Source) string {
	field := FieldOf(w, x)
	isValue := func(s *Schema) bool { return s.IsText() || s.Kind == Scalar && s.Type.Kind() != reflect.Bool }
	switch {
	case !isValue(s):
		return fmt.Sprintf("want a number or text that takes the values, or a list of these, and not %v; "+
			"values of Values, Match and Builder are taken from nowhere", s.Type)
	case field == nil:
		return fmt.Sprintf("the input has no %v that is made by its fields; name a struct that it has", x.Owner)
	case Leaf(field) == nil || !isValue(Leaf(field)):
		return "want a field with a number or text, or a list of these"
	case Leaf(field).IsText() != s.IsText() || Leaf(field).IsFloat() != s.IsFloat():
		return fmt.Sprintf("its values are of type %v, which are no values of %v", Leaf(field).Type, s.Type)
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
