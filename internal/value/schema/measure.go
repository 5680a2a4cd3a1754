//go:build go1.25

package schema

import (
	"fmt"

	"github.com/allele-go/allele/internal/value/term"
)

// Measure describes the sizes of a schema's terms.
//
// The size of a term is counted in cells. A cell is a pointer that is not nil, a
// value in an interface, a builder call, or an element of a slice or map that
// contains none of these. So the cells of a tree are what people call its nodes. An
// array is no cell and adds none: it has as many as a struct with these fields. The
// same holds for the elements that a text must have (see ElemCost).
type Measure struct {
	Least    term.Term // the simplest term: it has the fewest nodes; the first in declaration order if there are several
	MinCells int       // minimal number of cells of a term
	MaxCells int       // maximal number of cells of a term, Unbounded if there is no limit
	Count    uint64    // number of terms, Unbounded if there are too many to try
}

// Unbounded stands for sizes and counts without a practical limit.
const Unbounded = 1 << 29 // the sum of two fits an int on every platform

// Grows reports whether a term of s can have more cells than the minimum.
func (m *Measure) Grows() bool { return m.MaxCells > m.MinCells }

// measure sets every Measure. It fails if a type has no finite value.
func (w *World) measure() error {
	nodes, ctors := w.leastNodes()
	for _, s := range w.Schemas {
		if nodes[s.ID] >= Unbounded {
			return fmt.Errorf("cannot derive %v: it has no finite value, because every constructor needs another value of the type; "+
				"declare a constructor that does not", s.Type)
		}
		if nodes[s.ID] > leastMax {
			return fmt.Errorf("cannot derive %v: a value has more than %d parts, which is too large to generate; %s",
				s.Type, leastMax, aroundLarge)
		}
	}
	l := leaster{ctors: ctors}
	m := measurer{
		world:      w,
		minState:   make([]int8, len(w.Schemas)),
		maxState:   make([]int8, len(w.Schemas)),
		countState: make([]int8, len(w.Schemas)),
	}
	for _, s := range w.Schemas {
		s.Least = l.append(nil, s)
	}
	m.mins()
	for _, s := range w.Schemas {
		m.max(s)
		m.count(s)
	}
	return nil
}

// leastNodes computes, for every schema, the number of nodes of its least term and
// the constructor of the term's root. It starts with Unbounded and iterates until
// nothing changes.
func (w *World) leastNodes() (nodes, ctors []int) {
	nodes, ctors = make([]int, len(w.Schemas)), make([]int, len(w.Schemas))
	for i := range nodes {
		nodes[i] = Unbounded
	}
	for changed := true; changed; {
		changed = false
		for i, s := range w.Schemas {
			if n, c := leastOf(s, nodes); n < nodes[i] {
				nodes[i], ctors[i], changed = n, c, true
			}
		}
	}
	return nodes, ctors
}

func leastOf(s *Schema, nodes []int) (n, ctor int) {
	if s.Kind == Array || s.LenMin > 0 {
		elem := nodes[s.Elem.ID]
		all := satMul(s.leastLen(), elem)
		if elem < Unbounded {
			all = min(all, Unbounded-1)
		}
		return plus(1, all), 0
	}
	if s.Kind == Block {
		return 1 + term.RawUnits(s.bytes()), 0
	}
	if len(s.Ctors) == 0 {
		return 1, 0
	}
	best := Unbounded
	for c := s.First(); c < len(s.Ctors); c++ {
		n := 1
		for _, f := range s.Ctors[c].Fields {
			n = plus(n, nodes[f.S.ID])
		}
		if n < best {
			best, ctor = n, c
		}
	}
	return best, ctor
}

// leastLen returns the minimal length of an array, or of a slice.
func (s *Schema) leastLen() int { return max(s.Len, s.LenMin) }

// plus adds numbers of nodes. Only a part without a finite value makes the sum Unbounded;
// a sum of many finite parts is less.
func plus(a, b int) int {
	if a >= Unbounded || b >= Unbounded {
		return Unbounded
	}
	return min(a+b, Unbounded-1)
}

func satMul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if a > Unbounded/b {
		return Unbounded
	}
	return a * b
}

type leaster struct{ ctors []int }

func (l leaster) append(t term.Term, s *Schema) term.Term {
	if s.Least != nil {
		return append(t, s.Least...)
	}
	at := len(t)
	switch s.Kind {
	case Scalar:
		return append(t, term.Node{S: s.ID, N: 1, X: s.Simplest()})
	case String:
		return term.AppendRaw(t, s.ID, "")
	case Bytes, Map:
		return append(t, term.Node{S: s.ID, C: uint16(s.Empty()), N: 1})
	case Block:
		return term.AppendRaw(t, s.ID, make([]byte, s.bytes()))
	case Slice, Array:
		t = append(t, term.Node{S: s.ID, C: uint16(s.Empty()), X: uint64(s.leastLen())})
		for range s.leastLen() {
			t = l.append(t, s.Elem)
		}
	default:
		c := l.ctors[s.ID]
		t = append(t, term.Node{S: s.ID, C: uint16(c)})
		for _, f := range s.Ctors[c].Fields {
			t = l.append(t, f.S)
		}
	}
	t[at].N = uint32(len(t) - at)
	return t
}

// Simplest returns the value of a scalar schema that is nearest to zero.
func (s *Schema) Simplest() uint64 {
	switch {
	case s.In(0):
		return 0
	case s.Only:
		return s.Consts[0]
	case s.Less(s.Hi, 0):
		return s.Hi
	}
	return s.Lo
}

// measurer walks the graph of schemas. A schema that is reached again while it is
// being measured is recursive, so its terms have no maximal size.
type measurer struct {
	world                          *World
	minState, maxState, countState []int8
}

