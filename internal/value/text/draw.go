//go:build go1.25

package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/rng"
)

// Weights of the random edits: of 32, so many change letters, tokens, groups and lines; the
// others take a part of another text.
const (
	letterWeight = 13
	tokenWeight  = 10
	groupWeight  = 3
	lineWeight   = 1
	weights      = 32
)

// Draw makes a random edit of a text of any length. It returns false if the edit changes
// nothing. The edit is valid until the next call.
func (e *Edits) Draw(r *rng.Rand) (Edit, bool) {
	edit := Edit{}
	switch d := r.Below(weights); {
	case len(e.text) == 0:
		at := Span{}
		if r.OneIn(4) {
			edit = Edit{at, e.other(r)}
		} else {
			edit = Edit{at, e.some(r)}
		}
	case d < letterWeight:
		edit = e.drawLetter(r)
	case d < letterWeight+tokenWeight:
		edit = e.drawToken(r)
	case d < letterWeight+tokenWeight+groupWeight:
		edit = e.drawGroup(r)
	case d < letterWeight+tokenWeight+groupWeight+lineWeight:
		edit = e.drawLine(r)
	default:
		edit = e.splice(r)
	}
	return edit, !bytes.Equal(edit.With, edit.of(e.text))
}

// some returns a letter, or sometimes a word.
func (e *Edits) some(r *rng.Rand) []byte {
	if len(e.supply.Words) > 0 && r.OneIn(4) {
		return e.own(e.supply.Word(r))
	}
	return e.letter(r)
}

// Word returns a random word. There must be one.
func (s *Supply) Word(r *rng.Rand) string {
	if n := len(s.More); n > 0 && r.OneIn(2) {
		return s.More[r.Below(n)]
	}
	return s.Words[r.Below(len(s.Words))]
}

// letter returns a letter: usually one that the program compares with.
func (e *Edits) letter(r *rng.Rand) []byte {
	if n := len(e.supply.Letters); n > 0 && !r.OneIn(8) {
		return e.own(e.supply.Letters[r.Below(n)])
	}
	if e.raw && r.OneIn(2) {
		e.with = append(e.with[:0], byte(r.Below(256)))
		return e.with
	}
	e.with = append(e.with[:0], byte(' '+r.Below(95)))
	return e.with
}

// letterAt returns the letter around a byte.
func (e *Edits) letterAt(i int) Span {
	if e.raw {
		return Span{i, i + 1}
	}
	for back := 0; back < utf8.UTFMax-1 && i > 0 && !utf8.RuneStart(e.text[i]); back++ {
		i--
	}
	return Span{i, i + letter(e.text[i:], false)}
}

// tokenAt returns the token around a byte. It looks at no more than tokenMax bytes before it.
func (e *Edits) tokenAt(i int) Span {
	at := e.letterAt(i)
	r, _ := utf8.DecodeRune(e.text[at.From:])
	c := classOf(r)
	from := at.From
	for c != mark && from > 0 && at.From-from < tokenMax {
		r, n := utf8.DecodeLastRune(e.text[:from])
		if classOf(r) != c {
			break
		}
		from -= n
	}
	return Span{from, from + token(e.text[from:])}
}

func (e *Edits) drawLetter(r *rng.Rand) Edit {
	at := e.letterAt(r.Below(len(e.text)))
	switch d := r.Below(13); {
	case d < 5:
		if r.OneIn(1 + min(4, len(e.text))) {
			at.To = len(e.text) // at the end
		}
		return Edit{Span{at.To, at.To}, e.letter(r)}
	case d < 6:
		return Edit{Span{at.From, at.From}, e.letter(r)}
	case d < 8:
		return Edit{at, e.letter(r)}
	case d < 10:
		return Edit{at, nil}
	case d < 11:
		return Edit{Span{at.To, at.To}, at.of(e.text)}
	case d < 12 && at.To < len(e.text):
		return e.swap(at, e.letterAt(at.To))
	}
	return Edit{Span{at.From, len(e.text)}, nil}
}

func (e *Edits) drawToken(r *rng.Rand) Edit {
	at := e.tokenAt(r.Below(len(e.text)))
	if classOf(rune(e.text[at.From])) == digit && r.OneIn(2) {
		return e.number(at, r.Below(numbers))
	}
	switch r.Below(8) {
	case 0:
		return Edit{at, nil}
	case 1:
		return Edit{Span{at.To, at.To}, at.of(e.text)}
	case 2:
		if at.To < len(e.text) {
			return e.swap(at, e.tokenAt(at.To))
		}
		return Edit{at, e.some(r)}
	case 3:
		return Edit{at, e.own(string(e.tokenAt(r.Below(len(e.text))).of(e.text)))}
	case 4:
		return Edit{Span{at.To, at.To}, e.own(string(e.tokenAt(r.Below(len(e.text))).of(e.text)))}
	case 5:
		return Edit{at, e.some(r)}
	}
	if r.OneIn(2) {
		at.To = at.From
	} else {
		at.From = at.To
	}
	return Edit{at, e.apart(at, e.some(r), r)}
}

