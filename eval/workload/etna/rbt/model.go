package rbt

import (
	"cmp"
	"slices"
)

// Valid reports whether t is a red-black tree: a search tree without equal keys, with a
// black root, no red child of a red node, and the same number of black nodes on every
// path to a leaf.
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

// blacks returns the number of black nodes on every path to a leaf. It reports false if
// the paths differ.
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

// Find returns the value of a key.
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

// List returns the entries of the map, from left to right in the tree.
func (t *Tree) List() []Entry { return t.appendTo(nil) }

func (t *Tree) appendTo(list []Entry) []Entry {
	if t == nil {
		return list
	}
	list = append(t.L.appendTo(list), Entry{t.K, t.V})
	return t.R.appendTo(list)
}

func same(t, u *Tree) bool { return slices.Equal(t.List(), u.List()) }

// The model: the same operations on lists of entries, sorted by key.

func inserted(list []Entry, k int, v bool) []Entry {
	list = deleted(list, k)
	i, _ := slices.BinarySearchFunc(list, k, func(e Entry, k int) int { return cmp.Compare(e.K, k) })
	return slices.Insert(list, i, Entry{k, v})
}

func deleted(list []Entry, k int) []Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e Entry) bool { return e.K == k })
}