const (
	unseen = iota
	open
	done
)

// mins computes the minimal number of cells of every schema. It starts with the
// cells of the least term and iterates until nothing changes.
func (m *measurer) mins() {
	for _, s := range m.world.Schemas {
		s.MinCells = m.world.Cells(s.Least)
	}
	for changed := true; changed; {
		changed = false
		for _, s := range m.world.Schemas {
			if n := minCells(s); n < s.MinCells {
				s.MinCells, changed = n, true
			}
		}
	}
}

func minCells(s *Schema) int {
	if s.IsList() {
		return satMul(s.leastLen(), s.Elem.MinCells)
	}
	best := Unbounded
	for c := s.First(); c < len(s.Ctors) && !s.Filtered(); c++ { // of a filtered schema, only the least term is known to be valid
		best = min(best, s.CtorCells(c))
	}
	if len(s.Ctors) == 0 {
		return 0
	}
	return best
}

// CtorCells returns the minimal number of cells of a term that starts with
// constructor c.
func (s *Schema) CtorCells(c int) int {
	n := s.cellCost(c)
	for _, f := range s.Ctors[c].Fields {
		n = min(n+f.S.MinCells, Unbounded)
	}
	return n
}

// CtorCellsMax returns the maximal number of cells of a term that starts with
// constructor c.
func (s *Schema) CtorCellsMax(c int) int {
	n := s.cellCost(c)
	for _, f := range s.Ctors[c].Fields {
		n = min(n+f.S.MaxCells, Unbounded)
	}
	return n
}

// cellCost returns 1 if constructor c is a cell, else 0.
func (s *Schema) cellCost(c int) int {
	switch fs := s.Ctors[c].Fields; {
	case s.Kind == Pointer && s.first > 0 && len(fs) == 1 && fs[0].Name == "" && fs[0].S.IsScalar():
		return 0 // a number or text that a message requires
	case s.Kind == Made:
		if s.machine == nil { // a list of calls has as many cells as other lists
			return 1
		}
	case (s.Kind == Pointer || s.Kind == Interface) && (c > 0 || s.Nil) && !s.Ctors[c].Call:
		return 1
	}
	return 0
}

func (m *measurer) max(s *Schema) int {
	switch m.maxState[s.ID] {
	case open, done:
		return s.MaxCells
	}
	m.maxState[s.ID] = open
	s.MaxCells = Unbounded // the result if a recursive type reaches s again
	n := 0
	switch s.Kind {
	case Slice, Map:
		if n = Unbounded; m.max(s.Elem) < Unbounded && s.LenMax > 0 {
			n = min(Unbounded, satMul(s.LenMin, s.Elem.MaxCells)+satMul(s.LenMax-s.LenMin, max(1, s.Elem.MaxCells)))
		}
	case Array:
		n = satMul(s.Len, m.max(s.Elem))
	default:
		for c := s.First(); c < len(s.Ctors); c++ {
			for _, f := range s.Ctors[c].Fields {
				m.max(f.S)
			}
			n = max(n, s.CtorCellsMax(c))
		}
	}
	s.MaxCells = n
	m.maxState[s.ID] = done
	return n
}

func (m *measurer) count(s *Schema) uint64 {
	switch m.countState[s.ID] {
	case open:
		return Unbounded
	case done:
		return s.Count
	}
	m.countState[s.ID] = open
	s.Count = min(m.countOf(s), Unbounded)
	m.countState[s.ID] = done
	return s.Count
}

func (m *measurer) countOf(s *Schema) uint64 {
	switch s.Kind {
	case String, Bytes, Slice, Map:
		return Unbounded
	case Scalar:
		if s.IsFloat() && s.Lo == s.Hi {
			return 1
		}
		if s.Only {
			return uint64(len(s.Consts))
		}
		if s.IsFloat() || s.capped || s.Hi-s.Lo >= Unbounded {
			return Unbounded
		}
		return s.Hi - s.Lo + 1
	case Array, Block:
		n := uint64(1)
		for range s.Len {
			if n = n * m.count(s.Elem); n >= Unbounded || n <= 1 {
				break
			}
		}
		return n
	}
	total := uint64(0)
	for c := s.First(); c < len(s.Ctors); c++ {
		n := uint64(1)
		for _, f := range s.Ctors[c].Fields {
			n = uint64(satMul(int(n), int(m.count(f.S))))
		}
		total = min(total+n, Unbounded)
	}
	return total
}

// Cells returns the size of a term in cells.
func (w *World) Cells(t term.Term) int {
	n, _ := w.cells1(t, 0)
	return n
}

func (w *World) cells1(t term.Term, at int) (cells, end int) {
	s, i := w.Of(t[at]), at+1
	end = at + int(t[at].N)
	if s.IsScalar() {
		return 0, end
	}
	if !s.IsList() {
		cells = s.cellCost(int(t[at].C))
	}
	for elem := 0; i < end; elem++ {
		var k, v int
		k, i = w.cells1(t, i)
		if s.Kind == Map {
			v, i = w.cells1(t, i)
		}
		cells += max(s.ElemCost(elem), k+v)
	}
	return cells, end
}

// Nesting returns the maximal nesting depth of the cells of a term.
func (w *World) Nesting(t term.Term) int {
	n, _ := w.nesting(t, 0)
	return n
}

func (w *World) nesting(t term.Term, at int) (deepest, end int) {
	s, i := w.Of(t[at]), at+1
	end = at + int(t[at].N)
	if s.IsScalar() {
		return 0, end
	}
	for elem := 0; i < end; elem++ {
		var k int
		k, i = w.nesting(t, i)
		deepest = max(deepest, k, s.ElemCost(elem))
	}
	if !s.IsList() {
		deepest += s.cellCost(int(t[at].C))
	}
	return deepest, end
}
