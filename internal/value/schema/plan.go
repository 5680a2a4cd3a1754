package schema

import "reflect"

// A plan is a flat list of ops, one for every node of a term that has a fixed
// place. Structs and short arrays are laid out inline, so their own nodes are
// skipped.

type opKind uint8

const (
	opStep opKind = iota // a struct or array whose content follows in the same plan
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
)

type op struct {
	kind opKind
	off  uint32
	s    *Schema
}

// inlineMax is the length of the longest array that is laid out inline; longer
// arrays use a loop.
const inlineMax = 8

// cell is a type whose values are allocated, one at a time or several
// consecutively.
type cell struct {
	id    int
	typ   reflect.Type
	size  uintptr
	chunk reflect.Type // an array of them
	n     uintptr      // its length
}

// chunkBytes is how much is allocated at once. Elements are never reused; a chunk
// lives as long as any of its elements. A kilobyte amortises the cost of
// allocation 30-fold for small nodes and retains little memory.
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

// plan compiles every schema and constructor.
func (w *World) plan() {
	for _, s := range w.Schemas {
		if s.Kind == Map && s.Key.IsScalar() && s.Elem.IsScalar() {
			s.fast = s.Type
		}
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
		o.kind = scalarOp(s.Type)
	case Struct, Complex:
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
	Interface: opInterface, Slice: opSlice, Array: opArray, Map: opMap, Made: opMade, Choice: opChoice,
}

func scalarOp(t reflect.Type) opKind {
	if t.Kind() == reflect.Float32 {
		return opFloat32
	}
	return map[uintptr]opKind{1: op8, 2: op16, 4: op32, 8: op64}[t.Size()]
}
