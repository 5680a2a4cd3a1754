//go:build go1.25

package text

import (
	"bytes"
	"math/big"
	"strconv"

	"github.com/allele-go/allele/internal/value/term"
)

// Edit replaces a part of a text by With.
type Edit struct {
	Span
	With []byte
}

// Apply appends the edited text to out.
func (e Edit) Apply(out, text []byte) []byte {
	out = append(out, text[:e.From]...)
	out = append(out, e.With...)
	return append(out, text[e.To:]...)
}

// Term appends the edited text to t, as a term of schema s.
func (e Edit) Term(t term.Term, s uint16, text []byte) term.Term {
	return term.AppendJoined(t, s, text[:e.From], e.With, text[e.To:])
}

// Supply is what edits insert, beside parts of the text itself.
type Supply struct {
	Letters []string // letters that the program compares with
	Words   []string // longer texts of the program
	More    []string // further words, too many for a list of edits; only Draw takes them
	Others  [][]byte // other texts, of which Draw takes parts
}

// Edits has all edits of a short text, by number.
type Edits struct {
	text   []byte
	raw    bool
	supply Supply
	parts  Parts
	units  []Span    // letters, tokens, groups and lines, each part once
	pairs  [][2]Span // neighbours: letters, tokens, lines
	digits []Span    // tokens that are numbers
	counts [ops]int
	n      int
	sums   sums
	with   []byte
}

// listMax is the length of the longest text whose edits are listed.
const listMax = 512

// The operations, in the order of their edits.
const (
	opDrop    = iota // leave out a unit
	opDouble         // repeat a unit
	opSwap           // exchange neighbours
	opCut            // end the text before a letter
	opUnwrap         // leave out the brackets of a group
	opEmpty          // leave out what is between the brackets
	opNumber         // change a number
	opInsert         // insert a letter
	opReplace        // replace a letter
	opWord           // insert a word between two tokens
	opToken          // replace a token by a word
	opCopy           // insert a copy of a token between two tokens
	opOver           // replace a token by a copy of another
	ops
)

// Aim sets the text of Draw.
func (e *Edits) Aim(text []byte, raw bool, s Supply) { e.text, e.raw, e.supply, e.n = text, raw, s, 0 }

// Use sets the text. It returns false if the text is too long for a list of edits; then only
// Draw may be used.
func (e *Edits) Use(text []byte, raw bool, s Supply) bool {
	e.Aim(text, raw, s)
	if len(text) > listMax {
		return false
	}
	p := &e.parts
	p.Read(text, raw)
	e.sums.use(text)
	e.units, e.pairs, e.digits = append(e.units[:0], p.Letters...), e.pairs[:0], e.digits[:0]
	for _, t := range p.Tokens {
		if classOf(rune(text[t.From])) == digit {
			e.digits = append(e.digits, t)
		}
	}
	e.addUnits(p.Tokens)
	e.addUnits(p.Groups)
	e.addUnits(p.Lines)
	letters, tokens, words := len(p.Letters), len(p.Tokens), len(s.Words)
	e.counts = [ops]int{
		opDrop: len(e.units), opDouble: len(e.units), opCut: letters,
		opUnwrap: len(p.Groups), opEmpty: len(p.Groups), opNumber: len(e.digits) * numbers,
		opInsert: (letters + 1) * len(s.Letters), opReplace: letters * len(s.Letters),
		opWord: (tokens + 1) * words, opToken: tokens * words,
		opCopy: (tokens + 1) * tokens, opOver: tokens * tokens,
	}
	e.neighbours(p.Letters)
	e.neighbours(p.Tokens)
	e.neighbours(p.Lines)
	e.counts[opSwap] = len(e.pairs)
	for _, n := range e.counts {
		e.n += n
	}
	return true
}

// addUnits adds parts that are longer than one letter, unless they are units already.
func (e *Edits) addUnits(parts []Span) {
	known := len(e.units)
next:
	for _, p := range parts {
		if p.To-p.From <= letter(p.of(e.text), e.raw) {
			continue
		}
		for _, u := range e.units[len(e.parts.Letters):known] {
			if u == p {
				continue next
			}
		}
		e.units = append(e.units, p)
	}
}

func (e *Edits) neighbours(parts []Span) {
	for i := range max(0, len(parts)-1) {
		e.pairs = append(e.pairs, [2]Span{parts[i], parts[i+1]})
	}
}

// Text returns the text.
func (e *Edits) Text() []byte { return e.text }

// Len returns the number of edits. Several may have the same result.
func (e *Edits) Len() int { return e.n }

