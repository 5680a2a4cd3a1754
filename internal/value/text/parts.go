//go:build go1.25

// Package text finds the structure of a text, and makes edits that respect it.
//
// The structure is that of most languages and formats: letters, tokens (words, numbers,
// spaces and single marks), groups in brackets or quotes, and lines. An edit replaces one
// part of the text:
//
//	var e text.Edits
//	e.Use([]byte("a=1;b=2"), text.Supply{Letters: []string{"=", ";"}})
//	for i := range e.Len() {
//		if edit, ok := e.At(i); ok { try(edit.Apply(nil, e.Text())) }
//	}
//
// A short text has a list of all its edits. For a long text, Draw makes random edits, and
// looks only at the neighbourhood of the place that changes.
package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text.
type Span struct{ From, To int }

func (s Span) of(text []byte) []byte { return text[s.From:s.To] }

// Parts is the structure of a text. Letters and tokens each cover the whole text, and so do
// lines, which include their ends. A group is what lies between two brackets or quotes,
// together with them.
type Parts struct {
	Letters, Tokens, Groups, Lines []Span
	open                           []int      // tokens that open groups
	awaits                         [256]int32 // for each byte, how many of the open groups it would close
}

// Read finds the parts of a text. If raw is true, each byte is a letter, otherwise each rune.
func (p *Parts) Read(text []byte, raw bool) {
	p.Letters, p.Tokens, p.Groups, p.Lines = p.Letters[:0], p.Tokens[:0], p.Groups[:0], p.Lines[:0]
	for i := 0; i < len(text); {
		n := letter(text[i:], raw)
		p.Letters = append(p.Letters, Span{i, i + n})
		i += n
	}
	for i := 0; i < len(text); {
		n := token(text[i:])
		p.Tokens = append(p.Tokens, Span{i, i + n})
		i += n
	}
	for i := 0; i < len(text); {
		n := line(text[i:])
		p.Lines = append(p.Lines, Span{i, i + n})
		i += n
	}
	p.groups(text)
}

// letter returns the length of the first letter.
func letter(text []byte, raw bool) int {
	if raw || text[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRune(text)
	return n
}

func line(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// class is a class of letters. A token is a sequence of letters of one class, or one mark.
type class uint8

const (
	mark class = iota
	word
	digit
	space
)

// IsMark reports whether a letter is a token by itself.
func IsMark(r rune) bool { return classOf(r) == mark }

func classOf(r rune) class {
	switch {
	case r >= '0' && r <= '9':
		return digit
	case r == '_' || unicode.IsLetter(r):
		return word
	case r == ' ' || r == '\t' || r == '\r':
		return space
	}
	return mark
}

// token returns the length of the first token, or the length of its first tokenMax bytes.
func token(text []byte) int {
	r, n := utf8.DecodeRune(text)
	c := classOf(r)
	if c == mark {
		return n
	}
	for n < len(text) && n < tokenMax {
		r, k := utf8.DecodeRune(text[n:])
		if classOf(r) != c {
			break
		}
		n += k
	}
	return n
}

// tokenMax bounds how far token looks.
const tokenMax = 64

// pairs are the marks that open and close groups.
const pairs = `()[]{}<>""''` + "``"

// closes returns the mark that ends a group that open begins, or 0 if it begins none.
func closes(open byte) byte { return closing[open] }

var closing = func() (table [256]byte) {
	for i := 0; i < len(pairs); i += 2 {
		table[pairs[i]] = pairs[i+1]
	}
	return table
}()

// groups finds pairs of brackets and quotes. A bracket without its partner is no group, and
// brackets inside quotes do not count.
func (p *Parts) groups(text []byte) {
	p.open, p.awaits = p.open[:0], [256]int32{}
	for i, t := range p.Tokens {
		if t.To-t.From != 1 {
			continue
		}
		c := text[t.From]
		if at := p.opened(text, c); at >= 0 {
			p.Groups = append(p.Groups, Span{p.Tokens[p.open[at]].From, t.To})
			for _, k := range p.open[at:] {
				p.awaits[closes(text[p.Tokens[k].From])]--
			}
			p.open = p.open[:at]
		} else if closes(c) != 0 && !p.quoted(text) {
			p.open = append(p.open, i)
			p.awaits[closes(c)]++
		}
	}
}

// opened returns which open group c closes, or -1. It looks at a group that c does not close
// only if it ends there too, so finding all groups takes linear time.
func (p *Parts) opened(text []byte, c byte) int {
	if p.awaits[c] == 0 {
		return -1
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		open := text[p.Tokens[p.open[i]].From]
		if closes(open) == c {
			return i
		}
		if isQuote(open) {
			break
		}
	}
	return -1
}

func (p *Parts) quoted(text []byte) bool {
	return len(p.open) > 0 && isQuote(text[p.Tokens[p.open[len(p.open)-1]].From])
}

func isQuote(c byte) bool { return closes(c) == c }
