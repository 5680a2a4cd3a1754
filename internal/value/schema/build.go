package schema

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/allele-go/allele/internal/value/term"
)

// Builder makes Go values of terms. Every Build gives fresh memory that is
// never touched again, whatever the property does with it.
//
// Memory comes in typed chunks, so the collector knows every pointer in it,
// and every store of a pointer is a typed store, so it sees every change. The
// price: a value in a chunk is not the start of an allocation, which
// runtime.SetFinalizer refuses (runtime.AddCleanup does not); see Single.
type Builder struct {
	// Single allocates every cell by itself, for properties that set finalizers.
	Single bool

	world  *World
	arenas []arena // by cell
	text   []byte  // strings are cut from it; appended to, never rewritten

	t  term.Term
	at int
}

type arena struct {
	base    unsafe.Pointer
	used, n uintptr
}

// textBytes is the block strings are cut from; longer ones than textMax are
// allocated by themselves, so that no small string keeps a large block alive.
const (
	textBytes = 2048
	textMax   = 256
)

// NewBuilder returns a Builder for the terms of a world.
func NewBuilder(w *World) *Builder {
	return &Builder{world: w, arenas: make([]arena, len(w.cells))}
}

// refused is what a builder function panics with, inside Build only.
type refused struct{ s *Schema }

// Build writes the value of t, a term of the root, to p, which must point to a
// zero value of the root type. It reports false if a builder function refused
// its arguments. A panic of a builder function passes through.
func (b *Builder) Build(t term.Term, p unsafe.Pointer) (ok bool) {
	b.t, b.at = t, 0
	if !b.world.fallible {
		b.exec(b.world.Root.ops, p)
		return true
	}
	return b.try(p)
}

func (b *Builder) try(p unsafe.Pointer) (ok bool) {
	defer func() {
		if !ok {
			if r := recover(); r != nil && !isRefused(r) {
				panic(r)
			}
		}
	}()
	b.exec(b.world.Root.ops, p)
	return true
}

func isRefused(r any) bool { _, ok := r.(refused); return ok }

// exec runs a plan. It is one switch, kept whole: it is the innermost loop of
// everything.
func (b *Builder) exec(ops []op, p unsafe.Pointer) {
	for i := range ops {
		o := &ops[i]
		q := unsafe.Add(p, uintptr(o.off))
		n := &b.t[b.at]
		b.at++
		switch o.kind {
		case opStep:
		case op8:
			*(*uint8)(q) = uint8(n.X)
		case op16:
			*(*uint16)(q) = uint16(n.X)
		case op32:
			*(*uint32)(q) = uint32(n.X)
		case op64:
			*(*uint64)(q) = n.X
		case opFloat32:
			*(*float32)(q) = float32(math.Float64frombits(n.X))
		case opString:
			*(*string)(q) = b.string(n)
		case opBytes:
			if n.C == term.Raw {
				*(*[]byte)(q) = append(make([]byte, 0, n.X), b.raw(n)...)
			}
		case opPointer:
			if n.C != 0 {
				c := &o.s.Ctors[1]
				x := b.alloc(c.box)
				b.exec(c.ops, x)
				*(*unsafe.Pointer)(q) = x
			}
		case opInterface:
			if n.C != 0 {
				b.box(&o.s.Ctors[n.C], q)
			}
		case opSlice:
			if n.C != 0 {
				b.slice(o.s, int(n.X), q)
			}
		case opArray:
			b.elems(o.s.Elem, o.s.Len, q)
		case opMap:
			if n.C != 0 {
				b.mapOf(o.s, int(n.X), q)
			}
		case opMade:
			b.made(o.s, &o.s.Ctors[n.C], q)
		case opChoice:
			b.choice(o.s, &o.s.Ctors[n.C], q)
		}
	}
}

func (b *Builder) box(c *Ctor, q unsafe.Pointer) {
	if c.direct {
		var word unsafe.Pointer
		b.exec(c.ops, unsafe.Pointer(&word))
		*(*words)(q) = words{c.tab, word}
		return
	}
	x := b.alloc(c.box)
	b.exec(c.ops, x)
	*(*words)(q) = words{c.tab, x}
}

// zero is where empty slices point.
var zero [1]uint64

func (b *Builder) slice(s *Schema, n int, q unsafe.Pointer) {
	if n == 0 {
		*(*sliceWords)(q) = sliceWords{unsafe.Pointer(&zero), 0, 0}
		return
	}
	x := b.allocRow(s.elemOf, n)
	*(*sliceWords)(q) = sliceWords{x, n, n}
	b.elems(s.Elem, n, x)
}

func (b *Builder) elems(e *Schema, n int, x unsafe.Pointer) {
	if len(e.ops) == 1 && e.ops[0].kind == op64 {
		for i, node := range b.t[b.at : b.at+n] {
			*(*uint64)(unsafe.Add(x, uintptr(i)*8)) = node.X
		}
		b.at += n
		return
	}
	size := e.Type.Size()
	for i := range n {
		b.exec(e.ops, unsafe.Add(x, uintptr(i)*size))
	}
}

func (b *Builder) made(s *Schema, c *Ctor, q unsafe.Pointer) {
	args := b.alloc(c.box)
	b.exec(c.ops, args)
	if !c.Func.call(q, args) {
		panic(refused{s})
	}
}

func (b *Builder) choice(s *Schema, c *Ctor, q unsafe.Pointer) {
	if s.Base == nil {
		reflect.NewAt(s.Type, q).Elem().Set(c.Opaque)
		return
	}
	t, at := b.t, b.at
	b.t, b.at = c.Value, 0
	b.exec(s.Base.ops, q)
	b.t, b.at = t, at
}

func (b *Builder) raw(n *term.Node) []byte {
	at := b.at - 1
	b.at = at + int(n.N)
	return b.t.Bytes(at)
}

func (b *Builder) string(n *term.Node) string {
	if n.X == 0 {
		return ""
	}
	raw := b.raw(n)
	if len(raw) > textMax || b.Single {
		return string(raw)
	}
	if len(b.text)+len(raw) > cap(b.text) {
		b.text = make([]byte, 0, textBytes)
	}
	at := len(b.text)
	b.text = append(b.text, raw...)
	return unsafe.String(&b.text[at], len(raw))
}

func (b *Builder) alloc(c *cell) unsafe.Pointer {
	a := &b.arenas[c.id]
	if a.used == a.n {
		b.refill(a, c)
	}
	p := unsafe.Add(a.base, a.used*c.size)
	a.used++
	return p
}

func (b *Builder) refill(a *arena, c *cell) {
	if b.Single {
		*a = arena{base: reflect.New(c.typ).UnsafePointer(), n: 1}
		return
	}
	*a = arena{base: reflect.New(c.chunk).UnsafePointer(), n: c.n}
}

// allocRow allocates n values in a row, from the chunk if they are few.
func (b *Builder) allocRow(c *cell, n int) unsafe.Pointer {
	if b.Single || uintptr(n) > c.n/4 {
		return reflect.MakeSlice(reflect.SliceOf(c.typ), n, n).UnsafePointer()
	}
	a := &b.arenas[c.id]
	if a.used+uintptr(n) > a.n {
		b.refill(a, c)
	}
	p := unsafe.Add(a.base, a.used*c.size)
	a.used += uintptr(n)
	return p
}
