//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/text"
)

// letters makes strings and byte slices simpler, letter by letter.
func letters(s *shrinker) {
	eachText(s, 1, func(e *editing) {
		e.abc = alphabetOf(e.sc, e.content)
		e.now = e.abc.ranks(e.content)
		e.shorten()
		e.level()
		e.each()
	})
}

// wordsMax is how many constants of a type are tried in place of a text.
const wordsMax = 64

// constants replaces texts that are no constants of their types by constants.
func constants(s *shrinker) {
	eachText(s, 1, func(e *editing) {
		if !isOtherText(e.sc, e.content) {
			return
		}
		for _, word := range e.sc.Words[:min(wordsMax, len(e.sc.Words))] {
			if e.try([]byte(word)) {
				return
			}
		}
	})
}

// eachText calls simplify for the texts of at least bytesMin bytes: first for equal texts
// together, then for each by itself.
func eachText(s *shrinker, bytesMin int, simplify func(*editing)) {
	eachRaw(s, (*schema.Schema).IsText, func(a *alike) {
		if len(a.content) >= bytesMin {
			simplify(&editing{alike: a})
		}
	})
}

// editing is one search for a simpler text.
type editing struct {
	*alike

	abc alphabet // for changes of letters: how the text is read, and its letters
	now []rune

	read   text.Parts // for changes by structure: the structure of the text
	isRead bool
}

// try tries another text in place of all texts of the set.
func (e *editing) try(now []byte) bool {
	if !e.alike.try(now) {
		return false
	}
	e.isRead = false
	return true
}

// to tries the text with the given ranks.
func (e *editing) to(ranks []rune) bool {
	if !e.try(e.abc.text(ranks)) {
		return false
	}
	e.now = ranks
	return true
}

// shorten drops runs of characters: all, then halves, quarters and so on down to single
// characters.
func (e *editing) shorten() {
	for size := len(e.now); size > 0 && !e.s.spent(); size /= 2 {
		for from := 0; from < len(e.now) && !e.s.spent(); {
			to := min(from+size, len(e.now))
			if !e.to(slices.Concat(e.now[:from], e.now[to:])) {
				from = to
			}
		}
	}
}

// level replaces runs of characters by the simplest character.
func (e *editing) level() {
	for size := len(e.now); size > 0 && !e.s.spent(); size /= 2 {
		for from := 0; from < len(e.now) && !e.s.spent(); from += size {
			ranks := slices.Clone(e.now)
			clear(ranks[from:min(from+size, len(ranks))])
			if !slices.Equal(ranks, e.now) {
				e.to(ranks)
			}
		}
	}
}

// each makes every character simpler: first together with all equal characters, then by
// itself. It tries the simplest few characters, then bisects.
func (e *editing) each() {
	for i := 0; i < len(e.now) && !e.s.spent(); i++ {
		e.lower(i, true)
		e.lower(i, false)
	}
}

func (e *editing) lower(i int, all bool) {
	from := e.now[i]
	for r := rune(0); r < min(smallMax, from); r++ {
		if e.put(i, r, all) {
			return
		}
	}
	for low, high := rune(smallMax-1), from; high-low > 1; {
		mid := low + (high-low)/2
		if e.put(i, mid, all) {
			high = mid
		} else {
			low = mid
		}
	}
}

// put tries rank r for character i or, if all is true, for all characters that are equal
// to it.
func (e *editing) put(i int, r rune, all bool) bool {
	ranks := slices.Clone(e.now)
	for k := range ranks {
		if k == i || all && ranks[k] == e.now[i] {
			ranks[k] = r
		}
	}
	return e.to(ranks)
}
