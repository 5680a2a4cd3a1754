//go:build go1.25

package schema

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/allele-go/allele/internal/value/steps"
	"github.com/allele-go/allele/internal/value/term"
)

// Builder makes Go values from terms. Every call of Build uses new memory, and later
// calls never write to it, so the property may keep the value or change it.
//
// Memory is allocated in typed chunks, so the garbage collector knows every pointer
// in it. Every store of a pointer is a typed store, so the collector sees every
// change. The price: most values are not at the start of an allocation, and
// runtime.SetFinalizer rejects such values (runtime.AddCleanup does not); see
// Single.
type Builder struct {
	// Single allocates every value separately, for properties that set finalizers.
	Single bool
	// Record makes lists of calls note which calls are made, see Programs.
	Record bool

	world   *World
	refused *Func         // rejected its arguments in the last Build that failed
	builds  int           // number of values that were built from the current chunks
	arenas  []arena       // by cell
	text    []byte        // memory of strings; bytes are appended and never overwritten
	flat    []byte        // scratch
	lists   []*steps.List // of the value that was built last, if Record is set
}

// cursor is the position up to which a term has been read. It is not a part of
// Builder but lies on the stack, because writing its pointer to the heap in every
// run would be expensive while the garbage collector runs.
type cursor struct {
	t  term.Term
	at int
}

type arena struct {
	base    unsafe.Pointer
	used, n uintptr
}

// textBytes is the size of a block of memory for strings. Strings longer than
// textMax are allocated separately, so that a small string does not keep a large
// block alive.
const (
	textBytes = 2048
	textMax   = 256
)

// generation is how many values are built from the same chunks. After that, all
// chunks are dropped together. If each chunk were replaced when it is full, chunks
// of rare types would be used for a long time. They would point to chunks of other
// types, which point to older chunks of rare types, and so on: one value could keep
// all earlier values in memory.
const generation = 128

// NewBuilder returns a Builder for the terms of a world.
func NewBuilder(w *World) *Builder {
	return &Builder{world: w, arenas: make([]arena, len(w.cells))}
}

// refused is the value of the panic with which a builder function's rejection ends
// Build. Build recovers it.
type refused struct{ s *Schema }

// Build writes the value of t, a term of the root, to p, which must point to a
// zero value of the root type. It reports false if a builder function rejected
// its arguments. A panic of a builder function is not recovered.
func (b *Builder) Build(t term.Term, p unsafe.Pointer) (ok bool) {
	if b.builds++; b.builds == generation {
		b.builds = 0
		clear(b.arenas)
	}
	if b.Record {
		b.lists = nil
	}
	c := cursor{t, 0}
	if !b.world.fallible {
		b.exec(&c, b.world.Root.ops, p)
		return true
	}
	return b.try(&c, p)
}

func (b *Builder) try(c *cursor, p unsafe.Pointer) (ok bool) {
	defer func() {
		if !ok {
			if r := recover(); r != nil && !isRefused(r) {
				panic(r)
			}
		}
	}()
	b.exec(c, b.world.Root.ops, p)
	return true
}

// Try reports whether the value of a term of s can be built. It fails if a
// builder function rejects its arguments or panics.
func (b *Builder) Try(s *Schema, t term.Term) (ok bool) {
	_, ok = b.part(s, t)
	return ok
}

// part builds the value of a term of s.
func (b *Builder) part(s *Schema, t term.Term) (v reflect.Value, ok bool) {
	defer func() {
		if !ok {
			recover()
		}
	}()
	p := reflect.New(s.Type)
	b.exec(&cursor{t, 0}, s.ops, p.UnsafePointer())
	return p.Elem(), true
}

// Refused returns the builder function that rejected its arguments in the last Build that
// returned false.
func (b *Builder) Refused() *Func { return b.refused }

func isRefused(r any) bool { _, ok := r.(refused); return ok }

