//go:build go1.25

package operand

import (
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Literals holds the constants that a program compares values with. It is not safe
// for concurrent use.
type Literals struct {
	values map[reflect.Type][]reflect.Value
	terms  map[*schema.Schema][]term.Term
}

// NewLiterals groups constants by their types.
func NewLiterals(values []any) *Literals {
	l := &Literals{values: map[reflect.Type][]reflect.Value{}, terms: map[*schema.Schema][]term.Term{}}
	for _, v := range values {
		t := reflect.TypeOf(v)
		l.values[t] = append(l.values[t], reflect.ValueOf(v))
	}
	return l
}

// Of returns the constants whose type is exactly the type of s, as terms of s and without
// duplicates. The list is cached and shared, so callers must not change it.
func (l *Literals) Of(s *schema.Schema) []term.Term {
	if ts, ok := l.terms[s]; ok {
		return ts
	}
	p := proposer{s: s, max: literalsMax}
	for _, v := range l.values[s.Type] {
		switch s.Kind {
		case schema.Scalar:
			p.offerNumber(schema.ScalarBits(v))
		case schema.String:
			p.offer(term.AppendRaw(nil, s.ID, v.String()))
		case schema.Bytes:
			p.offer(term.AppendRaw(nil, s.ID, v.Bytes()))
		case schema.Rule:
			p.offerLiteral(v)
		}
	}
	l.terms[s] = p.found
	return p.found
}

// offerLiteral proposes a constant whose text must match an expression.
func (p *proposer) offerLiteral(v reflect.Value) {
	switch {
	case !p.s.IsMatch():
	case v.Kind() == reflect.String:
		p.offerTerm(v.String())
	default:
		p.offerTerm(string(v.Bytes()))
	}
}

// Words returns the constants that may be part of a text: strings, and bytes and runes as
// strings of one letter. Marks come first, then digits and letters, then strings; among them
// those that were registered last, because the test's own package is initialised after the
// packages that it uses. There are at most lettersMax letters and literalsMax strings.
func (l *Literals) Words() (all []string) {
	var marks, letters, words []string
	for _, t := range letterTypes {
		for _, v := range slices.Backward(l.values[t]) {
			r := rune(schema.ScalarBits(v))
			switch {
			case r < 0 || r > unicode.MaxRune || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			case r >= utf8.RuneSelf || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				letters = append(letters, string(r))
			default:
				marks = append(marks, string(r))
			}
		}
	}
	for _, v := range slices.Backward(l.values[reflect.TypeFor[string]()]) {
		words = append(words, v.String())
	}
	letters = append(unique(marks), unique(letters)...)
	words = unique(words)
	return append(letters[:min(len(letters), lettersMax)], words[:min(len(words), literalsMax)]...)
}

var letterTypes = [...]reflect.Type{reflect.TypeFor[byte](), reflect.TypeFor[rune]()}

// unique returns the texts without duplicates, in the order of their first occurrences.
func unique(all []string) (out []string) {
	known := map[string]bool{}
	for _, s := range all {
		if !known[s] {
			known[s] = true
			out = append(out, s)
		}
	}
	return out
}

// lettersMax is the maximum number of letters that edits of a text insert.
const lettersMax = 64

// literalsMax is the maximum number of constants of one type. A package registers at most
// a few hundred of one type, so only programs with many packages reach it.
const literalsMax = 1 << 10
