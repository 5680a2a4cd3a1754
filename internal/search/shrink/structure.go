//go:build go1.25

package shrink

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/allele-go/allele/internal/value/text"
)

const (
	// structureMin is the number of bytes from which the structure of a text is used. In a
	// shorter text, dropping letters alone takes about as many runs.
	structureMin = 16
	// insideMax is how many of the groups inside a group are tried in its place.
	insideMax = 8
)

// textGroups shortens texts by their brackets and quotes. It treats the whole text and each
// group as a list, the outer lists first: it drops elements of the list together with their
// separators, and tries the groups inside in place of the list. A text that must be valid
// JSON, for example, fails to parse after most other cuts.
func textGroups(s *shrinker) { eachText(s, structureMin, (*editing).groups) }

// textLines drops lines.
func textLines(s *shrinker) { eachText(s, structureMin, (*editing).lines) }

// textTokens replaces tokens by tokens of one letter. Dropping tokens is part of textGroups.
func textTokens(s *shrinker) { eachText(s, structureMin, (*editing).levelTokens) }

// parts returns the structure of the text, with the groups in the order in which they begin.
func (e *editing) parts() *text.Parts {
	if !e.isRead {
		e.read.Read(e.content, false)
		slices.SortFunc(e.read.Groups, func(a, b text.Span) int { return cmp.Compare(a.From, b.From) })
		e.isRead = true
	}
	return &e.read
}

// tryPart tries the text with another content of one part.
func (e *editing) tryPart(at text.Span, with []byte) bool {
	return e.try(slices.Concat(e.content[:at.From], with, e.content[at.To:]))
}

// drops removes runs of parts, of which each ends where the next begins: first all, then
// halves, and so on down to single parts. If the parts are separated, each but the last
// ends with a separator of one byte, and the last run is removed with the separator before it.
func (e *editing) drops(bounds []int, separated bool) {
	for size := len(bounds) - 1; size > 0 && !e.s.spent(); size /= 2 {
		for from := 0; from < len(bounds)-1 && !e.s.spent(); {
			to := min(from+size, len(bounds)-1)
			cut := text.Span{From: bounds[from], To: bounds[to]}
			if separated && from > 0 && to == len(bounds)-1 {
				cut.From--
			}
			if !e.tryPart(cut, nil) {
				from = to
				continue
			}
			bounds[from] = cut.From
			bounds = slices.Delete(bounds, from+1, to+1)
			for i := from + 1; i < len(bounds); i++ {
				bounds[i] -= cut.To - cut.From
			}
		}
	}
}

// bounds returns where adjacent parts begin, and where the last one ends.
func bounds(parts []text.Span, end int) (at []int) {
	for _, p := range parts {
		at, end = append(at, p.From), p.To
	}
	return append(at, end)
}

func (e *editing) lines() { e.drops(bounds(e.parts().Lines, 0), false) }

// equalNumbers repeats until nothing changes: a list from which much was dropped often contains
// a group that can take its place.
func (e *editing) groups() {
	for n := -1; n != len(e.content) && !e.s.spent(); {
		n = len(e.content)
		e.groupsOnce()
	}
}

func (e *editing) groupsOnce() {
	all := func() text.Span { return text.Span{To: len(e.content)} }
	for !e.s.spent() && e.inside(all(), 0) {
	}
	e.list(all())
	for at := 0; !e.s.spent(); {
		g, ok := e.groupFrom(at)
		if !ok {
			return
		}
		at = g.From
		in := text.Span{From: g.From + 1, To: g.To - 1}
		if e.tryPart(g, e.content[in.From:in.To]) || e.inside(g, 1) {
			continue
		}
		e.list(in)
		at++
	}
}

// groupFrom returns the first group that begins at or after a byte.
func (e *editing) groupFrom(at int) (g text.Span, ok bool) {
	groups := e.parts().Groups
	i := sort.Search(len(groups), func(i int) bool { return groups[i].From >= at })
	if i == len(groups) {
		return g, false
	}
	return groups[i], true
}

