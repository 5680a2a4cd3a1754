//go:build go1.25

package schema

import (
	"fmt"
	"reflect"

	"github.com/allele-go/allele/internal/value/term"
)

// An encoder turns a value into bytes. If one is declared, the inputs of a property are the
// bytes that it makes, and their terms are calls of it: the value is what is generated,
// changed and shrunk. The root is a Made schema with two constructors:
//
//	bytes   given bytes, of an example or a stored case; never generated
//	call    encode(v)

// The constructors of the root of a world with an encoder.
const (
	GivenBytes = 0
	EncodeCall = 1
)

// NewEncoder wraps a function that turns a value into bytes.
func NewEncoder(f any) (*Func, error) {
	m, err := NewFunc(f)
	if err != nil {
		return nil, err
	}
	if m.Result != reflect.TypeFor[[]byte]() || len(m.Args) != 1 {
		return nil, fmt.Errorf("Through(%v): want a function of one value that returns []byte and an error", reflect.TypeOf(f))
	}
	return m, nil
}

// input derives the root: the type of the inputs, or a call of the encoder that makes them.
func (d *deriver) input(t reflect.Type, decls []Decl) *Schema {
	var encoder *Func
	for _, decl := range decls {
		through, ok := decl.What.(Through)
		if !ok {
			continue
		}
		if encoder != nil {
			d.problems = append(d.problems, "Through is declared twice; remove one")
		}
		encoder = through.Encoder
	}
	if encoder == nil {
		return d.schema(t, d.root, "in")
	}
	s := d.add(t)
	if t.Kind() != reflect.Slice || t.Elem() != reflect.TypeFor[byte]() {
		d.refuse("in", t, "Through makes []byte, so the property must take []byte")
		return s
	}
	d.world.encoder = encoder
	d.made(s, []*Func{given(t), encoder}, d.root, "in")
	return s
}

// Encodes reports whether values are made by an encoder.
func (b *Builder) Encodes() bool { return b.world.encoder != nil }

// Encoder returns the function that makes the inputs, or nil.
func (w *World) Encoder() *Func { return w.encoder }

// ReadSource returns the term of a call of the encoder with a Go value.
func (w *World) ReadSource(v reflect.Value) (term.Term, error) {
	r := reader{world: w, out: term.Term{{S: w.Root.ID, C: EncodeCall}}}
	if err := r.arguments(w.Root.Ctors[EncodeCall].Fields, []reflect.Value{v}); err != nil {
		return nil, err
	}
	r.out[0].N = uint32(len(r.out))
	return r.out, nil
}

// Source returns the type that inputs are made from: the argument of the encoder or, without
// one, the type of the inputs.
func (w *World) Source() reflect.Type {
	if w.encoder != nil {
		return w.encoder.Args[0].Type
	}
	return w.Root.Type
}
