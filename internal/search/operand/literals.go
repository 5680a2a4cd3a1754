//go:build go1.25

package operand

import (
	"reflect"

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
		}
	}
	l.terms[s] = p.found
	return p.found
}

// literalsMax is the maximum number of constants of one type. A package registers at most
// a few hundred of one type, so only programs with many packages reach it.
const literalsMax = 1 << 10
