//go:build go1.25

package gen

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
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
	// padMax is the length of the longest text or list that is drawn because of a tag.
	padMax = 1 << 12
)

// loosen decides whether the next term ignores tags. Without tags it draws nothing.
func (g *Gen) loosen() {
	if g.world.Tagged() {
		g.loose = g.r.OneIn(looseIn)
	}
}

// asks returns the tag that a term of s should satisfy, or nil.
func (g *Gen) asks(s *schema.Schema) *schema.Tag {
	if g.loose {
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
	g.loose = true // for the texts that tagDraw draws without a tag
	defer func() { g.loose = false }()
	if tag.Omit && g.r.OneIn(omitIn) {
		if g.out = term.AppendRaw(g.out, s.ID, ""); s.Kind == schema.Bytes {
			g.out[at].C = 0
		}
		return
	}
	for range tagDraws {
		g.out = g.out[:at]
		g.tagDraw(s, tag)
		if tag.Holds(g.out[at:]) {
			return
		}
	}
}

// tagDraw appends a text that has the length and the parts that a tag requests.
func (g *Gen) tagDraw(s *schema.Schema, tag *schema.Tag) {
	at := len(g.out)
	text := ""
	switch {
	case tag.Words != nil:
		text = tag.Words[g.r.Below(len(tag.Words))]
	case tag.Format != nil:
		text = g.formatted(tag.Format)
	case tag.Layout != "":
		text = time.Unix(int64(g.r.Below64(1<<32)), 0).UTC().Format(tag.Layout)
	case tag.Letters != "":
		text = g.pad("", tag)
	case s.Kind == schema.Bytes:
		g.bytes(s)
		text = string(g.out.Bytes(at))
		for len(text) < min(tag.LenMin, padMax) {
			text += string([]byte{byte(g.r.Uint64())})
		}
		text = text[:min(len(text), tag.LenMax)]
	default:
		g.text(s)
		text = g.pad(string(g.out.Bytes(at)), tag)
	}
	if !strings.Contains(text, tag.Part) {
		text += tag.Part
	}
	if !strings.HasPrefix(text, tag.Prefix) {
		text = tag.Prefix + text
	}
	if !strings.HasSuffix(text, tag.Suffix) {
		text += tag.Suffix
	}
	g.out = term.AppendRaw(g.out[:at], s.ID, text)
	if s.Kind == schema.String {
		i := g.texts % len(g.seen)
		g.seen[i] = append(g.seen[i][:0], text...)
		g.texts++
	}
}

// pad makes a text as long as a tag requests, apart from its fixed parts.
func (g *Gen) pad(text string, tag *schema.Tag) string {
	fixed := utf8.RuneCountInString(tag.Prefix + tag.Part + tag.Suffix)
	least, most := max(0, tag.LenMin-fixed), max(0, tag.LenMax-fixed)
	if tag.Required || tag.Letters != "" {
		least = max(least, 1)
	}
	letters := []rune(tag.Letters)
	if tag.Letters == "" {
		letters = []rune("abcdefgh")
	}
	n := utf8.RuneCountInString(text)
	want := n
	if n < least {
		want = min(most, padMax, least+g.r.Below(min(max(g.reach, 1), 8)))
	}
	if n > most {
		return string([]rune(text)[:most])
	}
	var b strings.Builder
	b.WriteString(text)
	for range want - n {
		b.WriteRune(letters[g.r.Below(len(letters))])
	}
	return b.String()
}

// formatSize is the size of the texts of a format. Their expressions bound most lists anyway.
const formatSize = 64

// formatted draws a text of a format.
func (g *Gen) formatted(w *schema.World) string {
	from := g.formats[w]
	if from == nil {
		if g.formats == nil {
			g.formats = map[*schema.World]*Gen{}
		}
		from = New(w)
		g.formats[w] = from
	}
	return string(w.Root.Text(from.Term(g.r.Split(), formatSize)))
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
	if least > room && tag.Recursive || least > padMax {
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
		g.elems(s, length, n)
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

// tagPick chooses a constructor of a pointer, or of a value that builders make, so that the
// value is not nil or zero if the tag does not allow that.
func (g *Gen) tagPick(s *schema.Schema, tag *schema.Tag, n int) int {
	g.loose = true
	defer func() { g.loose = false }()
	if s.Kind == schema.Pointer {
		if tag.Omit || tag.Recursive {
			return g.pick(s, n)
		}
		return 1
	}
	c := g.pick(s, max(n, 1))
	for range tagDraws {
		if len(s.Ctors[c].Fields) > 0 {
			break
		}
		c = g.pick(s, max(n, 1))
	}
	return c
}
