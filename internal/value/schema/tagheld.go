//go:build go1.25

package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/term"
)

// Holds reports whether the root of a term satisfies the tag of its schema. Its parts have
// tags of their own.
func (tag *Tag) Holds(t term.Term) bool {
	n := t[0]
	switch {
	case tag.zero(n) && tag.Omit:
		return true
	case tag.zero(n) && tag.Required:
		return false
	case n.C == term.Raw && !tag.NotNil: // a text
		return tag.HoldsText(string(t.Bytes(0)))
	case tag.NotNil:
		return int(n.X) >= tag.LenMin && int(n.X) <= tag.LenMax && (!tag.Unique || different(t))
	case tag.Among != nil && !slices.Contains(tag.Among, n.X), slices.Contains(tag.except, n.X):
		return false
	}
	return tag.Narrow == nil || tag.Narrow.In(n.X)
}

// zero reports whether a value is nil or zero. A list is zero if it is nil. A value that builders make is
// zero if its builder has no arguments, such as that of time.Time{}.
func (tag *Tag) zero(n term.Node) bool {
	switch {
	case n.C == term.Raw && tag.NotNil:
		return false
	case tag.made:
		return n.N == 1
	case tag.float:
		return n.X<<1 == 0
	case n.C == term.Raw || tag.NotNil:
		return n.X == 0 && (n.C == term.Raw || n.C == 0)
	}
	return n.C == 0 && n.X == 0
}

// HoldsText reports whether a text that is not empty satisfies the tag.
func (tag *Tag) HoldsText(text string) bool {
	n := utf8.RuneCountInString(text)
	if n < tag.LenMin || n > tag.LenMax || tag.Words != nil && !slices.ContainsFunc(tag.Words, func(w string) bool {
		return w == text || tag.fold && strings.EqualFold(w, text)
	}) {
		return false
	}
	return !slices.ContainsFunc(tag.texts, func(ok func(string) bool) bool { return !ok(text) })
}

// different reports whether no two elements of a list are equal.
func different(t term.Term) bool {
	seen := map[uint64]bool{}
	for kid := range t.Kids(0) {
		seen[term.Hash(t.Sub(kid))] = true
	}
	return len(seen) == int(t[0].X)
}
