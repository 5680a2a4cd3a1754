//go:build go1.25

package schema

import (
	"bytes"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/term"
)

// SortEntries sorts the entries of a map term by their keys and drops entries with
// duplicate keys, so that equal maps are equal terms. It overwrites t and returns
// the part of t that is used.
func (w *World) SortEntries(t term.Term) term.Term {
	type entry struct{ key, all term.Term }
	entries := make([]entry, 0, t[0].X)
	old := t[1:].Clone()
	for i := 0; i < len(old); {
		key := old.Sub(i)
		size := len(key) + int(old[i+len(key)].N)
		all := old[i : i+size]
		w.hashable(all[:len(key)])
		entries = append(entries, entry{key, all})
		i += size
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return w.Compare(a.key, b.key) })
	entries = slices.CompactFunc(entries, func(a, b entry) bool { return w.Compare(a.key, b.key) == 0 })
	t = t[:1]
	for _, e := range entries {
		t = append(t, e.all...)
	}
	t[0].X, t[0].N = uint64(len(entries)), uint32(len(t))
	return t
}

// hashable normalises the floats in a map key. It replaces NaN, which a map never
// finds, and -0, which equals +0, by +0.
func (w *World) hashable(key term.Term) {
	w.EachFloat(key, func(x uint64) uint64 {
		if f := math.Float64frombits(x); f != f || f == 0 {
			return 0
		}
		return x
	})
}

// Compare orders terms of one schema: scalars by value, strings and derivations by
// their bytes, blocks by their elements, and everything else by constructor, then length, then fields from left to
// right.
func (w *World) Compare(a, b term.Term) int {
	for i, j := 0, 0; i < len(a) && j < len(b); i, j = i+1, j+1 {
		if a[i].C == term.Raw && b[j].C == term.Raw {
			c := bytes.Compare(a.Bytes(i), b.Bytes(j))
			if s := w.Of(a[i]); c != 0 && s.Kind == Block {
				c = s.compareItems(a.Bytes(i), b.Bytes(j))
			}
			if c != 0 {
				return c
			}
			i, j = i+int(a[i].N)-1, j+int(b[j].N)-1
			continue
		}
		if s := w.Of(a[i]); s.IsMatch() {
			if c := bytes.Compare(s.Text(a.Sub(i)), s.Text(b.Sub(j))); c != 0 {
				return c
			}
			i, j = i+int(a[i].N)-1, j+int(b[j].N)-1
			continue
		}
		if c := int(a[i].C) - int(b[j].C); c != 0 {
			return c
		}
		if x, y := a[i].X, b[j].X; x != y {
			if w.Of(a[i]).Less(x, y) {
				return -1
			}
			return 1
		}
	}
	return 0
}
