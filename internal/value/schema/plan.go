//go:build go1.25

package schema

import "reflect"

// A plan is a flat list of operations (op) that build a Go value from a term. There
// is an op for every node whose offset in memory is fixed. The fields of structs and
// the elements of short arrays have ops of their own, so the op of the struct or
// array only skips its node.

type opKind uint8

const (
	opStep opKind = iota // skip the node of a struct or array; ops for its content follow
	op8
	op16
	op32
	op64
	opFloat32
	opString
	opBytes
	opPointer
	opInterface
	opSlice
	opArray
	opMap
	opMade
	opChoice
	opRule
	opMessage
	opFollow // an int32 with the sign of the number before it
	opBlock
)

type op struct {
	kind opKind
	off  uint32
	s    *Schema
}

// inlineMax is the length of the longest array whose elements have ops of their own.
// A longer array is one op with a loop.
const inlineMax = 8

// cell describes a type whose values must be allocated, for example because a
// pointer points to them.
type cell struct {
	id    int
	typ   reflect.Type
	size  uintptr
	chunk reflect.Type // an array of n values
	n     uintptr      // number of values in a chunk
}

// chunkBytes is the size of a chunk. Values in a chunk are never reused, and the
// chunk stays in memory as long as one of its values is used. With a kilobyte,
// allocating small values is 30 times cheaper than one by one, and little memory is
// retained.
const chunkBytes = 1024

func (d *deriver) cell(t reflect.Type) *cell {
	if c := d.cells[t]; c != nil {
		return c
	}
	c := &cell{id: len(d.world.cells), typ: t, size: t.Size(), n: chunkBytes / max(1, t.Size())}
	c.n = max(1, c.n)
	c.chunk = reflect.ArrayOf(int(c.n), t)
	d.cells[t] = c
	d.world.cells = append(d.world.cells, c)
	return c
}

// plan compiles the plans of every schema and constructor.
func (w *World) plan() {
	for _, s := range w.Schemas {
		s.ops = appendOps(nil, s, 0)
		for c := range s.Ctors {
			s.Ctors[c].ops = fieldOps(nil, s.Ctors[c].Fields, 0)
		}
	}
}

func fieldOps(ops []op, fields []Field, off uintptr) []op {
	for _, f := range fields {
		ops = appendOps(ops, f.S, off+f.off)
	}
	return ops
}

func appendOps(ops []op, s *Schema, off uintptr) []op {
	o := op{off: uint32(off), s: s, kind: kindOp[s.Kind]}
	switch s.Kind {
	case Scalar:
		if o.kind = scalarOp(s.Type); s.follows {
			o.kind = opFollow
		}
	case Struct, Complex:
		if s.opaque != nil {
			o.kind = opMessage
			return append(ops, o)
		}
		return fieldOps(append(ops, o), s.Ctors[0].Fields, off)
	case Array:
		if s.Len <= inlineMax {
			o.kind = opStep
			ops = append(ops, o)
			for i := range s.Len {
				ops = appendOps(ops, s.Elem, off+uintptr(i)*s.Elem.Type.Size())
			}
			return ops
		}
	}
	return append(ops, o)
}

var kindOp = map[Kind]opKind{
	Struct: opStep, Complex: opStep, String: opString, Bytes: opBytes, Pointer: opPointer,
	Interface: opInterface, Slice: opSlice, Array: opArray, Map: opMap, Made: opMade, Choice: opChoice, Rule: opRule,
	Block: opBlock,
}

func scalarOp(t reflect.Type) opKind {
	if t.Kind() == reflect.Float32 {
		return opFloat32
	}
	return map[uintptr]opKind{1: op8, 2: op16, 4: op32, 8: op64}[t.Size()]
}
