//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/term"
)

// readDepth bounds the nesting of a value that is read. Otherwise reading an example
// with a pointer cycle would never end.
const readDepth = 100_000

// Read returns the term of a Go value of the root type. It fails if there is no such
// term: the value may contain a variant that was not declared, a value that only
// builders can make, or a number outside its declared range.
func (w *World) Read(v reflect.Value) (term.Term, error) {
	return w.read(w.Root, v)
}

func (w *World) read(s *Schema, v reflect.Value) (term.Term, error) {
	// The copy is addressable, so that unexported fields can be read.
	c := reflect.New(s.Type).Elem()
	c.Set(v)
	r := reader{world: w}
	if err := r.value(s, c); err != nil {
		return nil, err
	}
	return r.out, nil
}

// readError is a problem in a value. The path to the problem is collected while the
// reader returns to the root, so it starts with the innermost field. Passing paths
// down would take longer than reading the value.
type readError struct {
	path []string
	why  string
}

func (e *readError) Error() string {
	const shown = 12
	p := slices.Clone(e.path)
	slices.Reverse(p)
	if len(p) > shown {
		p = append(p[:shown], "...")
	}
	return "in" + strings.Join(p, "") + ": " + e.why
}

func unreadable(format string, args ...any) *readError {
	return &readError{why: fmt.Sprintf(format, args...)}
}

func (e *readError) under(step string) *readError {
	if e != nil {
		e.path = append(e.path, step)
	}
	return e
}

type reader struct {
	world *World
	out   term.Term
	depth int
}

func (r *reader) value(s *Schema, v reflect.Value) *readError {
	if r.depth++; r.depth > readDepth {
		return unreadable("nested deeper than %d; is there a cycle?", readDepth)
	}
	defer func() { r.depth-- }()
	v = settable(v)
	switch s.Kind {
	case Scalar:
		return r.scalar(s, v)
	case String:
		r.out = term.AppendRaw(r.out, s.ID, v.String())
		return nil
	case Bytes:
		if v.IsNil() {
			r.out = append(r.out, term.Node{S: s.ID, N: 1})
		} else {
			r.out = term.AppendRaw(r.out, s.ID, v.Bytes())
		}
		return nil
	case Slice, Array, Map:
		return r.list(s, v)
	case Block:
		return r.block(s, v)
	case Choice:
		return r.choice(s, v)
	case Made:
		return r.made(s, v)
	case Rule:
		return r.match(s, v)
	}
	return r.ctor(s, v)
}

// settable returns an unexported field as a reflect.Value without the restrictions
// for unexported fields.
func settable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return v
}

func (r *reader) scalar(s *Schema, v reflect.Value) *readError {
	x := ScalarBits(v)
	if !s.Holds(x) {
		return unreadable("%v is outside the declared range", v)
	}
	r.out = append(r.out, term.Node{S: s.ID, C: s.Verbatim(x, r.out), N: 1, X: x})
	return nil
}

// fields appends a node with constructor c, and its fields, which it reads from v at
// their offsets.
func (r *reader) fields(s *Schema, c int, v reflect.Value) *readError {
	at := len(r.out)
	r.out = append(r.out, term.Node{S: s.ID, C: uint16(c)})
	for _, f := range s.Ctors[c].Fields {
		if f.Name == "" {
			if err := r.value(f.S, v); err != nil {
				return err
			}
		} else if err := r.value(f.S, v.FieldByName(f.Name)); err != nil {
			return err.under("." + f.Name)
		}
	}
	r.out[at].N = uint32(len(r.out) - at)
	return nil
}

func (r *reader) ctor(s *Schema, v reflect.Value) *readError {
	switch s.Kind {
	case Complex:
		x := v.Complex()
		part := s.Ctors[0].Fields[0].S.ID
		r.out = append(r.out, term.Node{S: s.ID, N: 3},
			term.Node{S: part, N: 1, X: FloatBits(real(x))}, term.Node{S: part, N: 1, X: FloatBits(imag(x))})
		return nil
	case Struct:
		if s.opaque != nil {
			v = s.opaque.get(v)
		}
		return r.fields(s, 0, v)
	case Pointer:
		if v.IsNil() {
			return r.fields(s, 0, v)
		}
		return r.fields(s, 1, v.Elem())
	}
	if v.IsNil() {
		return r.fields(s, 0, v)
	}
	e := v.Elem()
	for c := 1; c < len(s.Ctors); c++ {
		if s.Variant(c) == e.Type() {
			return r.variant(s, c, e)
		}
		if at := len(r.out); s.Ctors[c].Call && r.fields(s, c, v) == nil {
			return nil
		} else {
			r.out = r.out[:at]
		}
	}
	return unreadable("%v is not a declared variant of %v", e.Type(), s.Type)
}