// apart separates an inserted word from the words beside it by spaces, most of the time.
func (e *Edits) apart(at Span, with []byte, r *rng.Rand) []byte {
	if r.OneIn(4) {
		return with
	}
	before, _ := utf8.DecodeLastRune(e.text[:at.From])
	first, _ := utf8.DecodeRune(with)
	last, _ := utf8.DecodeLastRune(with)
	after, _ := utf8.DecodeRune(e.text[at.To:])
	if at.From > 0 && joins(before, first) {
		with = append([]byte{' '}, with...)
	}
	if at.To < len(e.text) && joins(last, after) {
		with = append(with, ' ')
	}
	return with
}

// joins reports whether two letters would belong to one word.
func joins(a, b rune) bool {
	x, y := classOf(a), classOf(b)
	return (x == word || x == digit) && (y == word || y == digit)
}

const (
	groupMax   = 4096 // how far a group is looked for
	groupTries = 8    // how many opening brackets without a closing one are looked at
)

// drawGroup changes the next group after a random place. If there is none, it puts a token
// into brackets.
func (e *Edits) drawGroup(r *rng.Rand) Edit {
	g, ok := e.groupAfter(r.Below(len(e.text)))
	if !ok {
		return e.wrap(e.tokenAt(r.Below(len(e.text))), r)
	}
	in := Span{g.From + 1, g.To - 1}
	switch r.Below(6) {
	case 0:
		return Edit{g, nil}
	case 1:
		return Edit{Span{g.To, g.To}, g.of(e.text)}
	case 2:
		return Edit{g, in.of(e.text)}
	case 3:
		return Edit{in, nil}
	case 4:
		return e.wrap(g, r)
	}
	return Edit{Span{in.From, in.From}, g.of(e.text)} // the group once more, inside itself
}

// wrap puts a part into brackets or quotes.
func (e *Edits) wrap(s Span, r *rng.Rand) Edit {
	k := 2 * r.Below(len(pairs)/2)
	e.with = append(append(append(e.with[:0], pairs[k]), s.of(e.text)...), pairs[k+1])
	return Edit{s, e.with}
}

// groupAfter finds a group that begins at or after a byte.
func (e *Edits) groupAfter(i int) (Span, bool) {
	end := min(len(e.text), i+groupMax)
	for tries := 0; i < end && tries < groupTries; i++ {
		c := closes(e.text[i])
		if c == 0 {
			continue
		}
		tries++
		depth := 0
		for j := i + 1; j < end; j++ {
			switch {
			case e.text[j] == c && depth == 0:
				return Span{i, j + 1}, true
			case e.text[j] == c:
				depth--
			case e.text[j] == e.text[i]:
				depth++
			}
		}
	}
	return Span{}, false
}

func (e *Edits) drawLine(r *rng.Rand) Edit {
	i := r.Below(len(e.text))
	from := max(0, i-groupMax)
	from += 1 + bytes.LastIndexByte(e.text[from:i], '\n')
	to := min(len(e.text), i+groupMax)
	if n := bytes.IndexByte(e.text[i:to], '\n'); n >= 0 {
		to = i + n + 1
	}
	at := Span{from, to}
	switch r.Below(3) {
	case 0:
		return Edit{at, nil}
	case 1:
		return Edit{Span{to, to}, at.of(e.text)}
	}
	e.with = append(append(e.with[:0], '\n'), at.of(e.text)...)
	return Edit{Span{to, to}, e.with}
}

// other returns one of the other texts, or a letter if there are none.
func (e *Edits) other(r *rng.Rand) []byte {
	if len(e.supply.Others) == 0 {
		return e.some(r)
	}
	return e.supply.Others[r.Below(len(e.supply.Others))]
}

// splice puts a part of another text in place of a part of this one, or inserts it, or joins
// the beginning of this text with the end of the other. Parts begin and end between tokens.
func (e *Edits) splice(r *rng.Rand) Edit {
	here := e.tokenAt(r.Below(len(e.text)))
	other := Edits{text: e.other(r), raw: e.raw}
	if len(other.text) == 0 {
		return Edit{here, nil}
	}
	there := other.tokenAt(r.Below(len(other.text)))
	switch r.Below(5) {
	case 0:
		return Edit{Span{here.From, len(e.text)}, other.text[there.From:]}
	case 1:
		return Edit{here, there.of(other.text)}
	case 2:
		if g, ok := other.groupAfter(there.From); ok {
			return Edit{Span{here.To, here.To}, g.of(other.text)}
		}
		return Edit{Span{here.To, here.To}, there.of(other.text)}
	case 3:
		end := other.tokenAt(there.From + r.Below(len(other.text)-there.From))
		return Edit{Span{here.To, here.To}, other.text[there.From:max(there.To, end.To)]}
	}
	return Edit{Span{here.From, here.From}, other.text}
}
