//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// listEdits enumerates the edits of a list, one element at a time. If several edits have
// the same result, such as dropping one of two equal neighbours, only the first is
// made.
type listEdits struct {
	ops     []listOp    // the operations that are left, the current one first
	i       int         // how many edits of the current operation are done
	n       int         // number of elements, or of entries of a map
	fills   []term.Term // for a slice; made when they are needed
	fillsN  int         // a bound for the number of fills
	entries newEntries  // for a map
}

// listOp is an operation on a list.
type listOp struct {
	// count returns the number of edits, including those that make skips.
	count func(e *listEdits, f *frame) int
	// make makes edit number i the current candidate. It returns false if another edit
	// has the same result.
	make func(e *listEdits, f *frame, i int) bool
}

var (
	sliceOps = []listOp{
		{countDrops, (*listEdits).drop}, {countPairs, (*listEdits).cut}, {countNils, (*listEdits).toNil},
		{countCopies, (*listEdits).repeat}, {countPairs, (*listEdits).swap}, {countInserts, (*listEdits).insert},
	}
	mapOps = []listOp{
		{countDrops, (*listEdits).drop}, {countPairs, (*listEdits).cut}, {countNils, (*listEdits).toNil},
		{countPairs, (*listEdits).swap}, {countEntries, (*listEdits).insertEntry},
	}
	arrayOps = []listOp{{countCopiesOver, (*listEdits).copyOver}, {countPairs, (*listEdits).swap}}
)

func (e *listEdits) open(f *frame, _ term.Term) bool {
	if !e.begin(f) {
		return false
	}
	if f.node.s.Kind == schema.Slice {
		e.fill(f)
		e.fillsN = len(e.fills)
	}
	return true
}

// begin prepares the operations on the list. It returns false if there are none.
func (e *listEdits) begin(f *frame) bool {
	e.ops = nil
	if !f.enabled(Pure | Lists | Filled) {
		return false
	}
	e.i, e.n = 0, int(f.node.sub[0].X)
	switch f.node.s.Kind {
	case schema.Array:
		e.ops = arrayOps
	case schema.Slice:
		e.ops = sliceOps
		e.fills, e.fillsN = e.fills[:0], fillsMax(f, f.node.s.Elem)
	case schema.Map:
		e.ops = mapOps
		e.entries.find(f, e.n)
	}
	return true
}

// fill makes the fills, unless they are made.
func (e *listEdits) fill(f *frame) {
	if len(e.fills) == 0 {
		e.fills = appendFills(e.fills, f, f.node.s.Elem)
	}
}

func (e *listEdits) slots(f *frame) (all int) {
	e.begin(f)
	for i := range e.ops {
		all += max(0, e.ops[i].count(e, f))
	}
	return all
}

func (e *listEdits) pick(f *frame, slot int) bool {
	for i := range e.ops {
		op := &e.ops[i]
		n := max(0, op.count(e, f))
		if slot < n {
			return op.make(e, f, slot) && f.isNew()
		}
		slot -= n
	}
	return false
}

// next moves to the next edit that is new.
func (e *listEdits) next(f *frame) bool {
	for ; len(e.ops) > 0; e.ops, e.i = e.ops[1:], 0 {
		op := &e.ops[0]
		for n := op.count(e, f); e.i < n; {
			e.i++
			if op.make(e, f, e.i-1) && f.isNew() {
				return true
			}
		}
	}
	return false
}

func countDrops(e *listEdits, f *frame) int {
	if s := f.node.s; s.LenMax > 0 && e.n <= s.LenMin {
		return 0
	}
	return e.n
}

func countPairs(e *listEdits, _ *frame) int { return e.n - 1 }

func countNils(_ *listEdits, f *frame) int {
	if f.node.s.Empty() != 0 {
		return 0 // it is never nil
	}
	return 1
}

func countCopies(e *listEdits, f *frame) int {
	if isFull(e, f) {
		return 0
	}
	return e.n
}

func countInserts(e *listEdits, f *frame) int {
	if isFull(e, f) {
		return 0
	}
	return (e.n + 1) * e.fillsN
}

func countEntries(e *listEdits, f *frame) int {
	if isFull(e, f) {
		return 0
	}
	return len(e.entries.all)
}

func countCopiesOver(e *listEdits, _ *frame) int { return 2 * (e.n - 1) }

// isFull reports whether the bounds of the list do not allow another element.
func isFull(e *listEdits, f *frame) bool { return f.node.s.LenMax > 0 && e.n >= f.node.s.LenMax }

