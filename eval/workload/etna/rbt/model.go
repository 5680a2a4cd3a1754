package rbt

import (
	"cmp"
	"slices"
)

// Valid reports whether t is a red-black tree: a search tree without equal keys,
// black at the root, no red below a red, as many blacks on every way down.
func (t *Tree) Valid() bool {
	if isRed(t) || !t.between(nil, nil) || !t.calm() {
		return false
	}
	_, ok := t.blacks()
	return ok
}

func (t *Tree) between(lo, hi *int) bool {
	if t == nil {
		return true
	}
	if lo != nil && t.K <= *lo || hi != nil && t.K >= *hi {
		return false
	}
	return t.L.between(lo, &t.K) && t.R.between(&t.K, hi)
}

// calm reports whether no red node has a red child.
func (t *Tree) calm() bool {
	if t == nil {
		return true
	}
	if t.Color == Red && (isRed(t.L) || isRed(t.R)) {
		return false
	}
	return t.L.calm() && t.R.calm()
}

// blacks counts the black nodes on the ways down, if that is one number.
func (t *Tree) blacks() (n int, ok bool) {
	if t == nil {
		return 0, true
	}
	n, ok = t.L.blacks()
	if !ok {
		return 0, false
	}
	if m, ok := t.R.blacks(); !ok || m != n {
		return 0, false
	}
	if t.Color == Black {
		n++
	}
	return n, true
}

// Find looks a key up.
func (t *Tree) Find(k int) (v, ok bool) {
	switch {
	case t == nil:
		return false, false
	case k < t.K:
		return t.L.Find(k)
	case k > t.K:
		return t.R.Find(k)
	}
	return t.V, true
}

// Entry is a key with its value.
type Entry struct {
	K int
	V bool
}

// List is what a tree stands for: its entries from left to right.
func (t *Tree) List() []Entry { return t.appendTo(nil) }

func (t *Tree) appendTo(list []Entry) []Entry {
	if t == nil {
		return list
	}
	list = append(t.L.appendTo(list), Entry{t.K, t.V})
	return t.R.appendTo(list)
}

func same(t, u *Tree) bool { return slices.Equal(t.List(), u.List()) }

// The operations on lists of entries that are sorted by key.

func inserted(list []Entry, k int, v bool) []Entry {
	list = deleted(list, k)
	i, _ := slices.BinarySearchFunc(list, k, func(e Entry, k int) int { return cmp.Compare(e.K, k) })
	return slices.Insert(list, i, Entry{k, v})
}

func deleted(list []Entry, k int) []Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e Entry) bool { return e.K == k })
}