func (r *reader) variant(s *Schema, c int, e reflect.Value) *readError {
	if fs := s.Ctors[c].Fields; e.Kind() == reflect.Pointer && !(len(fs) == 1 && fs[0].Name == "" && fs[0].S.Type == e.Type()) {
		if e.IsNil() {
			return unreadable("a nil %v in an interface cannot be represented", e.Type())
		}
		return r.fields(s, c, e.Elem())
	}
	// The content of an interface is not addressable; copy it.
	x := reflect.New(e.Type()).Elem()
	x.Set(e)
	return r.fields(s, c, x)
}

func (r *reader) list(s *Schema, v reflect.Value) *readError {
	at := len(r.out)
	r.out = append(r.out, term.Node{S: s.ID, N: 1})
	if s.Kind != Array {
		if v.IsNil() && s.NonNil {
			return unreadable("a nil %v in an interface cannot be represented", s.Type)
		}
		if v.IsNil() {
			return nil
		}
		r.out[at].C = 1
	}
	r.out[at].X = uint64(v.Len())
	if s.Kind == Map {
		return r.entries(s, v, at)
	}
	for i := range v.Len() {
		if err := r.value(s.Elem, v.Index(i)); err != nil {
			return err.under(fmt.Sprintf("[%d]", i))
		}
	}
	r.out[at].N = uint32(len(r.out) - at)
	return nil
}

// entries reads a map; sorting removes its random order.
func (r *reader) entries(s *Schema, m reflect.Value, at int) *readError {
	for it := m.MapRange(); it.Next(); {
		k, e := reflect.New(s.Key.Type).Elem(), reflect.New(s.Elem.Type).Elem()
		k.Set(it.Key())
		e.Set(it.Value())
		if err := r.value(s.Key, k); err != nil {
			return err.under("[key]")
		}
		if err := r.value(s.Elem, e); err != nil {
			return err.under(fmt.Sprintf("[%v]", it.Key()))
		}
	}
	r.out[at].N = uint32(len(r.out) - at)
	r.out = append(r.out[:at], r.world.SortEntries(r.out[at:])...)
	if n := int(r.out[at].X); n != m.Len() {
		return unreadable("%d map keys are NaN or equal to another key", m.Len()-n)
	}
	return nil
}

func (r *reader) choice(s *Schema, v reflect.Value) *readError {
	if c := s.identical(v); c >= 0 {
		r.out = append(r.out, term.Node{S: s.ID, C: uint16(c), N: 1})
		return nil
	}
	if s.Base == nil {
		return unreadable("a %v can only be one of the values that are declared with allele.Values, or nil", s.Type)
	}
	sub := reader{world: r.world, depth: r.depth}
	if err := sub.value(s.Base, v); err != nil {
		return err
	}
	for c := range s.Ctors {
		if s.Ctors[c].Value != nil && term.Equal(s.Ctors[c].Value, sub.out) {
			r.out = append(r.out, term.Node{S: s.ID, C: uint16(c), N: 1})
			return nil
		}
	}
	return unreadable("not one of the declared values of %v", s.Type)
}

// match reads a text that must match a regular expression.
func (r *reader) match(s *Schema, v reflect.Value) *readError {
	text := ""
	if s.Base.Kind == String {
		text = v.String()
	} else {
		text = string(v.Bytes())
	}
	t, err := s.Parse(text)
	if err != nil {
		return unreadable("%v", err)
	}
	r.out = append(r.out, t...)
	return nil
}

// made finds a builder call that returns the value, if one of the builders can be
// inverted. Builders that are never generated (see Func.hidden) are tried last, because
// their only argument is the whole value as a text.
func (r *reader) made(s *Schema, v reflect.Value) *readError {
	at := len(r.out)
	var why *readError
	for c := range s.InOrder() {
		f := s.Ctors[c].Func
		if f.invert == nil {
			continue
		}
		args, ok := f.invert(v)
		if !ok {
			continue
		}
		r.out = append(r.out[:at], term.Node{S: s.ID, C: uint16(c)})
		err := r.arguments(s.Ctors[c].Fields, args)
		if err == nil {
			r.out[at].N = uint32(len(r.out) - at)
			return nil
		}
		if why == nil {
			why = err
		}
	}
	if why != nil {
		return why
	}
	if s.machine != nil {
		return unreadable("a %v is a function, and it cannot be seen which calls it makes; "+
			"write the calls in a case file under testdata/allele, or call allele.Replay in a test of its own", s.Type)
	}
	return unreadable("a %v is made by its builders and cannot be read back; "+
		"write the call in a case file under testdata/allele instead", s.Type)
}

func (r *reader) arguments(fields []Field, args []reflect.Value) *readError {
	for i, a := range args {
		x := reflect.New(a.Type()).Elem()
		x.Set(a)
		if err := r.value(fields[i].S, x); err != nil {
			return err
		}
	}
	return nil
}
