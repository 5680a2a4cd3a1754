//go:build go1.25

// Package term represents inputs as immutable trees that are flat in memory.
//
// Terms are what allele generates, mutates, shrinks, stores and prints. The Go value
// that a property sees is built from the term for every run, so a property that
// writes to its input cannot damage saved inputs. A term is one slice of 16-byte
// units in preorder and contains no pointers. So comparing two terms is a memcmp,
// hashing takes one multiplication per unit, and saving a term is one copy.
//
//	u := term.Replace(scratch, t, pos, sub) // t with another subterm at pos
//	for p := range t.Kids(0) { ... }        // positions of the fields of the root
//
// Package schema defines what the numbers in a unit mean. Package term only needs to
// know where each subterm ends, and which units are not nodes but contain the bytes
// of a string.
package term

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
	"unsafe"
)

// Node is the root of a subterm: a constructor. The nodes of its fields follow it in
// the term.
type Node struct {
	S uint16 // index of the schema, which describes the type
	C uint16 // index of the constructor; Raw if bytes follow
	N uint32 // number of units in the whole subterm, this node included
	X uint64 // bits of a scalar, length of a list, or number of raw bytes
}

// Raw is the constructor of a string or byte slice. The node is followed by X bytes,
// stored in units that are not nodes.
const Raw = 0xffff

// unit is the size of a Node in bytes.
const unit = 16

// Term is a tree, which may be a subterm of another: t[0] is its root and t[0].N its
// length.
type Term []Node

// RawUnits returns the number of units that hold n bytes.
func RawUnits(n int) int { return (n + unit - 1) / unit }

// Bytes returns the bytes of the raw node at pos. They share memory with the term.
func (t Term) Bytes(pos int) []byte {
	n := int(t[pos].X)
	if n == 0 {
		return nil
	}
	return memory(t[pos+1:])[:n]
}

// AppendRaw appends a raw node of schema s that holds b.
func AppendRaw[B string | []byte](t Term, s uint16, b B) Term {
	n := RawUnits(len(b))
	t = append(t, Node{S: s, C: Raw, N: uint32(1 + n), X: uint64(len(b))})
	at := len(t)
	for range n {
		t = append(t, Node{})
	}
	if len(b) > 0 {
		copy(memory(t[at:]), b)
	}
	return t
}

// AppendJoined is AppendRaw for a text that consists of several parts.
func AppendJoined(t Term, s uint16, parts ...[]byte) Term {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	n := RawUnits(size)
	t = append(t, Node{S: s, C: Raw, N: uint32(1 + n), X: uint64(size)})
	at := len(t)
	t = slices.Grow(t, n)[:at+n]
	if n > 0 {
		t[at+n-1] = Node{}
		to := memory(t[at:])
		for _, p := range parts {
			to = to[copy(to, p):]
		}
	}
	return t
}

// Memory returns the memory of the term as bytes, to be sent to another process on
// this machine. This is possible because nodes have no padding and no pointers. The
// bytes are not a copy.
func (t Term) Memory() []byte { return memory(t) }

// FromMemory copies bytes returned by Memory into a new term. It does not check
// that the term is valid for a type.
func FromMemory(b []byte) (t Term, ok bool) {
	if len(b)%unit != 0 {
		return nil, false
	}
	t = make(Term, len(b)/unit)
	copy(memory(t), b)
	return t, true
}

func memory(t Term) []byte {
	if len(t) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&t[0])), len(t)*unit)
}

// Sub returns the subterm at pos.
func (t Term) Sub(pos int) Term { return t[pos : pos+int(t[pos].N)] }

// Clone returns a copy of t. If t lies in a scratch buffer, the copy stays valid when
// the buffer is reused.
func (t Term) Clone() Term { return append(make(Term, 0, len(t)), t...) }

// Kids iterates over the positions of the immediate subterms of the node at pos.
func (t Term) Kids(pos int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if t[pos].C == Raw {
			return
		}
		for i, end := pos+1, pos+int(t[pos].N); i < end; i += int(t[i].N) {
			if !yield(i) {
				return
			}
		}
	}
}

// Nodes iterates over the positions of all nodes in preorder. It skips the units
// that contain raw bytes.
func (t Term) Nodes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(t); i++ {
			if !yield(i) {
				return
			}
			if t[i].C == Raw {
				i += int(t[i].N) - 1
			}
		}
	}
}

// Levels iterates over the positions of all nodes, level by level from the root.
func (t Term) Levels() iter.Seq[int] {
	return func(yield func(int) bool) {
		queue := make([]int, 1, 64)
		for head := 0; head < len(queue); head++ {
			if !yield(queue[head]) {
				return
			}
			for k := range t.Kids(queue[head]) {
				queue = append(queue, k)
			}
		}
	}
}

// Replace writes t to dst with sub in place of the subterm at pos, and returns
// dst. The old content of dst is overwritten; dst must not overlap t or sub.
func Replace(dst, t Term, pos int, sub Term) Term {
	return Splice(dst, t, Span{Parent: parent(t, pos), From: pos, To: pos + int(t[pos].N)}, sub)
}

// Span is a range of whole subterms under one node. If From equals To, the span
// is empty and marks the gap between two subterms.
type Span struct{ Parent, From, To int }

// Splice writes t to dst with the span replaced by sub, and returns dst. It corrects
// N in all nodes that contain the span. If at.Parent is a list, the caller must
// correct the list's length in X.
func Splice(dst, t Term, at Span, sub Term) Term {
	dst = append(dst[:0], t[:at.From]...)
	dst = append(dst, sub...)
	dst = append(dst, t[at.To:]...)
	delta := len(sub) - (at.To - at.From)
	if delta == 0 || at.Parent < 0 {
		return dst
	}
	for i := 0; ; i = kidAround(t, i, at.Parent) {
		dst[i].N = uint32(int(dst[i].N) + delta)
		if i == at.Parent {
			return dst
		}
	}
}

// parent returns the position of the node that has the node at pos as a field, or -1
// if pos is the root.
func parent(t Term, pos int) int {
	if pos == 0 {
		return -1
	}
	for i := 0; ; {
		k := kidAround(t, i, pos)
		if k == pos {
			return i
		}
		i = k
	}
}

// kidAround returns the position of the immediate subterm of node i that contains
// pos.
func kidAround(t Term, i, pos int) int {
	k := i + 1
	for k+int(t[k].N) <= pos {
		k += int(t[k].N)
	}
	return k
}

// Equal reports whether two terms are the same.
func Equal(a, b Term) bool { return bytes.Equal(memory(a), memory(b)) }

// Hash returns a hash of t that is the same in every process, unlike that of
// hash/maphash. Even and odd units are hashed separately, so that the processor can
// do two multiplications at once.
func Hash(t Term) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h, g := uint64(len(t))*k1, uint64(k0)
	if len(t) > 1 && t[1].head() == 0 { // bytes that begin with zeros; the first factor would be 0
		g = k1
	}
	i := 0
	for ; i+1 < len(t); i += 2 {
		h = fold(t[i].head()^k0^h, t[i].X^k1)
		g = fold(t[i+1].head()^k0^g, t[i+1].X^k1)
	}
	if i < len(t) {
		h = fold(t[i].head()^k0^h, t[i].X^k1)
	}
	return fold(h^k0, g^k1)
}

func (n *Node) head() uint64 { return uint64(n.S) | uint64(n.C)<<16 | uint64(n.N)<<32 }

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
