package rbt

// Delete returns the tree without a key. It reports false if it finds a part of the tree
// that is not valid in a red-black tree.
func (f Fault) Delete(t *Tree, k int) (*Tree, bool) {
	t, ok := f.delete(t, k)
	if !ok || f == MiscolorDelete {
		return t, ok
	}
	return t.colored(Black), true
}

func (f Fault) delete(t *Tree, k int) (*Tree, bool) {
	if t == nil {
		return nil, true
	}
	before, after := k < t.K, k > t.K
	if f == Delete5 {
		before, after = after, before
	}
	switch {
	case before && f == Delete4:
		return f.delete(t.L, k)
	case before:
		return f.deleteLeft(t, k)
	case after && f == Delete4:
		return f.delete(t.R, k)
	case after:
		return f.deleteRight(t, k)
	}
	return f.joined(t.L, t.R)
}

func (f Fault) deleteLeft(t *Tree, k int) (*Tree, bool) {
	l, ok := f.delete(t.L, k)
	if !ok {
		return nil, false
	}
	if isBlack(t.L) {
		return f.balanceLeft(t.with(t.Color, l, t.R))
	}
	return t.with(Red, l, t.R), true
}

func (f Fault) deleteRight(t *Tree, k int) (*Tree, bool) {
	r, ok := f.delete(t.R, k)
	if !ok {
		return nil, false
	}
	if isBlack(t.R) {
		return f.balanceRight(t.with(t.Color, t.L, r))
	}
	return t.with(Red, t.L, r), true
}

// balanceLeft repairs a node whose left subtree has one black node too few.
func (f Fault) balanceLeft(t *Tree) (*Tree, bool) {
	l, r := t.L, t.R
	switch {
	case isRed(l):
		return t.with(Red, l.colored(Black), r), true
	case isBlack(r):
		return f.balance(t.with(Black, l, r.colored(Red))), true
	case isRed(r) && isBlack(r.L):
		outer, ok := r.R, true
		if f != MiscolorBalLeft {
			outer, ok = reddened(r.R)
		}
		if !ok {
			return nil, false
		}
		return r.L.with(Red, t.with(Black, l, r.L.L), f.balance(r.with(Black, r.L.R, outer))), true
	}
	return nil, false
}

// balanceRight is the mirror image of balanceLeft.
func (f Fault) balanceRight(t *Tree) (*Tree, bool) {
	l, r := t.L, t.R
	switch {
	case isRed(r):
		return t.with(Red, l, r.colored(Black)), true
	case isBlack(l):
		return f.balance(t.with(Black, l.colored(Red), r)), true
	case isRed(l) && isBlack(l.R):
		outer, ok := l.L, true
		if f != MiscolorBalRight {
			outer, ok = reddened(l.L)
		}
		if !ok {
			return nil, false
		}
		return l.R.with(Red, f.balance(l.with(Black, outer, l.R.L)), t.with(Black, l.R.R, r)), true
	}
	return nil, false
}

// reddened returns t with the color red. It reports false if t is not a black node.
func reddened(t *Tree) (*Tree, bool) {
	if !isBlack(t) {
		return nil, false
	}
	return t.colored(Red), true
}

// joined joins the subtrees of a deleted node.
func (f Fault) joined(l, r *Tree) (*Tree, bool) {
	switch {
	case l == nil:
		return r, true
	case r == nil:
		return l, true
	case l.Color == Red && r.Color == Red:
		return f.joinedReds(l, r)
	case l.Color == Black && r.Color == Black:
		return f.joinedBlacks(l, r)
	case r.Color == Red:
		inner, ok := f.joined(l, r.L)
		if !ok {
			return nil, false
		}
		return r.with(Red, inner, r.R), true
	}
	inner, ok := f.joined(l.R, r)
	if !ok {
		return nil, false
	}
	return l.with(Red, l.L, inner), true
}

func (f Fault) joinedReds(l, r *Tree) (*Tree, bool) {
	inner, ok := f.joined(l.R, r.L)
	if !ok {
		return nil, false
	}
	if !isRed(inner) {
		return l.with(Red, l.L, r.with(Red, inner, r.R)), true
	}
	c := Red
	if f == MiscolorJoin1 {
		c = Black
	}
	return inner.with(Red, l.with(c, l.L, inner.L), r.with(c, inner.R, r.R)), true
}

func (f Fault) joinedBlacks(l, r *Tree) (*Tree, bool) {
	inner, ok := f.joined(l.R, r.L)
	if !ok {
		return nil, false
	}
	if !isRed(inner) {
		return f.balanceLeft(l.with(Black, l.L, r.with(Black, inner, r.R)))
	}
	c := Black
	if f == MiscolorJoin2 {
		c = Red
	}
	return inner.with(Red, l.with(c, l.L, inner.L), r.with(c, inner.R, r.R)), true
}