// inside tries the groups of a part in its place, with and without their brackets. The first
// skip bytes of the part are its own bracket.
func (e *editing) inside(part text.Span, skip int) bool {
	at := part.From + skip
	for range insideMax {
		g, ok := e.groupFrom(at)
		if !ok || g.To > part.To {
			return false
		}
		if g != part && e.tryPart(part, e.content[g.From:g.To]) || e.tryPart(part, e.content[g.From+1:g.To-1]) {
			return true
		}
		at = g.To
	}
	return false
}

// list drops elements of a list: for each mark that may be a separator the parts between
// these marks, then single units.
func (e *editing) list(in text.Span) {
	tail := len(e.content) - in.To
	units := e.units(in)
	for _, sep := range e.separators(units) {
		in.To = len(e.content) - tail
		at := []int{in.From}
		for _, u := range e.units(in) {
			if u.To-u.From == 1 && e.content[u.From] == sep {
				at = append(at, u.To)
			}
		}
		e.drops(append(at, in.To), true)
	}
	in.To = len(e.content) - tail
	e.drops(bounds(e.units(in), in.From), false)
}

// units returns the parts of a list: groups, and the tokens between them.
func (e *editing) units(in text.Span) (units []text.Span) {
	p := e.parts()
	t := sort.Search(len(p.Tokens), func(i int) bool { return p.Tokens[i].From >= in.From })
	g := sort.Search(len(p.Groups), func(i int) bool { return p.Groups[i].From >= in.From })
	for t < len(p.Tokens) && p.Tokens[t].From < in.To {
		u := p.Tokens[t]
		if g < len(p.Groups) && p.Groups[g].From == u.From {
			u = p.Groups[g]
		}
		units = append(units, u)
		for t < len(p.Tokens) && p.Tokens[t].From < u.To {
			t++
		}
		for g < len(p.Groups) && p.Groups[g].From < u.To {
			g++
		}
	}
	return units
}

// usual are the marks that most often separate the elements of lists, those that separate the
// longest elements first.
const usual = "\n;,&|"

// separators returns the marks among the units of a list, the usual separators first. Bytes
// that are not punctuation are left out: a text that consists of them has no structure.
func (e *editing) separators(units []text.Span) (seps []byte) {
	const others = usual + "!#$%()*+-./:<=>?@[]^_{}~\\"
	for _, u := range units {
		if c := e.content[u.From]; u.To-u.From == 1 && strings.IndexByte(others, c) >= 0 && !slices.Contains(seps, c) {
			seps = append(seps, c)
		}
	}
	slices.SortFunc(seps, func(a, b byte) int {
		return cmp.Compare(strings.IndexByte(others, a), strings.IndexByte(others, b))
	})
	return seps
}

// levelTokens replaces words by the simplest letter and numbers by the simplest digit:
// first all of them, then halves, and so on.
func (e *editing) levelTokens() {
	for size := len(e.long()); size > 0 && !e.s.spent(); size /= 2 {
		long := e.long()
		for from := 0; from < len(long) && !e.s.spent(); {
			to := min(from+size, len(long))
			if e.try(e.shortened(long[from:to])) {
				long = e.long()
			} else {
				from = to
			}
		}
	}
}

// long returns the words and numbers of more than one byte.
func (e *editing) long() (tokens []text.Span) {
	for _, t := range e.parts().Tokens {
		if t.To-t.From > 1 && simplestToken(e.content[t.From]) != 0 {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

// shortened returns the text with the simplest tokens in place of the given ones.
func (e *editing) shortened(tokens []text.Span) (out []byte) {
	end := 0
	for _, t := range tokens {
		out = append(append(out, e.content[end:t.From]...), simplestToken(e.content[t.From]))
		end = t.To
	}
	return append(out, e.content[end:]...)
}

// simplestToken returns the simplest token of the kind of one that begins with c, or 0 if
// the token is neither a word nor a number.
func simplestToken(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0'
	case 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80:
		return 'a'
	}
	return 0
}
