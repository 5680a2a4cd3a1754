//go:build go1.25

package schema

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/rng"
)

// This file draws texts that satisfy a tag. A word alone has a source of texts, such as a list
// or an expression. Two words may agree only in a few texts: those with url and startswith=https://
// are the addresses that begin so. So a text is drawn from one word and fitted to the others, by
// changes that often keep what it is; whether they did, the checks of all words decide. If they
// rarely do, the tag has a pool of texts that were found when it was derived.

const (
	// drawTries is how many texts are drawn and fitted for one that satisfies a tag.
	drawTries = 16
	// sampleTries is how many are drawn to find out how often that succeeds, and poolTries how
	// many to fill a pool of poolMax texts.
	sampleTries, poolTries, poolMax = 32, 400, 64
	// TagLenMax is the length of the longest text or list that is drawn because of a tag.
	TagLenMax = 1 << 12
)

// Draw returns a text that satisfies the tag. If the tag has no word with a source of texts, plain
// draws one that is fitted. ok is false if no text was found; then the text is any.
func (tag *Tag) Draw(r *rng.Rand, plain func() string) (text string, ok bool) {
	if len(tag.pool) > 0 {
		return tag.pool[r.Below(len(tag.pool))], true
	}
	for range drawTries {
		if text = tag.attempt(r, plain); tag.HoldsText(text) {
			return text, true
		}
	}
	return text, false
}

// attempt draws a text and fits it to the tag.
func (tag *Tag) attempt(r *rng.Rand, plain func() string) string {
	if len(tag.Words) > 0 {
		return tag.Words[r.Below(len(tag.Words))]
	}
	text, drawn := "", true
	switch {
	case len(tag.sources) > 0:
		text = tag.sources[r.Below(len(tag.sources))](r)
		if tag.HoldsText(text) {
			return text
		}
	case tag.letters != "":
		drawn = false
	default:
		text, drawn = plain(), false
	}
	if drawn && tag.letters != "" && r.OneIn(2) {
		text = tag.spelled(r, text)
	}
	if tag.adapt != nil {
		text = tag.adapt(text)
	}
	if !drawn {
		text = tag.sized(r, text)
	}
	return tag.fitted(r, text)
}

// spelled replaces what is not one of the letters.
func (tag *Tag) spelled(r *rng.Rand, text string) string {
	letters := []rune(tag.letters)
	return strings.Map(func(c rune) rune {
		if slices.Contains(letters, c) {
			return c
		}
		return letters[r.Below(len(letters))]
	}, text)
}

// sized makes a text as long as the tag requests, apart from its fixed parts.
func (tag *Tag) sized(r *rng.Rand, text string) string {
	fixed := utf8.RuneCountInString(tag.prefix + tag.suffix + strings.Join(tag.parts, ""))
	least, most := max(0, tag.LenMin-fixed), max(0, tag.LenMax-fixed)
	if tag.Required && fixed == 0 || tag.letters != "" {
		least = max(least, 1)
	}
	n := utf8.RuneCountInString(text)
	switch {
	case n > most:
		return string([]rune(text)[:most])
	case n < least || tag.letters != "":
		return text + tag.filler(r, min(most, least+r.Below(8))-n)
	}
	return text
}

// filler returns n letters.
func (tag *Tag) filler(r *rng.Rand, n int) string {
	letters := []rune(tag.letters)
	if tag.letters == "" {
		letters = []rune("abcdefgh")
	}
	if tag.adapt != nil {
		letters = []rune(tag.adapt(string(letters)))
	}
	var b strings.Builder
	for range min(n, TagLenMax) {
		b.WriteRune(letters[r.Below(len(letters))])
	}
	return b.String()
}

// fitted gives a text the parts and the length that the tag requests. A part is put beside what
// is there, or in its place, at random.
func (tag *Tag) fitted(r *rng.Rand, text string) string {
	for _, p := range tag.parts {
		if !strings.Contains(text, p) {
			from := r.Below(len(text) + 1)
			text = text[:from] + p + text[tag.beyond(r, from, len(p), len(text)):]
		}
	}
	if p := tag.prefix; !strings.HasPrefix(text, p) {
		text = p + text[tag.beyond(r, 0, len(p), len(text)):]
	}
	if p := tag.suffix; !strings.HasSuffix(text, p) {
		text = text[:len(text)-tag.beyond(r, 0, len(p), len(text))] + p
	}
	runes := []rune(text)
	n := len(runes)
	switch {
	case n > tag.LenMax && tag.LenMax >= 0:
		at, over := r.Below(tag.LenMax+1), n-tag.LenMax
		return string(runes[:at]) + string(runes[at+over:])
	case n < tag.LenMin:
		at := r.Below(n + 1)
		return string(runes[:at]) + tag.filler(r, tag.LenMin-n+r.Below(4)) + string(runes[at:])
	}
	return text
}

// beyond returns where a text goes on after a part that was put at a position.
func (tag *Tag) beyond(r *rng.Rand, from, part, n int) int {
	switch r.Below(3) {
	case 0:
		return from
	case 1:
		return min(n, from+part)
	}
	return from + r.Below(n-from+1)
}

// sample returns a text of an expression.
func (s *Schema) sample(r *rng.Rand, out []byte) []byte {
	switch s.Kind {
	case Scalar:
		n := s.Class.Len
		if s.Class.Common > 0 && !r.OneIn(16) {
			n = s.Class.Common
		}
		return utf8.AppendRune(out, s.Class.Rune(uint64(r.Below(n))))
	case Array:
		for range s.Len {
			out = s.Elem.sample(r, out)
		}
		return out
	case Slice:
		const more = 16 // elements that an expression does not require
		room := max(0, min(more, s.LenMax-s.LenMin))
		for range s.LenMin + max(r.Below(room+1), r.Below(room+1)) {
			out = s.Elem.sample(r, out)
		}
		return out
	}
	c := &s.Ctors[r.Below(len(s.Ctors))]
	for i := range c.Fields {
		out = append(out, c.texts[i]...)
		out = c.Fields[i].S.sample(r, out)
	}
	return append(out, c.texts[len(c.Fields)]...)
}

// findTexts prepares Draw. It reports whether there are texts that satisfy the tag.
func (tag *Tag) findTexts() bool {
	if tag.Words != nil {
		tag.Words = slices.DeleteFunc(slices.Clone(tag.Words), func(w string) bool { return !tag.HoldsText(w) })
		return len(tag.Words) > 0
	}
	if len(tag.texts) == 0 {
		return true // only the length is limited
	}
	if tag.noLetters {
		return false
	}
	r := rng.New(1)
	plain := func() string { return (&Tag{letters: lower + digits}).filler(&r, r.Below(12)) }
	good := 0
	for range sampleTries {
		if tag.HoldsText(tag.attempt(&r, plain)) {
			good++
		}
	}
	if good >= sampleTries/4 {
		return true
	}
	for i := 0; i < poolTries && len(tag.pool) < poolMax; i++ {
		if text := tag.attempt(&r, plain); tag.HoldsText(text) && !slices.Contains(tag.pool, text) {
			tag.pool = append(tag.pool, text)
		}
	}
	return len(tag.pool) > 0
}

// dated returns a source of times in a layout.
func dated(layout string) func(*rng.Rand) string {
	return func(r *rng.Rand) string { return time.Unix(int64(r.Below64(1<<32)), 0).UTC().Format(layout) }
}
