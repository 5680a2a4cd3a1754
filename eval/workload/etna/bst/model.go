package bst

import (
	"cmp"
	"slices"
)

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

// equal reports whether two trees have the same entries and the same shape.
func equal(t, u *Tree) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.K == u.K && t.V == u.V && equal(t.L, u.L) && equal(t.R, u.R)
}

// The model: the same operations on lists of entries, sorted by key.

func inserted(list []Entry, k int, v bool) []Entry {
	list = deleted(list, k)
	i, _ := slices.BinarySearchFunc(list, k, func(e Entry, k int) int { return cmp.Compare(e.K, k) })
	return slices.Insert(list, i, Entry{k, v})
}

func deleted(list []Entry, k int) []Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e Entry) bool { return e.K == k })
}

func united(list, other []Entry) []Entry {
	for _, e := range other {
		if !slices.ContainsFunc(list, func(o Entry) bool { return o.K == e.K }) {
			list = inserted(list, e.K, e.V)
		}
	}
	return list
}
