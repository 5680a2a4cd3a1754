//go:build go1.25

package schema

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/allele-go/allele/internal/value/term"
)

// A long array of scalars is a Block: one node, followed by the memory of the array. With a
// node for each element, a page of 64 KiB would take a megabyte, and hashing, copying and
// building it would take longer than most properties. The elements have no nodes, so other
// packages read and change them with Item and SetItem.

// blockMin is the minimal length of a Block. Below it, an array is a list of nodes, which all
// mutations of lists apply to. From 16 bytes on, arrays are mostly hashes, keys and IDs: what
// counts is whether they are equal. To generate, build and hash 8 bytes takes as long either
// way, 16 bytes 250 ns instead of 320, and 64 KiB 0.17 ms instead of 3.6.
const blockMin = 16

// array derives an array. If something is declared for its elements, they are nodes, as the
// elements of a slice are. Constants that code compares elements with do not count: they are
// only a few of the values.
func (d *deriver) array(s *Schema, sc *scope, path string) {
	t := s.Type
	s.Kind, s.Len = Array, t.Len()
	if s.Len > arrayMax {
		d.refuse(path, t, fmt.Sprintf("the array has more than %d elements, which is too large to generate; %s", arrayMax, aroundLarge))
		return
	}
	sc = sc.inside(t, elemsName)
	s.Elem = d.schema(t.Elem(), sc, path+elemsName)
	if s.Len >= blockMin && s.Elem.Kind == Scalar && sc.types[t.Elem()].isLoose() {
		s.Kind = Block
	}
	if s.Len >= blockMin && s.Elem.Kind == Struct && t.Size() == 0 {
		// Nodes of elements that have only one value would take time and room for nothing.
		s.Kind, s.Elem, s.Ctors = Struct, nil, []Ctor{{}}
	}
}

// isLoose reports whether nothing is declared but constants from comparisons.
func (e *entry) isLoose() bool {
	return e == nil || (e.likely.loose || e.likely.all == nil) && e.limit == nil && e.shapes == nil && e.mixes == nil
}

// bytes returns the number of bytes of a Block.
func (s *Schema) bytes() int { return int(s.Type.Size()) }

// Item returns element i of a Block with the given memory, as the X of a scalar of s.Elem.
func (s *Schema) Item(memory []byte, i int) uint64 {
	e := s.Elem
	var x uint64
	switch e.Bits {
	case 8:
		x = uint64(memory[i])
	case 16:
		x = uint64(binary.NativeEndian.Uint16(memory[2*i:]))
	case 32:
		x = uint64(binary.NativeEndian.Uint32(memory[4*i:]))
		if e.float {
			return FloatBits(float64(math.Float32frombits(uint32(x))))
		}
	default:
		x = binary.NativeEndian.Uint64(memory[8*i:])
		if e.float {
			return FloatBits(math.Float64frombits(x))
		}
	}
	if e.signed {
		free := 64 - e.Bits
		return uint64(int64(x<<free) >> free)
	}
	return x
}

// SetItem sets element i of a Block to a scalar of s.Elem.
func (s *Schema) SetItem(memory []byte, i int, x uint64) {
	switch s.Elem.Bits {
	case 8:
		memory[i] = byte(x)
	case 16:
		binary.NativeEndian.PutUint16(memory[2*i:], uint16(x))
	case 32:
		if s.Elem.float {
			x = uint64(math.Float32bits(float32(math.Float64frombits(x))))
		}
		binary.NativeEndian.PutUint32(memory[4*i:], uint32(x))
	default:
		binary.NativeEndian.PutUint64(memory[8*i:], x)
	}
}

// ItemFrom returns the index of the first element of a Block at i or after it that is not zero,
// or s.Len if there is none.
func (s *Schema) ItemFrom(memory []byte, i int) int {
	size := s.Elem.Bits / 8
	rest := bytes.TrimLeft(memory[i*size:], "\x00")
	return s.Len - (len(rest)+size-1)/size
}

// ItemsFit reports whether memory may be that of a Block of s.
func (s *Schema) ItemsFit(memory []byte) bool {
	if len(memory) != s.bytes() {
		return false
	}
	if s.Elem.Type.Kind() != reflect.Bool {
		return true
	}
	for _, b := range memory {
		if b > 1 {
			return false
		}
	}
	return true
}

// compareItems orders Blocks by the first element that differs.
func (s *Schema) compareItems(a, b []byte) int {
	for i := range s.Len {
		if x, y := s.Item(a, i), s.Item(b, i); x != y {
			if s.Elem.Less(x, y) {
				return -1
			}
			return 1
		}
	}
	return 0
}

// block reads a long array.
func (r *reader) block(s *Schema, v reflect.Value) *readError {
	at := len(r.out)
	r.out = append(r.out, s.Least...)
	memory := r.out.Bytes(at)
	for i := range s.Len {
		s.SetItem(memory, i, ScalarBits(v.Index(i)))
	}
	return nil
}

// EachFloat calls f with every float of a term, also those of Blocks, and replaces the float
// by the result.
func (w *World) EachFloat(t term.Term, f func(x uint64) uint64) {
	for i := range t.Nodes() {
		s := w.Of(t[i])
		switch {
		case s.IsFloat():
			if x := f(t[i].X); x != t[i].X {
				t[i].X = x
			}
		case s.Kind == Block && s.Elem.IsFloat():
			memory := t.Bytes(i)
			for k := range s.Len {
				if x := s.Item(memory, k); f(x) != x {
					s.SetItem(memory, k, f(x))
				}
			}
		}
	}
}

// HasParts reports whether terms of s have parts: everything except for numbers and texts. A
// Block has parts although it is one node.
func (s *Schema) HasParts() bool { return !s.IsScalar() || s.Kind == Block }
