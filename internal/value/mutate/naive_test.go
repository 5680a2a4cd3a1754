//go:build go1.25

package mutate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// naive is the slow, obvious twin of a batch: it builds trees, changes each node
// in every way, and merges equal results. It has no order, no bounds and no
// state. For random parts it uses the mutator.
type naive struct {
	m    *Mutator
	p    *parent
	root *tree
	set  map[string]term.Term
}

type tree struct {
	s    *schema.Schema
	c    uint16
	x    uint64
	text string
	kids []*tree
	pos  int
}

func plant(w *schema.World, t term.Term, pos int) *tree {
	n := &tree{s: w.Of(t[pos]), c: t[pos].C, x: t[pos].X, pos: pos}
	if n.c == term.Raw {
		n.text = string(t.Bytes(pos))
	}
	for k := range t.Kids(pos) {
		n.kids = append(n.kids, plant(w, t, k))
	}
	return n
}

// harvest makes a term from a tree. It fails if a map has a key twice, or a key
// that cannot be found again.
func (n *tree) harvest(w *schema.World) (t term.Term, ok bool) {
	if n.c == term.Raw {
		return term.AppendRaw(nil, n.s.ID, n.text), true
	}
	t = term.Term{{S: n.s.ID, C: n.c, X: n.x}}
	var kids []term.Term
	for _, k := range n.kids {
		u, ok := k.harvest(w)
		if !ok {
			return nil, false
		}
		kids = append(kids, u)
	}
	if n.s.Kind == schema.Map {
		var entries [][2]term.Term
		for i := 0; i < len(kids); i += 2 {
			odd := false
			w.EachFloat(kids[i], func(x uint64) uint64 {
				f := math.Float64frombits(x)
				odd = odd || f != f || f == 0 && math.Signbit(f)
				return x
			})
			if odd {
				return nil, false
			}
			entries = append(entries, [2]term.Term{kids[i], kids[i+1]})
		}
		slices.SortFunc(entries, func(a, b [2]term.Term) int { return w.Compare(a[0], b[0]) })
		kids = nil
		for i, e := range entries {
			if i > 0 && w.Compare(entries[i-1][0], e[0]) == 0 { // also two derivations of one text
				return nil, false
			}
			kids = append(kids, e[0], e[1])
		}
	}
	for _, k := range kids {
		t = append(t, k...)
	}
	t[0].N = uint32(len(t))
	return t, true
}

func (n *tree) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d.%d.%d%q(", n.s.ID, n.c, n.x, n.text)
	for _, k := range n.kids {
		b.WriteString(k.String())
	}
	return b.String() + ")"
}

// with returns the tree with other kids.
func (n *tree) with(kids ...*tree) *tree {
	u := *n
	u.kids = kids
	if n.s.IsList() {
		u.x = uint64(len(kids))
		if n.s.Kind == schema.Map {
			u.x /= 2
		}
		if n.s.Kind != schema.Array {
			u.c = 1
		}
	}
	return &u
}

// put returns the tree with u in place of the node at old.
func (n *tree) put(old, u *tree) *tree {
	if n == old {
		return u
	}
	for i, k := range n.kids {
		if v := k.put(old, u); v != k {
			c := *n
			c.kids = slices.Clone(n.kids)
			c.kids[i] = v
			return &c
		}
	}
	return n
}

// naively returns all mutants of the mutator's current parent.
func naively(m *Mutator) map[string]term.Term {
	n := &naive{m: m, p: &m.maker.scene.parent, root: plant(m.maker.scene.parent.world, m.maker.scene.parent.t, 0), set: map[string]term.Term{}}
	n.walk(n.root, n.twins())
	return n.set
}

func (n *naive) keep(t *tree) {
	u, ok := t.harvest(n.p.world)
	if !ok || term.Equal(u, n.p.t) {
		return
	}
	if most := n.m.UnitsMax; most > 0 && len(u) > most && len(u) > len(n.p.t) {
		return
	}
	n.set[fmt.Sprint(u)] = u
}

