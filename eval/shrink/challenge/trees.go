package challenge

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

func decls(ds ...schema.Decl) []schema.Decl { return ds }

// expr is an arithmetic expression.
type expr interface{ eval() (value int, ok bool) }

type (
	lit int
	add struct{ L, R expr }
	div struct{ L, R expr }
)

func (l lit) eval() (int, bool) { return int(l), true }

func (a add) eval() (int, bool) {
	l, ok := a.L.eval()
	r, also := a.R.eval()
	return l + r, ok && also
}

func (d div) eval() (int, bool) {
	l, ok := d.L.eval()
	r, also := d.R.eval()
	if !ok || !also || r == 0 {
		return 0, false
	}
	return l / r, true
}

// noLiteralZero reports whether nothing is divided by the literal 0.
func noLiteralZero(e expr) bool {
	switch e := e.(type) {
	case add:
		return noLiteralZero(e.L) && noLiteralZero(e.R)
	case div:
		return e.R != lit(0) && noLiteralZero(e.L) && noLiteralZero(e.R)
	}
	return true
}

var calculator = spec[expr]{
	name:   "calculator",
	decls:  decls(variants[expr](lit(0), add{}, div{})),
	assume: noLiteralZero,
	holds:  func(e expr) bool { _, ok := e.eval(); return ok },
	smallest: func(e expr) bool {
		d, ok := e.(div)
		return ok && (d.L == lit(0) || d.L == lit(1)) && d.R == add{lit(0), lit(0)}
	},
}

// heap is a binary heap with the smallest value on top.
type heap struct {
	K    int
	L, R *heap
}

func (h *heap) ordered(least int) bool {
	return h == nil || h.K >= least && h.L.ordered(h.K) && h.R.ordered(h.K)
}

// list collects all values. It uses a stack, as the original does, so the right
// subtree of a node comes before the left one.
func (h *heap) list() (all []int) {
	for stack := []*heap{h}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top != nil {
			all = append(all, top.K)
			stack = append(stack, top.L, top.R)
		}
	}
	return all
}

func merge(a, b *heap) *heap {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.K <= b.K:
		return &heap{a.K, merge(a.R, b), a.L}
	}
	return &heap{b.K, merge(b.R, a), b.L}
}

// wrongSorted should return the values of a heap in order. Its bug is that it merges
// subtrees only once.
func (h *heap) wrongSorted() []int {
	if h == nil {
		return nil
	}
	return append([]int{h.K}, merge(h.L, h.R).list()...)
}

func (h *heap) equal(g *heap) bool {
	return h == g || h != nil && g != nil && h.K == g.K && h.L.equal(g.L) && h.R.equal(g.R)
}

var binHeap = spec[*heap]{
	name:   "binheap",
	assume: func(h *heap) bool { return h == nil || h.ordered(h.K) },
	holds: func(h *heap) bool {
		sorted := h.wrongSorted()
		return slices.IsSorted(sorted) && slices.Equal(sorted, slices.Sorted(slices.Values(h.list())))
	},
	smallest: func(h *heap) bool {
		return slices.ContainsFunc([]*heap{
			{0, nil, &heap{0, &heap{}, &heap{K: 1}}},
			{0, nil, &heap{0, &heap{K: 1}, &heap{}}},
			{0, &heap{0, &heap{}, &heap{K: 1}}, nil},
			{0, &heap{0, &heap{K: 1}, &heap{}}, nil},
		}, h.equal)
	},
}
