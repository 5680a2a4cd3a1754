//go:build go1.25

package gen

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/slot"
	"github.com/allele-go/allele/internal/value/term"
)

// This file draws terms that satisfy the struct tags of fields, see schema.Tag. A tag never
// excludes a value: one term in looseIn is drawn as if there were no tags. It is a whole term
// and not a field here and there, because a program that checks its input rejects a term with
// a single bad field.

const (
	// looseIn means that one term in looseIn ignores all tags.
	looseIn = 8
	// omitIn means that one value in omitIn is zero or nil, if its tag allows that besides
	// other values.
	omitIn = 4
	// tagDraws is how often a value is drawn that should satisfy a tag. The last one is used.
	tagDraws = 16
)

// loose is which declarations a term ignores.
type loose struct {
	tags   bool // struct tags
	others bool // it may have values that are no constants of their types
	enums  bool // the world has types with constants

	fit *slot.Filler // nil if no field takes its values from another one
}

// loosen decides which declarations the next term ignores. Without declarations it draws nothing.
func (g *Gen) loosen() {
	if g.world.Tagged() {
		g.loose.tags = g.r.OneIn(looseIn)
	}
	if g.loose.enums {
		g.loose.others = g.r.OneIn(othersIn)
	}
}

// fitted returns a term whose fields have the values of the fields that they take them from, unless it is one term in
// unfitIn.
func (l *loose) fitted(t term.Term, r *rng.Rand) term.Term {
	if l.fit == nil || r.OneIn(unfitIn) {
		return t
	}
	if u := l.fit.Fill(t, len(t), l.fit.Declared, r); u != nil {
		return u
	}
	return t
}

// unfitIn means that one term in unfitIn has any values in fields that take them from others.
const unfitIn = 32

// asks returns the tag that a term of s should satisfy, or nil.
func (g *Gen) asks(s *schema.Schema) *schema.Tag {
	if g.loose.tags {
		return nil
	}
	return s.Tag
}

// tagScalar draws a number or a bool. Where the tag allows it, the numbers are those that are
// drawn without one.
func (g *Gen) tagScalar(s *schema.Schema, tag *schema.Tag) (x uint64) {
	if tag.Omit && g.r.OneIn(omitIn) {
		return 0
	}
	plain := *s
	plain.Tag = nil
	for i := range tagDraws {
		switch {
		case tag.Among != nil:
			x = tag.Among[g.r.Below(len(tag.Among))]
		case tag.Narrow != nil && i >= tagDraws/4:
			x = g.scalar(tag.Narrow)
		default:
			x = g.scalar(&plain)
		}
		if tag.Holds(term.Term{{S: s.ID, N: 1, X: x}}) {
			break
		}
	}
	return x
}

// tagText appends a string or a byte slice.
func (g *Gen) tagText(s *schema.Schema, tag *schema.Tag) {
	at := len(g.out)
	g.loose.tags = true // for the texts that are drawn without a tag
	defer func() { g.loose.tags = false }()
	if tag.Omit && g.r.OneIn(omitIn) {
		if g.out = term.AppendRaw(g.out, s.ID, ""); s.Kind == schema.Bytes {
			g.out[at].C = 0
		}
		return
	}
	if s.Kind == schema.Bytes {
		g.tagBytes(s, tag)
		return
	}
	text, _ := tag.Draw(&g.r, func() string {
		g.text(s)
		plain := string(g.out.Bytes(at))
		g.out = g.out[:at]
		return plain
	})
	g.out = term.AppendRaw(g.out, s.ID, text)
	g.texts.add([]byte(text))
}

// tagBytes appends a byte slice that has the length that a tag requests.
func (g *Gen) tagBytes(s *schema.Schema, tag *schema.Tag) {
	at := len(g.out)
	g.bytes(s)
	b := slices.Clone(g.out.Bytes(at))
	for len(b) < tag.LenMin {
		b = append(b, byte(g.r.Uint64()))
	}
	g.out = term.AppendRaw(g.out[:at], s.ID, b[:min(len(b), tag.LenMax)])
}

// tagList appends a list whose length satisfies a tag, and reports false if it cannot because
// the budget is too small for a list that contains lists with the same tag.
func (g *Gen) tagList(s *schema.Schema, tag *schema.Tag, n int) bool {
	each := elemCells(s)
	least := tag.LenMin
	if tag.Required {
		least = max(least, 1)
	}
	if tag.Recursive {
		n-- // an element that contains such a list may have no cells of its own, and each level must need one
	}
	room := min(n/each, tag.LenMax)
	if least > room && tag.Recursive {
		return false
	}
	if tag.Omit && g.r.OneIn(omitIn) || least == 0 && g.r.OneIn(16) {
		g.open(s, 0, 0)
		return true
	}
	at := len(g.out)
	for range tagDraws {
		g.out = g.out[:at]
		span := max(0, room-least) + 1
		length := least + g.r.Below(span)
		if !s.Elem.Grows() {
			length = max(length, least+g.r.Below(span))
		}
		g.open(s, 1, uint64(length))
		if tag.Unique || s.Kind == schema.Map {
			g.apart(s, length, n)
		} else {
			g.elems(s, length, n)
		}
		g.seal(at)
		if s.Kind == schema.Map {
			g.out = append(g.out[:at], g.world.SortEntries(g.out[at:])...)
		}
		if tag.Holds(g.out[at:]) {
			break
		}
	}
	return true
}

// apart appends the elements of a list that should be different, or the entries of a map. One
// that is equal to an earlier one is drawn again.
func (g *Gen) apart(s *schema.Schema, length, n int) {
	seen := map[uint64]bool{}
	share := n / max(1, length)
	for range length {
		at := len(g.out)
		for range tagDraws {
			if g.out = g.out[:at]; s.Kind == schema.Map {
				g.term(s.Key, max(s.Key.MinCells, share/2))
			} else {
				g.term(s.Elem, max(s.Elem.MinCells, share))
			}
			if id := s.Identity(g.out[at:]); !seen[id] {
				seen[id] = true
				break
			}
		}
		if s.Kind == schema.Map {
			g.term(s.Elem, max(s.Elem.MinCells, share-share/2))
		}
	}
}

// nonZero appends a term of s that is not zero, because its tag requires that. A value that is not
// zero may need more cells than there are.
func (g *Gen) nonZero(s *schema.Schema, tag *schema.Tag, n int) {
	at := len(g.out)
	for i := range tagDraws {
		g.out = g.out[:at]
		if g.free(s, max(n, 1)+i/4); tag.Holds(g.out[at:]) {
			return
		}
	}
}

// fills reports whether nonZero draws the terms of a schema: nothing else of its tag is about its
// root.
func fills(s *schema.Schema) bool {
	switch s.Kind {
	case schema.Struct, schema.Complex, schema.Array, schema.Block, schema.Interface, schema.Made, schema.Choice:
		return true
	}
	return false
}

// tagPointer decides whether a pointer is nil.
func (g *Gen) tagPointer(s *schema.Schema, tag *schema.Tag, n int) int {
	g.loose.tags = true
	defer func() { g.loose.tags = false }()
	if tag.Omit || tag.Recursive {
		return g.pick(s, n)
	}
	return 1
}