// At returns edit i, or false if it changes nothing. The edit is valid until the next call.
func (e *Edits) At(i int) (Edit, bool) {
	op := 0
	for ; i >= e.counts[op]; op++ {
		i -= e.counts[op]
	}
	edit := e.make(op, i)
	return edit, !bytes.Equal(edit.With, edit.of(e.text))
}

// Sum returns a hash of the result of an edit of the list. Equal results have equal hashes.
func (e *Edits) Sum(edit Edit) uint64 { return e.sums.of(edit) }

// SumOf returns the hash that an edit with this result has.
func (e *Edits) SumOf(result []byte) uint64 { return e.sums.of(Edit{Span{0, len(e.text)}, result}) }

func (e *Edits) make(op, i int) Edit {
	p := &e.parts
	switch op {
	case opDrop:
		return Edit{e.units[i], nil}
	case opDouble:
		u := e.units[i]
		return Edit{Span{u.To, u.To}, u.of(e.text)}
	case opSwap:
		return e.swap(e.pairs[i][0], e.pairs[i][1])
	case opCut:
		return Edit{Span{p.Letters[i].From, len(e.text)}, nil}
	case opUnwrap:
		g := p.Groups[i]
		return Edit{g, e.text[g.From+1 : g.To-1]}
	case opEmpty:
		g := p.Groups[i]
		return Edit{Span{g.From + 1, g.To - 1}, nil}
	case opNumber:
		return e.number(e.digits[i/numbers], i%numbers)
	case opInsert:
		k := len(e.supply.Letters)
		return e.insert(p.Letters, i/k, e.supply.Letters[i%k])
	case opReplace:
		k := len(e.supply.Letters)
		return Edit{p.Letters[i/k], e.own(e.supply.Letters[i%k])}
	case opWord:
		k := len(e.supply.Words)
		return e.insert(p.Tokens, i/k, e.supply.Words[i%k])
	case opToken:
		k := len(e.supply.Words)
		return Edit{p.Tokens[i/k], e.own(e.supply.Words[i%k])}
	case opCopy:
		k := len(p.Tokens)
		return e.insert(p.Tokens, i/k, string(p.Tokens[i%k].of(e.text)))
	}
	k := len(p.Tokens)
	return Edit{p.Tokens[i/k], p.Tokens[i%k].of(e.text)}
}

func (e *Edits) own(s string) []byte {
	e.with = append(e.with[:0], s...)
	return e.with
}

// insert inserts s before part i, or at the end.
func (e *Edits) insert(parts []Span, i int, s string) Edit {
	at := len(e.text)
	if i < len(parts) {
		at = parts[i].From
	}
	return Edit{Span{at, at}, e.own(s)}
}

// swap exchanges two parts, the first of which ends where the second begins. In a text that is not UTF-8
// the letter that letterAt has found for the second may lie before the first; then nothing is changed.
func (e *Edits) swap(a, b Span) Edit {
	if b.To < a.From {
		return Edit{a, a.of(e.text)}
	}
	e.with = append(append(e.with[:0], b.of(e.text)...), a.of(e.text)...)
	return Edit{Span{a.From, b.To}, e.with}
}

// limits are numbers at which programs often fail: ends of the ranges of types, and small ones.
var limits = [...]string{"0", "1", "127", "128", "255", "256", "32768", "65535", "65536", "2147483647", "2147483648",
	"4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616"}

// numbers is the number of changes of a number: its neighbours, twice and ten times as much,
// the negative, and the limits.
const numbers = 5 + len(limits)

// number returns change i of the number at s.
func (e *Edits) number(s Span, i int) Edit {
	if i >= 5 {
		return Edit{s, e.own(limits[i-5])}
	}
	e.with = e.with[:0]
	switch i {
	case 3:
		e.with = append(append(e.with, s.of(e.text)...), '0')
		return Edit{s, e.with}
	case 4:
		return Edit{Span{s.From, s.From}, append(e.with, '-')}
	}
	x, err := strconv.ParseInt(string(s.of(e.text)), 10, 62)
	if err != nil {
		return e.large(s, i)
	}
	e.with = strconv.AppendInt(e.with, [...]int64{x + 1, x - 1, 2 * x}[i], 10)
	return Edit{s, e.with}
}

// large is number for a number that an int64 cannot hold.
func (e *Edits) large(s Span, i int) Edit {
	x, ok := new(big.Int).SetString(string(s.of(e.text)), 10)
	if !ok {
		return Edit{s, s.of(e.text)}
	}
	switch i {
	case 0:
		x.Add(x, big.NewInt(1))
	case 1:
		x.Sub(x, big.NewInt(1))
	default:
		x.Lsh(x, 1)
	}
	e.with = x.Append(e.with, 10)
	return Edit{s, e.with}
}