// sameElems reports whether two elements are equal. Entries of a map are always
// different.
func sameElems(n *node, i, j int) bool {
	return n.s.Kind != schema.Map && equal(n.kids[i], n.kids[j])
}

// drop omits element i.
func (e *listEdits) drop(f *frame, i int) bool {
	if i > 0 && sameElems(&f.node, i-1, i) {
		return false
	}
	c := &f.candidate
	c.put(f.node.s, 1, uint64(e.n-1))
	c.add(f.node.elems(0, i))
	c.add(f.node.elems(i+1, e.n))
	c.seal(Pure)
	return true
}

// cut keeps i elements, at least two fewer than there are.
func (e *listEdits) cut(f *frame, i int) bool {
	if i < f.node.s.LenMin {
		return false
	}
	c := &f.candidate
	c.put(f.node.s, 1, uint64(i))
	c.add(f.node.elems(0, i))
	c.seal(Pure)
	return true
}

// toNil makes an empty list, which is nil if the list was not nil, else not nil.
func (e *listEdits) toNil(f *frame, _ int) bool {
	f.candidate.put(f.node.s, 1-f.node.sub[0].C, 0)
	f.candidate.seal(Lists)
	return true
}

// repeat repeats element i.
func (e *listEdits) repeat(f *frame, i int) bool {
	if i > 0 && sameElems(&f.node, i-1, i) {
		return false
	}
	c := &f.candidate
	c.put(f.node.s, 1, uint64(e.n+1))
	c.add(f.node.elems(0, i+1))
	c.add(f.node.elems(i, e.n))
	c.seal(Pure)
	return true
}

// swap exchanges element i and the next one. In a map it exchanges their values,
// since keys are sorted.
func (e *listEdits) swap(f *frame, i int) bool {
	c, n, per := &f.candidate, &f.node, f.node.perElem()
	a, b := (i+1)*per-1, (i+2)*per-1 // the element itself, or the value of the map entry
	if equal(n.kids[a], n.kids[b]) {
		return false
	}
	c.put(n.s, n.sub[0].C, n.sub[0].X)
	c.add(n.elems(0, i))
	if per == 2 {
		c.add(n.kids[a-1])
	}
	c.add(n.kids[b])
	if per == 2 {
		c.add(n.kids[b-1])
	}
	c.add(n.kids[a])
	c.add(n.elems(i+2, e.n))
	if n.s.Kind == schema.Array {
		c.seal(Pure) // an array has few other edits
	} else {
		c.seal(Lists)
	}
	return true
}

// insert inserts a fill (see appendFills) between two elements. It returns false
// if one of them equals the fill, because repeat makes the same list.
func (e *listEdits) insert(f *frame, i int) bool {
	c, n := &f.candidate, &f.node
	at, which := i/e.fillsN, i%e.fillsN
	if e.fill(f); which >= len(e.fills) {
		return false
	}
	x := e.fills[which]
	if at > 0 && equal(n.kids[at-1], x) || at < e.n && equal(n.kids[at], x) {
		return false
	}
	c.put(n.s, 1, uint64(e.n+1))
	c.add(n.elems(0, at))
	c.add(x)
	c.add(n.elems(at, e.n))
	if c.seal(fillKind(which)); c.kind == Pure && at < e.n {
		c.kind = Lists
	}
	return true
}

// insertEntry adds an entry at its sorted position.
func (e *listEdits) insertEntry(f *frame, i int) bool {
	c, n, p := &f.candidate, &f.node, &e.entries.all[i]
	at := 0
	for at < e.n && f.scene.parent.world.Compare(n.kids[2*at], p.key) < 0 {
		at++
	}
	c.put(n.s, 1, uint64(e.n+1))
	c.add(n.elems(0, at))
	c.add(p.key)
	c.add(p.value)
	c.add(n.elems(at, e.n))
	c.seal(p.kind)
	return true
}

// copyOver copies an element of an array over its neighbour.
func (e *listEdits) copyOver(f *frame, i int) bool {
	c, n := &f.candidate, &f.node
	to, from := i/2, i/2+1
	if i%2 == 1 {
		to, from = from, to
	}
	// If from comes right after to and equals the element before to, that one was copied already.
	copied := from > to && to > 0 && equal(n.kids[to-1], n.kids[from])
	if copied || equal(n.kids[to], n.kids[from]) {
		return false
	}
	c.put(n.s, 0, n.sub[0].X)
	c.add(n.elems(0, to))
	c.add(n.kids[from])
	c.add(n.elems(to+1, e.n))
	c.seal(Pure)
	c.single, c.to[0] = to, n.kids[from]
	return true
}
