//go:build go1.25

package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// entry is a key and a value for a map.
type entry struct {
	kind       Kind
	key, value term.Term
}

// newEntries is the entries that can be added to a map. The first free key is
// combined with every fill and with every distinct value of the map. The other free
// keys, which are fills for keys, are combined with fills only.
type newEntries struct {
	keys, values []term.Term // fills
	all          []entry
}

// find lists the entries for the map of n entries at the node of a frame.
func (e *newEntries) find(f *frame, n int) {
	e.all = e.all[:0]
	e.keys = appendFills(e.keys[:0], f, f.node.s.Key)
	e.values = appendFills(e.values[:0], f, f.node.s.Elem)
	first := freeKey(f, e.keys[0], n)
	if first == nil {
		return
	}
	for i, v := range e.values {
		e.all = append(e.all, entry{fillKind(i), first, v})
	}
	for i := 1; i < len(f.node.kids); i += 2 {
		if v := f.node.kids[i]; !e.hasValue(v) {
			e.all = append(e.all, entry{Pure, first, v})
		}
	}
	for _, k := range e.keys[1:] {
		if equal(k, first) || !isFree(f, k) {
			continue
		}
		for _, v := range e.values {
			e.all = append(e.all, entry{Filled, k, v})
		}
	}
}

// hasValue reports whether one of the entries has a value.
func (e *newEntries) hasValue(value term.Term) bool {
	for i := range e.all {
		if equal(e.all[i].value, value) {
			return true
		}
	}
	return false
}

// freeKey returns a simple key that a map of n entries does not have: the least term, a
// small number, or a random key. It returns nil if it finds none.
func freeKey(f *frame, least term.Term, n int) term.Term {
	if isFree(f, least) {
		return least
	}
	s := f.node.s.Key
	if s.Kind == schema.Scalar && !s.IsFloat() {
		for x := range uint64(n) + 1 {
			if k := f.mem.node(s, s.Simplest()+x); s.In(k[0].X) && !s.Less(k[0].X, s.Simplest()) && isFree(f, k) {
				return k
			}
		}
	}
	const draws = 4
	r := f.random(uint64(s.ID) + 1)
	for range draws {
		if k := varied(f, &r, s); isFree(f, k) {
			return k
		}
	}
	return nil
}

// isFree reports whether a key can be added to the map: it is a plainKey, and the map
// does not have it.
func isFree(f *frame, key term.Term) bool {
	w := f.scene.parent.world
	if !plainKey(w, key) {
		return false
	}
	for i := 0; i < len(f.node.kids); i += 2 {
		if w.Compare(f.node.kids[i], key) == 0 {
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
