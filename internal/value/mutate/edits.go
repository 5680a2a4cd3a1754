//go:build go1.25

package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// edits enumerates the edits of a list, one element at a time. If several edits have
// the same result, such as dropping one of two equal neighbours, only the first is
// made.
type edits struct {
	op    editOp
	i     int
	n     int // number of elements, or of entries of a map
	fills group
	pairs []entry // entries that can be added to a map
}

type editOp uint8

const (
	opDrop editOp = iota // omit element i
	opCut                // keep i elements, at least two fewer than there are
	opNil                // an empty list, which is nil if the list was not nil, else not nil
	opCopy               // repeat element i; in an array, copy it over a neighbour
	opSwap               // swap elements i and i+1, or their values in a map
	opPut                // insert a new element
	opEnd
)

// entry is a key and a value for a map.
type entry struct {
	kind       Kind
	key, value term.Term
}

func (f *frame) openEdits() {
	e := &f.edits
	e.op, e.i, e.n = opDrop, 0, int(f.sub[0].X)
	switch f.s.Kind {
	case schema.Array:
		e.op = opCopy
	case schema.Slice:
		from := int32(len(f.items))
		f.fill(f.s.Elem)
		e.fills = group{from: from, to: int32(len(f.items))}
	case schema.Map:
		f.findPairs()
	}
}

// nextEdit moves to the next edit that changes the list.
func (f *frame) nextEdit() bool {
	e := &f.edits
	for ; e.op < opEnd; e.op, e.i = e.op+1, 0 {
		for n := f.editCount(); e.i < n; {
			e.i++
			if f.edit(e.i - 1) {
				return true
			}
		}
	}
	return false
}

// editCount returns the number of edits of the current operation, including those
// that edit skips.
func (f *frame) editCount() int {
	e := &f.edits
	switch {
	case f.s.Kind == schema.Array:
		switch e.op {
		case opCopy:
			return 2 * (e.n - 1)
		case opSwap:
			return e.n - 1
		}
		return 0
	case !roomFor(f.s, e.op, e.n):
		return 0
	case e.op == opDrop || e.op == opCopy && f.s.Kind == schema.Slice:
		return e.n
	case e.op == opCut || e.op == opSwap:
		return e.n - 1
	case e.op == opNil:
		return 1
	case e.op == opPut && f.s.Kind == schema.Map:
		return len(e.pairs)
	case e.op == opPut:
		return (e.n + 1) * int(e.fills.to-e.fills.from)
	}
	return 0
}

// roomFor reports whether the bounds of a list of n elements allow an operation.
func roomFor(s *schema.Schema, op editOp, n int) bool {
	switch {
	case op == opNil && s.Empty() != 0:
		return false // it is never nil
	case s.LenMax == 0:
		return true
	case op == opDrop:
		return n > s.LenMin
	}
	return op == opCut || op == opSwap || n < s.LenMax
}

// edit makes edit number i of the current operation. It returns false if another
// edit has the same result.
func (f *frame) edit(i int) bool {
	e := &f.edits
	if f.s.Kind == schema.Array {
		return f.editArray(i)
	}
	switch e.op {
	case opDrop:
		if i > 0 && f.sameElems(i-1, i) {
			return false
		}
		f.put(1, uint64(e.n-1))
		f.addElems(0, i)
		f.addElems(i+1, e.n)
	case opCut:
		if i < f.s.LenMin {
			return false
		}
		f.put(1, uint64(i))
		f.addElems(0, i)
	case opNil:
		f.put(1-f.sub[0].C, 0)
		f.seal(Lists)
		return true
	case opCopy:
		if i > 0 && f.sameElems(i-1, i) {
			return false
		}
		f.put(1, uint64(e.n+1))
		f.addElems(0, i+1)
		f.addElems(i, e.n)
	case opSwap:
		return f.swap(i)
	case opPut:
		return f.insert(i)
	}
	f.seal(Pure)
	return true
}

// perElem returns how many kids an element has: two for a map entry.
func (f *frame) perElem() int {
	if f.s.Kind == schema.Map {
		return 2
	}
	return 1
}

// sameElems reports whether two elements are equal. Entries of a map are always
// different.
func (f *frame) sameElems(i, j int) bool {
	return f.s.Kind != schema.Map && equal(f.kids[i], f.kids[j])
}

// addElems adds the elements i to j-1 to the candidate.
func (f *frame) addElems(i, j int) {
	if i >= j {
		return
	}
	per := f.perElem()
	from, to := int(f.kidPos[i*per])-f.pos, len(f.sub)
	if j*per < len(f.kidPos) {
		to = int(f.kidPos[j*per]) - f.pos
	}
	f.add(f.sub[from:to])
}

// swap exchanges element i and the next one. In a map it exchanges their values,
// since keys are sorted.
func (f *frame) swap(i int) bool {
	per := f.perElem()
	a, b := (i+1)*per-1, (i+2)*per-1 // the element itself, or the value of the map entry
	if equal(f.kids[a], f.kids[b]) {
		return false
	}
	f.put(f.sub[0].C, f.sub[0].X)
	f.addElems(0, i)
	if per == 2 {
		f.add(f.kids[a-1])
	}
	f.add(f.kids[b])
	if per == 2 {
		f.add(f.kids[b-1])
	}
	f.add(f.kids[a])
	f.addElems(i+2, f.edits.n)
	f.seal(Lists)
	if f.s.Kind == schema.Array {
		f.seal(Pure) // an array has few other edits
	}
	return true
}

