//go:build go1.25

package schema

import (
	"slices"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/term"
)

// Holds reports whether the root of a term certainly satisfies the tag of its schema. Its parts
// have tags of their own.
func (tag *Tag) Holds(t term.Term) bool { return tag.judge(t, true) }

// Breaks reports whether the root of a term certainly breaks the tag. A text may do neither, if
// whether it satisfies a word depends on data that is not in this package, such as time zones.
func (tag *Tag) Breaks(t term.Term) bool { return !tag.judge(t, false) }

// judge reports whether a term satisfies the tag: for sure, or perhaps.
func (tag *Tag) judge(t term.Term, sure bool) bool {
	n := t[0]
	switch {
	case tag.Omit && (tag.zero(t) || tag.omitLess && n.X == 0 && tag.of.isLengthy()):
		return true
	case tag.Required && tag.zero(t):
		return false
	case tag.of.Kind == String:
		return tag.judgeText(string(t.Bytes(0)), sure)
	case tag.of.Kind == Block:
		return true // its length is always the same
	case tag.of.isLengthy():
		return int(n.X) >= tag.LenMin && int(n.X) <= tag.LenMax && (!tag.Unique || different(t, tag.of.Elem))
	case tag.of.Kind == Scalar:
		return tag.holdsNumber(n.X)
	}
	return true
}

func (tag *Tag) holdsNumber(x uint64) bool {
	switch {
	case tag.Among != nil && !slices.Contains(tag.Among, x), slices.Contains(tag.except, x):
		return false
	case tag.Required && !tag.Omit && tag.of.isNought(x):
		return false
	}
	return tag.Narrow == nil || tag.Narrow.In(x)
}

// isLengthy reports whether the numbers of a tag are about a length that is not one of a text.
func (s *Schema) isLengthy() bool { return s.IsList() || s.Kind == Block || s.Kind == Bytes }

func (tag *Tag) zero(t term.Term) bool { return tag.world.isZero(tag.of, t, 0) }

// isZero reports whether the value of the subterm of s at a position is zero, by its type. Only a
// value that a function makes, such as a time, must be built for that.
func (w *World) isZero(s *Schema, t term.Term, at int) bool {
	n := t[at]
	switch s.Kind {
	case Scalar:
		return s.isNought(n.X)
	case String:
		return n.X == 0
	case Bytes, Slice, Map, Pointer, Interface:
		return n.C == 0
	case Block:
		return !slices.ContainsFunc(t.Bytes(at), func(b byte) bool { return b != 0 })
	case Made:
		v, ok := NewBuilder(w).part(w.Of(n), t.Sub(at))
		return ok && v.IsZero()
	case Choice:
		c := &s.Ctors[n.C]
		return c.Value == nil && c.Opaque.IsZero() || c.Value != nil && w.isZero(s.Base, c.Value, 0)
	case Rule:
		return false
	}
	for kid := range t.Kids(at) {
		if !w.isZero(w.Of(t[kid]), t, kid) {
			return false
		}
	}
	return true
}

// isNought reports whether a number is zero. Both zeros of a float are.
func (s *Schema) isNought(x uint64) bool { return x == 0 || s.IsFloat() && x<<1 == 0 }

// HoldsText reports whether a text certainly satisfies the tag.
func (tag *Tag) HoldsText(text string) bool {
	return text == "" && tag.Omit || !(text == "" && tag.Required) && tag.judgeText(text, true)
}

func (tag *Tag) judgeText(text string, sure bool) bool {
	if n := utf8.RuneCountInString(text); n < tag.LenMin || n > tag.LenMax {
		return false
	}
	return !slices.ContainsFunc(tag.texts, func(c textCheck) bool { return !c.may(text) || sure && c.is != nil && !c.is(text) })
}

// textCheck reports whether a text satisfies a word. If is is nil, may says it for sure.
type textCheck struct{ may, is func(string) bool }

// different reports whether no two elements of a list are equal.
func different(t term.Term, elem *Schema) bool {
	seen := map[uint64]bool{}
	for kid := range t.Kids(0) {
		seen[identity(t.Sub(kid), elem)] = true
	}
	return len(seen) == int(t[0].X)
}

// identity returns a number that two elements of a list have in common if they are equal. Both
// zeros of a float are.
func identity(t term.Term, s *Schema) uint64 {
	if s.Kind == Scalar && s.isNought(t[0].X) {
		return 0
	}
	return term.Hash(t)
}

// Identity returns a number that two elements of a list, or two keys of a map, have in common if
// they are equal.
func (s *Schema) Identity(t term.Term) uint64 {
	if s.Kind == Map {
		return identity(t, s.Key)
	}
	return identity(t, s.Elem)
}