func (n *naive) walk(at *tree, twins map[*tree]*tree) {
	for _, u := range n.at(at) {
		n.keep(n.root.put(at, u))
		if other := twins[at]; other != nil && other.String() == at.String() {
			n.keep(n.root.put(at, u).put(other, u))
		}
	}
	for _, k := range at.kids {
		n.walk(k, twins)
	}
}

// twins pairs the nodes of the two halves.
func (n *naive) twins() map[*tree]*tree {
	twins := map[*tree]*tree{}
	if n.m.Kinds&Mirror == 0 {
		return twins
	}
	at := n.root
	for len(at.kids) == 1 && at.s.Kind != schema.Slice && at.s.Kind != schema.Map {
		at = at.kids[0]
	}
	if at.s.Kind == schema.Slice || at.s.Kind == schema.Map {
		return twins
	}
	for i, a := range at.kids {
		for _, b := range at.kids[i+1:] {
			if a.s == b.s && !a.s.IsScalar() {
				pairUp(twins, a, b)
				return twins
			}
		}
	}
	return twins
}

func pairUp(twins map[*tree]*tree, a, b *tree) {
	twins[a] = b
	if a.c == b.c && a.x == b.x && len(a.kids) == len(b.kids) {
		for i := range a.kids {
			pairUp(twins, a.kids[i], b.kids[i])
		}
	}
}

// at returns the candidates for a node.
func (n *naive) at(at *tree) (us []*tree) {
	kinds := n.m.Kinds
	switch {
	case at.s.IsScalar():
		us = n.scalars(at)
	case at.s.Kind == schema.Slice:
		us = n.edits(at)
	case at.s.Kind == schema.Map:
		us = n.mapEdits(at)
	case at.s.Kind == schema.Array && at.s.Len > arrayWays:
		us = n.arrayEdits(at)
	case kinds&(Pure|Lists|Filled) != 0:
		us = n.ctors(at)
	}
	if kinds&Pure != 0 && !at.s.IsScalar() {
		us = append(us, near(at, at.s, true)...)
	}
	if kinds&Nested != 0 && !at.s.IsScalar() && !at.s.IsList() {
		holes := near(at, at.s, false)
		for _, hole := range holes[:min(len(holes), nestsMax)] {
			us = append(us, at.put(hole, at))
		}
	}
	if kinds&Dictionary != 0 && HasEntries(at.s) && !at.s.IsScalar() {
		for i, d := range n.m.Dictionary(at.s, n.p.t.Sub(at.pos)) {
			if i < n.m.DictionaryMax {
				us = append(us, plant(n.p.world, d, 0))
			}
		}
	}
	if kinds&Fragments != 0 && !at.s.IsScalar() {
		for _, f := range n.m.Fragments(at.s) {
			us = append(us, plant(n.p.world, f, 0))
		}
	}
	return us
}

// near finds the nearest nodes of a schema below a node.
func near(at *tree, s *schema.Schema, maps bool) (found []*tree) {
	for _, k := range at.kids {
		switch {
		case k.s == s:
			found = append(found, k)
		case k.s.Kind == schema.Map && !maps:
		case k.s.IsList() || k.s.Kind == schema.Struct:
			found = append(found, near(k, s, maps)...)
		}
	}
	return found
}

// fills returns the terms that a field of s at a node is filled with.
func (n *naive) fills(at *tree, s *schema.Schema) (fills []*tree) {
	f := newFrame(&n.m.maker.scene)
	f.node.pos = at.pos
	for i, t := range appendFills(nil, f, s) {
		if i == 0 || n.m.Kinds&Filled != 0 {
			fills = append(fills, plant(n.p.world, t, 0))
		}
	}
	return fills
}

// ctors fills every constructor in every way.
func (n *naive) ctors(at *tree) (us []*tree) {
	if at.s.Kind == schema.Array {
		return fillings(at, slices.Repeat([][]*tree{at.kids}, at.s.Len), nil)
	}
	for c := range at.s.Ctors {
		if c < at.s.First() {
			continue
		}
		var options [][]*tree
		for _, field := range at.s.Ctors[c].Fields {
			var own []*tree
			for _, k := range at.kids {
				if k.s == field.S {
					own = append(own, k)
				}
			}
			if own == nil {
				own = n.fills(at, field.S)
			}
			options = append(options, own)
		}
		u := *at
		u.c = uint16(c)
		us = append(us, fillings(&u, options, nil)...)
	}
	return us
}

