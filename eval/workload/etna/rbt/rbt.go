// Package rbt is a map implemented as a red-black tree, with fifteen faults and the
// properties that they break.
//
// The operations are methods of the fault that affects them:
//
//	t = rbt.Correct.Insert(t, 3, true)
//	t, ok := rbt.MiscolorJoin1.Delete(t, 3) // !ok: t was not a red-black tree
//	for _, task := range rbt.Tasks()        // a fault and a property that it breaks
//
// Insertion is Okasaki's algorithm, deletion is Kahrs'. A random tree of more than a few
// nodes is hardly ever red-black. If an operation breaks a tree, this may be visible only
// after a second operation.
package rbt

// Color of a node.
type Color bool

// The two colors. A leaf (a nil tree) counts as not red.
const (
	Black Color = false
	Red   Color = true
)

// Tree is a map. Nil is the empty map.
type Tree struct {
	Color Color
	L     *Tree
	K     int
	V     bool
	R     *Tree
}

// with returns a node with the key and value of t, and with the given color and subtrees.
func (t *Tree) with(c Color, l, r *Tree) *Tree { return &Tree{c, l, t.K, t.V, r} }

// colored returns t with the given color.
func (t *Tree) colored(c Color) *Tree {
	if t == nil {
		return nil
	}
	return t.with(c, t.L, t.R)
}

func isRed(t *Tree) bool   { return t != nil && t.Color == Red }
func isBlack(t *Tree) bool { return t != nil && t.Color == Black }

// Insert returns the tree with a key set to a value.
func (f Fault) Insert(t *Tree, k int, v bool) *Tree {
	return f.insert(t, k, v).colored(Black)
}

func (f Fault) insert(t *Tree, k int, v bool) *Tree {
	switch {
	case t == nil && f == MiscolorInsert:
		return &Tree{Color: Black, K: k, V: v}
	case t == nil || f == Insert1:
		return &Tree{Color: Red, K: k, V: v}
	case k < t.K && f == NoBalanceInsert1:
		return t.with(t.Color, f.insert(t.L, k, v), t.R)
	case k < t.K:
		return f.balance(t.with(t.Color, f.insert(t.L, k, v), t.R))
	case k > t.K && f == NoBalanceInsert2:
		return t.with(t.Color, t.L, f.Insert(t.R, k, v))
	case k > t.K && f != Insert2:
		return f.balance(t.with(t.Color, t.L, f.insert(t.R, k, v)))
	case f == Insert3:
		return t
	}
	return &Tree{t.Color, t.L, t.K, v, t.R}
}

// balance repairs a black node that has a red child which has a red child itself.
func (f Fault) balance(t *Tree) *Tree {
	l, r := t.L, t.R
	switch {
	case t.Color == Red:
		return t
	case isRed(l) && isRed(l.L):
		c, d := l.R, r
		if f == SwapCD {
			c, d = d, c
		}
		return l.with(Red, l.L.colored(Black), t.with(Black, c, d))
	case isRed(l) && isRed(l.R):
		return l.R.with(Red, l.with(Black, l.L, l.R.L), t.with(Black, l.R.R, r))
	case isRed(r) && isRed(r.L):
		b, c := r.L.L, r.L.R
		if f == SwapBC {
			b, c = c, b
		}
		return r.L.with(Red, t.with(Black, l, b), r.with(Black, c, r.R))
	case isRed(r) && isRed(r.R):
		return r.with(Red, t.with(Black, l, r.L), r.R.colored(Black))
	}
	return t
}