// exec runs a plan. It is one long switch, and not split into functions, because it
// is the innermost loop of every search.
func (b *Builder) exec(c *cursor, ops []op, p unsafe.Pointer) {
	for i := range ops {
		o := &ops[i]
		q := unsafe.Add(p, uintptr(o.off))
		n := &c.t[c.at]
		c.at++
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
			*(*string)(q) = b.string(c, n)
		case opBytes:
			if n.C == term.Raw {
				*(*[]byte)(q) = append(make([]byte, 0, n.X), c.raw(n)...)
			}
		case opPointer:
			if n.C != 0 {
				cell := &o.s.Ctors[1]
				x := b.alloc(cell.box)
				b.exec(c, cell.ops, x)
				*(*unsafe.Pointer)(q) = x
			}
		case opInterface:
			if n.C != 0 {
				b.box(c, &o.s.Ctors[n.C], q)
			}
		case opSlice:
			if n.C != 0 {
				b.slice(c, o.s, int(n.X), q)
			}
		case opArray:
			b.elems(c, o.s.Elem, o.s.Len, q)
		case opMap:
			if n.C != 0 {
				b.mapOf(c, o.s, int(n.X), q)
			}
		case opMade:
			b.made(c, o.s, &o.s.Ctors[n.C], q)
		case opChoice:
			b.choice(o.s, &o.s.Ctors[n.C], q)
		case opRule:
			b.rule(c, o.s, q)
		case opMessage:
			b.message(c, o.s, q)
		case opFollow:
			*(*uint32)(q) = uint32(followed(n, &c.t[c.at-2]))
		case opBlock:
			copy(unsafe.Slice((*byte)(q), n.X), c.raw(n))
		}
	}
}

func (b *Builder) box(c *cursor, v *Ctor, q unsafe.Pointer) {
	if v.Call {
		b.exec(c, v.ops, q)
		return
	}
	if v.direct {
		var word unsafe.Pointer
		b.exec(c, v.ops, unsafe.Pointer(&word))
		*(*words)(q) = words{v.tab, word}
		return
	}
	x := b.alloc(v.box)
	b.exec(c, v.ops, x)
	*(*words)(q) = words{v.tab, x}
}

// zero is what empty slices point to.
var zero [1]uint64

func (b *Builder) slice(c *cursor, s *Schema, n int, q unsafe.Pointer) {
	if n == 0 {
		*(*sliceWords)(q) = sliceWords{unsafe.Pointer(&zero), 0, 0}
		return
	}
	x := b.allocRow(s.elemOf, n)
	*(*sliceWords)(q) = sliceWords{x, n, n}
	b.elems(c, s.Elem, n, x)
}

func (b *Builder) elems(c *cursor, e *Schema, n int, x unsafe.Pointer) {
	if len(e.ops) == 1 && e.ops[0].kind == op64 {
		for i, node := range c.t[c.at : c.at+n] {
			*(*uint64)(unsafe.Add(x, uintptr(i)*8)) = node.X
		}
		c.at += n
		return
	}
	size := e.Type.Size()
	for i := range n {
		b.exec(c, e.ops, unsafe.Add(x, uintptr(i)*size))
	}
}

func (b *Builder) made(c *cursor, s *Schema, f *Ctor, q unsafe.Pointer) {
	if s.machine != nil {
		b.steps(c, s, f, q)
		return
	}
	args := b.alloc(f.box)
	b.exec(c, f.ops, args)
	if !f.Func.call(q, args) {
		b.refused = f.Func
		b.world.doubt(f.Func)
		panic(refused{s})
	}
}

func (b *Builder) choice(s *Schema, c *Ctor, q unsafe.Pointer) {
	if c.Value == nil {
		reflect.NewAt(s.Type, q).Elem().Set(c.Opaque)
		return
	}
	b.exec(&cursor{c.Value, 0}, s.Base.ops, q)
}

func (c *cursor) raw(n *term.Node) []byte {
	at := c.at - 1
	c.at = at + int(n.N)
	return c.t.Bytes(at)
}

func (b *Builder) string(c *cursor, n *term.Node) string {
	if n.X == 0 {
		return ""
	}
	return b.copied(c.raw(n))
}

// copied returns a text in memory of the builder.
func (b *Builder) copied(raw []byte) string {
	if len(raw) == 0 || len(raw) > textMax || b.Single {
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

// allocRow allocates n consecutive values. A small number of values is taken from
// the chunk.
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
