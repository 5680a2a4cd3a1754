//go:build go1.25

package shrink

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// scopeMax is the maximum number of terms that smallTrees tries in one round. For example,
// there are 275 terms that are not larger than a binary tree of four nodes with two
// different numbers.
const scopeMax = 500

// tooMany stands for all counts above scopeMax: counting stops there.
const tooMany = scopeMax + 1

// scope counts and lists all terms up to a size. Their leaves come from one given term,
// or are the simplest ones.
type scope struct {
	world  *schema.World
	leaves map[uint16][]term.Term // by schema
	counts map[place]int          // how many terms there are, at most tooMany
}

// place is the key of a count. What is counted has the given number of nodes in total:
// terms of a schema, lists of elements of a slice, or ways to fill the fields of a constructor,
// beginning with the field that has index field.
type place struct {
	id, ctor uint16
	field    int // -1 for the whole term
	nodes    int
}

func newScope(w *schema.World, t term.Term) *scope {
	e := &scope{world: w, leaves: map[uint16][]term.Term{}, counts: map[place]int{}}
	for i := 0; i < len(t); i = after(t, i) {
		if isLeaf(w.Of(t[i])) {
			e.addLeaf(t.Sub(i))
		}
	}
	for _, sc := range w.Schemas {
		if isLeaf(sc) {
			e.addLeaf(sc.Least)
		}
	}
	return e
}

// isLeaf reports whether terms of sc are only used as a whole. Maps are leaves, because
// new entries would have to be sorted.
func isLeaf(sc *schema.Schema) bool {
	return sc.IsScalar() || sc.Kind == schema.Choice || sc.Kind == schema.Map
}

func (e *scope) addLeaf(t term.Term) {
	known := e.leaves[t[0].S]
	if !slices.ContainsFunc(known, func(k term.Term) bool { return term.Equal(k, t) }) {
		e.leaves[t[0].S] = append(known, t)
	}
}

// total returns how many terms of the schema of t have no more nodes than t.
func (e *scope) total(t term.Term) (total int) {
	for n := 1; n <= weigh(e.world, t).nodes; n++ {
		total += e.count(e.world.Of(t[0]), n)
	}
	return total
}

// count returns the number of terms of sc with n nodes, at most tooMany.
func (e *scope) count(sc *schema.Schema, n int) int {
	at := place{id: sc.ID, field: -1, nodes: n}
	if c, ok := e.counts[at]; ok || n <= 0 {
		return c
	}
	c := 0
	switch {
	case isLeaf(sc):
		for _, t := range e.leaves[sc.ID] {
			if weigh(e.world, t).nodes == n {
				c++
			}
		}
	case sc.IsList():
		c = e.countList(sc, n)
	default:
		for ctor := sc.First(); ctor < len(sc.Ctors); ctor++ {
			c += e.countFields(sc, ctor, 0, n-1)
		}
	}
	e.counts[at] = min(c, tooMany)
	return e.counts[at]
}

// countList counts slices with n nodes. Arrays are not counted: if their elements are not
// all equal, there are far too many terms anyway.
func (e *scope) countList(sc *schema.Schema, n int) int {
	if sc.Kind == schema.Array {
		return 0
	}
	return e.countElements(sc, n-1)
}

func (e *scope) countElements(sc *schema.Schema, n int) int {
	at := place{id: sc.ID, nodes: n}
	if c, ok := e.counts[at]; ok {
		return c
	}
	c := 0
	if n == 0 {
		c = 1
	}
	for first := 1; first <= n; first++ {
		c += e.count(sc.Elem, first) * e.countElements(sc, n-first)
	}
	e.counts[at] = min(c, tooMany)
	return e.counts[at]
}

// countFields counts how many ways there are to fill the fields of a constructor, from
// field on, with n nodes in total.
func (e *scope) countFields(sc *schema.Schema, ctor, field, n int) int {
	fields := sc.Ctors[ctor].Fields
	if field == len(fields) {
		if n == 0 {
			return 1
		}
		return 0
	}
	at := place{id: sc.ID, ctor: uint16(ctor), field: field, nodes: n}
	if c, ok := e.counts[at]; ok {
		return c
	}
	c := 0
	for first := 1; first <= n; first++ {
		if one := e.count(fields[field].S, first); one > 0 {
			c += one * e.countFields(sc, ctor, field+1, n-first)
		}
	}
	e.counts[at] = min(c, tooMany)
	return e.counts[at]
}

// each calls yield for every term of sc with n nodes. The argument is t with that term
// appended, and is valid only during the call. If yield returns false, each stops and
// returns false.
func (e *scope) each(sc *schema.Schema, n int, t term.Term, yield func(term.Term) bool) bool {
	if e.count(sc, n) == 0 {
		return true
	}
	switch {
	case isLeaf(sc):
		for _, leaf := range e.leaves[sc.ID] {
			if weigh(e.world, leaf).nodes == n && !yield(append(t, leaf...)) {
				return false
			}
		}
		return true
	case sc.IsList():
		return e.eachList(sc, n, t, yield)
	}
	for ctor := sc.First(); ctor < len(sc.Ctors); ctor++ {
		at := len(t)
		open := append(t, term.Node{S: sc.ID, C: uint16(ctor)})
		ok := e.eachFields(sc.Ctors[ctor].Fields, n-1, open, func(t term.Term) bool {
			t[at].N = uint32(len(t) - at)
			return yield(t)
		})
		if !ok {
			return false
		}
	}
	return true
}

func (e *scope) eachFields(fields []schema.Field, n int, t term.Term, yield func(term.Term) bool) bool {
	if len(fields) == 0 {
		return n > 0 || yield(t)
	}
	for first := 1; first <= n-len(fields)+1; first++ {
		ok := e.each(fields[0].S, first, t, func(t term.Term) bool {
			return e.eachFields(fields[1:], n-first, t, yield)
		})
		if !ok {
			return false
		}
	}
	return true
}

// eachList does the work of each for lists. It uses the nil list instead of the empty one,
// because nil is simpler.
func (e *scope) eachList(sc *schema.Schema, n int, t term.Term, yield func(term.Term) bool) bool {
	if n == 1 {
		return yield(append(t, sc.Least...))
	}
	at := len(t)
	return e.eachElements(sc, n-1, append(t, term.Node{S: sc.ID, C: 1}), func(t term.Term) bool {
		t[at].N, t[at].X = uint32(len(t)-at), 0
		for range t.Kids(at) {
			t[at].X++
		}
		return yield(t)
	})
}

func (e *scope) eachElements(sc *schema.Schema, n int, t term.Term, yield func(term.Term) bool) bool {
	if n == 0 {
		return yield(t)
	}
	for first := 1; first <= n; first++ {
		ok := e.each(sc.Elem, first, t, func(t term.Term) bool {
			return e.eachElements(sc, n-first, t, yield)
		})
		if !ok {
			return false
		}
	}
	return true
}