// insert inserts a fill (see the method fill) between two elements. It returns false
// if one of them equals the fill, because opCopy makes the same list.
func (f *frame) insert(i int) bool {
	e := &f.edits
	if f.s.Kind == schema.Map {
		return f.insertPair(&e.pairs[i])
	}
	fills := f.items[e.fills.from:e.fills.to]
	at, which := i/len(fills), i%len(fills)
	x := fills[which]
	if at > 0 && equal(f.kids[at-1], x) || at < e.n && equal(f.kids[at], x) {
		return false
	}
	f.put(1, uint64(e.n+1))
	f.addElems(0, at)
	f.add(x)
	f.addElems(at, e.n)
	if f.seal(fillKind(which)); f.kind == Pure && at < e.n {
		f.kind = Lists
	}
	return true
}

// fillKind returns the kind of a mutant that contains the given fill. It is Pure for
// the first fill, which is the least term.
func fillKind(which int) Kind {
	if which > 0 {
		return Filled
	}
	return Pure
}

func (f *frame) insertPair(p *entry) bool {
	at := 0
	for at < f.edits.n && f.m.world.Compare(f.kids[2*at], p.key) < 0 {
		at++
	}
	f.put(1, uint64(f.edits.n+1))
	f.addElems(0, at)
	f.add(p.key)
	f.add(p.value)
	f.addElems(at, f.edits.n)
	f.seal(p.kind)
	return true
}

// editArray copies an element over its neighbour, or swaps two neighbours.
func (f *frame) editArray(i int) bool {
	if f.edits.op == opSwap {
		return f.swap(i)
	}
	to, from := i/2, i/2+1
	if i%2 == 1 {
		to, from = from, to
	}
	if equal(f.kids[to], f.kids[from]) || f.copied(to, from) {
		return false
	}
	f.put(0, f.sub[0].X)
	f.addElems(0, to)
	f.add(f.kids[from])
	f.addElems(to+1, f.edits.n)
	f.seal(Pure)
	f.single, f.to[0] = to, f.kids[from]
	return true
}

// copied reports whether an earlier edit had the same result as copying element from
// over element to: from comes right after to and equals the element before to, which
// that edit copied.
func (f *frame) copied(to, from int) bool {
	return from > to && to > 0 && equal(f.kids[to-1], f.kids[from])
}

// findPairs lists the entries that can be added to a map. The first free key is
// combined with every fill and with every distinct value of the map. The other free
// keys, which are fills for keys, are combined with fills only.
func (f *frame) findPairs() {
	e := &f.edits
	e.pairs = e.pairs[:0]
	keyFrom := len(f.items)
	f.fill(f.s.Key)
	keyTo := len(f.items)
	f.fill(f.s.Elem)
	keys, values := f.items[keyFrom:keyTo], f.items[keyTo:]
	first := f.freeKey(keys[0])
	if first == nil {
		return
	}
	for i, v := range values {
		e.pairs = append(e.pairs, entry{fillKind(i), first, v})
	}
	for i := 1; i < len(f.kids); i += 2 {
		if v := f.kids[i]; !f.hasPair(v) {
			e.pairs = append(e.pairs, entry{Pure, first, v})
		}
	}
	for _, k := range keys[1:] {
		if equal(k, first) || !f.free(k) {
			continue
		}
		for _, v := range values {
			e.pairs = append(e.pairs, entry{Filled, k, v})
		}
	}
}

func (f *frame) hasPair(value term.Term) bool {
	for i := range f.edits.pairs {
		if equal(f.edits.pairs[i].value, value) {
			return true
		}
	}
	return false
}

// freeKey returns a simple key that the map does not have: the least term, a small
// number, or a random key. It returns nil if it finds none.
func (f *frame) freeKey(least term.Term) term.Term {
	if f.free(least) {
		return least
	}
	s := f.s.Key
	if s.Kind == schema.Scalar && !s.IsFloat() {
		for x := range uint64(f.edits.n) + 1 {
			if k := f.node(s, s.Simplest()+x); s.In(k[0].X) && !s.Less(k[0].X, s.Simplest()) && f.free(k) {
				return k
			}
		}
	}
	const draws = 4
	r := f.random(uint64(s.ID) + 1)
	for range draws {
		if k := f.vary(&r, s); f.free(k) {
			return k
		}
	}
	return nil
}

// free reports whether a key can be added to the map: it is a plainKey, and the map
// does not have it.
func (f *frame) free(key term.Term) bool {
	if !plainKey(f.m.world, key) {
		return false
	}
	for i := 0; i < len(f.kids); i += 2 {
		if f.m.world.Compare(f.kids[i], key) == 0 {
			return false
		}
	}
	return true
}

// plainKey reports whether a key contains neither a NaN, which a map never finds,
// nor a negative zero, which a map finds as the positive zero.
func plainKey(w *schema.World, key term.Term) bool {
	ok := true
	w.EachFloat(key, func(x uint64) uint64 {
		f := math.Float64frombits(x)
		ok = ok && f == f && (f != 0 || !math.Signbit(f))
		return x
	})
	return ok
}
