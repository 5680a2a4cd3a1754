//go:build go1.25

package mutate

import (
	"math"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// numbers offers the candidates for a scalar.
func (f *frame) numbers() {
	s, kinds := f.s, f.m.Kinds
	if kinds&Pure != 0 && isEnum(s) {
		f.enum(s, func(t term.Term) { f.offer(Pure, t) })
	}
	if kinds&Sampled != 0 {
		f.samples()
	}
	if kinds&Boundaries != 0 {
		f.ends()
	}
}

// ends offers the neighbours of a number and the values on which code for its
// type often fails.
func (f *frame) ends() {
	eachEnd(f.s, f.sub[0].X, func(x uint64) { f.offer(Boundaries, f.node(f.s, x)) })
}

// eachEnd calls add with the values that ends offers in place of now.
func eachEnd(s *schema.Schema, now uint64, add func(x uint64)) {
	for d := -1; d <= 1; d += 2 {
		if y, ok := beside(s, now, d); ok {
			add(y)
		}
	}
	awkward := [...]uint64{s.Simplest(), 1, math.MaxUint64, s.Lo, s.Hi}
	if s.IsFloat() {
		copy(awkward[1:], floatEnds[:2])
		for _, x := range floatEnds[2:] {
			if s.In(x) {
				add(x)
			}
		}
	}
	for _, x := range awkward {
		if s.In(x) {
			add(x)
		}
	}
}

var floatEnds = [...]uint64{
	schema.FloatBits(1), schema.FloatBits(-1), schema.FloatBits(math.Copysign(0, -1)),
	schema.FloatBits(math.NaN()), schema.FloatBits(math.Inf(1)), schema.FloatBits(math.Inf(-1)),
}

func (f *frame) samples() {
	r := f.random(0)
	for range f.m.samples {
		f.offer(Sampled, f.sample(&r, f.s))
	}
}

// beside returns the value x+d, if the scalar has such a value. If a float has none, because
// it is too large or its range too narrow, beside returns the next float.
func beside(s *schema.Schema, x uint64, d int) (y uint64, ok bool) {
	if s.IsFloat() {
		f := math.Float64frombits(x)
		if y = schema.FloatBits(f + float64(d)); s.In(y) && y != x || f != f {
			return y, f == f
		}
		y = s.Ranked(s.Rank(x) + int64(d))
		return y, s.In(y) && !math.IsNaN(math.Float64frombits(y))
	}
	y = x + uint64(d)
	return y, s.In(y) && s.Less(y, x) == (d < 0)
}

// texts offers the candidates for a string or a byte slice.
func (f *frame) texts() {
	s, kinds := f.s, f.m.Kinds
	if kinds&Pure != 0 {
		for _, word := range s.Words {
			f.offerText(Pure, word)
		}
		if s.Kind == schema.Bytes {
			f.offer(Pure, s.Least)
			f.offerText(Pure, "")
		}
	}
	if kinds&Sampled != 0 {
		f.samples()
	}
	if kinds&Boundaries != 0 {
		f.offerText(Boundaries, "")
		f.editText(f.sub.Bytes(0))
	}
}

func (f *frame) offerText(k Kind, text string) {
	f.offer(k, f.keep(func(t term.Term) term.Term { return term.AppendRaw(t, f.s.ID, text) }))
}

// textPlaces is the number of places where a long text is edited. Edits at other
// places would be similar.
const textPlaces = 8

// editText offers edits of a text: at each place it drops a letter, repeats it,
// swaps it with the next, or ends the text before it. The bytes of a letter stay
// together.
func (f *frame) editText(b []byte) {
	stride := max(1, len(b)/textPlaces)
	for i := 0; i < len(b); {
		next := i + f.letter(b[i:])
		head, x, rest := b[:i], b[i:next], b[next:]
		f.offerJoined(head, rest)
		f.offerJoined(head, x, x, rest)
		if len(rest) > 0 {
			n := f.letter(rest)
			f.offerJoined(head, rest[:n], x, rest[n:])
		}
		f.offerJoined(head)
		for to := i + stride; i < to && i < len(b); {
			i += f.letter(b[i:])
		}
	}
}

func (f *frame) offerJoined(parts ...[]byte) {
	text := f.text[:0]
	for _, p := range parts {
		text = append(text, p...)
	}
	f.text = text
	f.offer(Boundaries, f.keep(func(t term.Term) term.Term { return term.AppendRaw(t, f.s.ID, text) }))
}

// letter returns the length of the first letter of a string, or 1 for bytes.
func (f *frame) letter(b []byte) int {
	if f.s.Kind == schema.Bytes {
		return 1
	}
	_, n := utf8.DecodeRune(b)
	return n
}
