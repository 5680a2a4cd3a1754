//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// view has the current parent, and what is computed from it.
type view struct {
	t      term.Term
	order  []int32  // the positions of all nodes, in the order of Config.Order
	parent []int32  // by position: the position of the node around it, -1 for the root
	twin   []int32  // by position in the first half: the same position in the other half, 0 if there is none
	pair   int      // position of the node with two halves, -1 if there is none
	halves [2]int   // positions of the halves
	ways   []uint64 // by position: the result of the method way, 0 if not computed yet
	stack  []int32
}

// load makes t the current parent.
func (v *view) load(t term.Term, o Order) {
	v.t, v.pair = t, -1
	v.order = v.order[:0]
	v.parent = resize(v.parent, len(t))
	v.parent[0] = -1
	v.ways = slices.Grow(v.ways[:0], len(t))[:len(t)]
	clear(v.ways)
	if o == LevelOrder {
		v.levels()
		return
	}
	v.depthFirst(o == Postorder)
}

// resize returns a slice of length n with undefined content.
func resize(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, 2*n)
	}
	return s[:n]
}

func (v *view) levels() {
	t := v.t
	v.order = append(v.order, 0)
	for head := 0; head < len(v.order); head++ {
		pos := v.order[head]
		if t[pos].C == term.Raw {
			continue
		}
		for k, end := pos+1, pos+int32(t[pos].N); k < end; k += int32(t[k].N) {
			v.parent[k] = pos
			v.order = append(v.order, k)
		}
	}
}

// depthFirst visits each node before or after its subterms.
func (v *view) depthFirst(after bool) {
	v.stack = v.stack[:0]
	leave := func(until int) {
		for n := len(v.stack) - 1; n >= 0 && int(v.stack[n])+int(v.t[v.stack[n]].N) <= until; n-- {
			if after {
				v.order = append(v.order, v.stack[n])
			}
			v.stack = v.stack[:n]
		}
	}
	for i := range v.t.Nodes() {
		leave(i)
		if n := len(v.stack); n > 0 {
			v.parent[i] = v.stack[n-1]
		}
		if !after {
			v.order = append(v.order, int32(i))
		}
		v.stack = append(v.stack, int32(i))
	}
	leave(len(v.t))
}

// pairUp finds the two halves of the input, if there are any. They are fields of the
// first constructor that has more than one field: the first two that have the same
// schema and are not scalars. Positions in the two halves correspond as long as
// constructors and lengths agree.
func (v *view) pairUp(w *schema.World) {
	pos := 0
	for ; ; pos++ {
		s := w.Of(v.t[pos])
		if s.IsList() && s.Kind != schema.Array || s.IsScalar() || v.t[pos].N == 1 {
			return
		}
		if v.t[pos].N != 1+v.t[pos+1].N {
			break
		}
	}
	a, b := v.alike(w, pos)
	if b == 0 {
		return
	}
	v.pair, v.halves = pos, [2]int{a, b}
	v.twin = resize(v.twin, len(v.t))
	clear(v.twin)
	v.match(a, b)
}

// alike returns the positions of two fields of the node at pos that have the same
// schema.
func (v *view) alike(w *schema.World, pos int) (a, b int) {
	end := pos + int(v.t[pos].N)
	for a = pos + 1; a < end; a += int(v.t[a].N) {
		if !w.Of(v.t[a]).HasParts() {
			continue
		}
		for b = a + int(v.t[a].N); b < end; b += int(v.t[b].N) {
			if v.t[a].S == v.t[b].S {
				return a, b
			}
		}
	}
	return 0, 0
}

// match records that positions a and b correspond, and also the positions below them
// that correspond to each other.
func (v *view) match(a, b int) {
	t := v.t
	v.twin[a] = int32(b)
	if t[a].C != t[b].C || t[a].X != t[b].X || t[a].C == term.Raw {
		return
	}
	end := a + int(t[a].N)
	for i, j := a+1, b+1; i < end; {
		v.match(i, j)
		i, j = i+int(t[i].N), j+int(t[j].N)
	}
}

// mirrors reports whether pos is in the first half and its subterm is equal to that
// in the other half, so that a change can be made in both.
func (v *view) mirrors(pos int) bool {
	if v.pair < 0 || pos < v.halves[0] || pos >= v.halves[0]+int(v.t[v.halves[0]].N) {
		return false
	}
	twin := int(v.twin[pos])
	return twin != 0 && v.t[pos].N == v.t[twin].N && term.Equal(v.t.Sub(pos), v.t.Sub(twin))
}

// key returns the Key of mutants at pos.
func (m *Mutator) key(pos int, plain bool) uint64 {
	side := 0
	if plain {
		side = 1
	}
	if m.keys[side] == 0 {
		m.keys[side] = mix(m.around(m.way(pos), pos), uint64(side)) | 1
	}
	return m.keys[side]
}

// way returns a hash of the types and fields on the path from the root to pos. If a
// node above pos has the same schema, the result is the hash of that node, so that
// all nodes of a tree have the same hash.
func (m *Mutator) way(pos int) uint64 {
	if m.ways[pos] != 0 {
		return m.ways[pos]
	}
	p := int(m.parent[pos])
	if p < 0 {
		return 1
	}
	s := m.t[pos].S
	if m.cyclic[s] {
		for a := p; a >= 0; a = int(m.parent[a]) {
			if m.t[a].S == s {
				m.ways[pos] = m.way(a)
				return m.ways[pos]
			}
		}
	}
	m.ways[pos] = mix(m.way(p), m.field(pos)<<16|uint64(s)) | 1
	return m.ways[pos]
}

// field returns the index of the field at pos: 0 in a list and for keys of a map,
// 1 for values of a map.
func (m *Mutator) field(pos int) (n uint64) {
	p := int(m.parent[pos])
	if p < 0 {
		return 0
	}
	s := m.world.Of(m.t[p])
	if s.Kind == schema.Slice || s.Kind == schema.Array {
		return 0
	}
	for k := p + 1; k < pos; k += int(m.t[k].N) {
		n++
	}
	if s.Kind == schema.Map {
		n &= 1
	}
	return n
}

// around adds to the hash the constructor of the node that pos is a field of, and
// the values of the enum fields beside pos.
func (m *Mutator) around(hash uint64, pos int) uint64 {
	p := int(m.parent[pos])
	if p < 0 || m.world.Of(m.t[p]).IsList() {
		return hash
	}
	hash = mix(hash, uint64(m.t[p].C))
	for k, end := p+1, p+int(m.t[p].N); k < end; k += int(m.t[k].N) {
		if k != pos && isEnum(m.world.Of(m.t[k])) {
			hash = mix(hash, uint64(m.t[k].C)<<32^m.t[k].X)
		}
	}
	return hash
}

// isEnum reports whether a schema has few values: declared values, constants, or a
// bool.
func isEnum(s *schema.Schema) bool {
	return s.Kind == schema.Choice || s.Kind == schema.Scalar && (len(s.Consts) > 0 || s.Lo == 0 && s.Hi == 1 && !s.IsFloat())
}

// mix adds x to a hash. The constants are those of SplitMix64.
func mix(hash, x uint64) uint64 {
	hash = (hash ^ x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return hash ^ hash>>31
}