func fillings(at *tree, options [][]*tree, kids []*tree) (us []*tree) {
	if len(options) == 0 {
		return []*tree{at.with(slices.Clone(kids)...)}
	}
	for _, k := range options[0] {
		us = append(us, fillings(at, options[1:], append(kids, k))...)
	}
	return us
}

func (n *naive) edits(at *tree) (us []*tree) {
	k := at.kids
	none := *at
	none.c, none.x, none.kids = 0, 0, nil
	lists := n.m.Kinds&Lists != 0
	if lists && at.s.Empty() == 0 {
		us = append(us, &none, at.with())
	}
	if at.s.LenMax > 0 {
		defer func() { us = slices.DeleteFunc(us, func(u *tree) bool { return !at.s.FitsLen(len(u.kids)) }) }()
	}
	for i := range k {
		us = append(us, at.with(k[:i]...), at.with(slices.Delete(slices.Clone(k), i, i+1)...),
			at.with(slices.Insert(slices.Clone(k), i, k[i])...))
		if i > 0 && lists {
			swapped := slices.Clone(k)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			us = append(us, at.with(swapped...))
		}
	}
	for i := range len(k) + 1 {
		for which, fill := range n.fills(at, at.s.Elem) {
			if lists || which > 0 || i == len(k) {
				us = append(us, at.with(slices.Insert(slices.Clone(k), i, fill)...))
			}
		}
	}
	return us
}

func (n *naive) arrayEdits(at *tree) (us []*tree) {
	for i := range at.kids[1:] {
		for _, pair := range [][2]int{{i, i}, {i + 1, i + 1}, {i + 1, i}} {
			k := slices.Clone(at.kids)
			k[i], k[i+1] = at.kids[pair[0]], at.kids[pair[1]]
			us = append(us, at.with(k...))
		}
	}
	return us
}

func (n *naive) mapEdits(at *tree) (us []*tree) {
	k := at.kids
	none := *at
	none.c, none.x, none.kids = 0, 0, nil
	lists := n.m.Kinds&Lists != 0
	if lists && at.s.Empty() == 0 {
		us = append(us, &none, at.with())
	}
	for i := 0; i < len(k); i += 2 {
		us = append(us, at.with(k[:i]...), at.with(slices.Delete(slices.Clone(k), i, i+2)...))
		if i > 0 && lists {
			swapped := slices.Clone(k)
			swapped[i-1], swapped[i+1] = k[i+1], k[i-1]
			us = append(us, at.with(swapped...))
		}
	}
	f := newFrame(&n.m.maker.scene)
	f.start(at.pos, own)
	var e listEdits
	e.open(f, nil)
	var first *tree
	for _, p := range e.entries.all { // only to find out which key is the free one
		first = plant(n.p.world, p.key, 0)
		break
	}
	if first == nil {
		return us
	}
	values := n.fills(at, at.s.Elem)
	for _, v := range values {
		for _, key := range n.fills(at, at.s.Key)[1:] {
			us = append(us, at.with(append(slices.Clone(k), key, v)...))
		}
		us = append(us, at.with(append(slices.Clone(k), first, v)...))
	}
	for i := 1; i < len(k); i += 2 {
		us = append(us, at.with(append(slices.Clone(k), first, k[i])...))
	}
	return us
}

// scalars gets the candidates from the mutator: an independent algorithm would be
// the same list.
func (n *naive) scalars(at *tree) (us []*tree) {
	f := newFrame(&n.m.maker.scene)
	f.start(at.pos, every)
	for f.next() {
		if !f.candidate.void {
			us = append(us, plant(n.p.world, f.candidate.pieces[0], 0))
		}
	}
	return us
}
