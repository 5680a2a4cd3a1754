//go:build go1.25

package schema

import (
	"fmt"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/term"
)

// Still returns why no two inputs differ in more than nil pointers although their type has
// more values: allele leaves the fields of other modules zero, and an interface without
// variants nil. It returns "" if inputs differ, and also if the type has no other values.
func (w *World) Still() string {
	switch {
	case !w.left || w.varies(w.Root, map[*Schema]bool{}):
		return ""
	case len(w.Zero) > 0:
		return w.Zero[0]
	case len(w.Unset) > 0:
		return w.Unset[0]
	}
	return fmt.Sprintf("in: %v is always zero; declare allele.Builder for other values", w.Root.Type)
}

// varies reports whether terms of s differ in more than nil pointers.
func (w *World) varies(s *Schema, open map[*Schema]bool) bool {
	switch {
	case open[s]:
		return true // a recursive type has terms of any size
	case s.Kind == Scalar:
		return s.Lo != s.Hi
	case s.Kind == Array:
		return s.Len > 0 && w.varies(s.Elem, open)
	case s.Kind == Choice:
		return len(s.Ctors) > 1
	case s.IsScalar() || s.IsList():
		return true
	}
	open[s] = true
	defer delete(open, s)
	first := s.First()
	if s.Kind == Pointer {
		first = 1 // nil does not count
	}
	return len(s.Ctors)-first > 1 || slices.ContainsFunc(s.Ctors[first].Fields, func(f Field) bool { return w.varies(f.S, open) })
}

// Alike reports whether terms with different constructors may stand for equal values.
func (w *World) Alike() bool {
	return slices.ContainsFunc(w.Schemas, func(s *Schema) bool { return s.Kind == Made || s.Kind == Choice || s.Kind == Rule })
}

// Canonical returns a copy of a term in which an empty list is nil, a zero has no sign and
// all NaNs are equal. Terms that differ only in these ways check nearly the same.
func (w *World) Canonical(t term.Term) term.Term {
	t = t.Clone()
	for i := range t.Nodes() {
		k := w.Of(t[i]).Kind
		if (k == Bytes || k == Slice || k == Map) && t[i].X == 0 {
			t[i].C = 0
		}
	}
	w.EachFloat(t, func(x uint64) uint64 {
		if f := math.Float64frombits(x); f == 0 {
			return 0
		} else if f != f {
			return math.Float64bits(math.NaN())
		}
		return x
	})
	return t
}
