//go:build go1.25

package shrink

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// sortMaps sorts the entries of the maps in a candidate again, because their keys may
// have changed. Inner maps come first. Entries whose keys became equal are merged into
// one, as in the map that the user sees. sorted reports whether any map had to be sorted.
func sortMaps(w *schema.World, t term.Term) (result term.Term, sorted bool) {
	var unsorted []int
	for i := 0; i < len(t); i = after(t, i) {
		if w.Of(t[i]).Kind == schema.Map && !isSorted(w, t, i) {
			unsorted = append(unsorted, i)
		}
	}
	for k := len(unsorted) - 1; k >= 0; k-- {
		pos := unsorted[k]
		t = term.Replace(nil, t, pos, w.SortEntries(t.Sub(pos).Clone()))
	}
	return t, len(unsorted) > 0
}

// isSorted reports whether the keys of the map at pos are in ascending order and contain
// neither NaN nor negative zero.
func isSorted(w *schema.World, t term.Term, pos int) bool {
	var last term.Term
	isKey := true
	for k := range t.Kids(pos) {
		if isKey {
			key := t.Sub(k)
			if !plainKey(w, key) || last != nil && w.Compare(last, key) >= 0 {
				return false
			}
			last = key
		}
		isKey = !isKey
	}
	return true
}

// plainKey reports whether a key contains neither NaN nor negative zero. A swap of
// subterms may have put such a value into a key.
func plainKey(w *schema.World, key term.Term) bool {
	for i := 0; i < len(key); i = after(key, i) {
		if w.Of(key[i]).IsFloat() {
			if f := math.Float64frombits(key[i].X); f != f || f == 0 && math.Signbit(f) {
				return false
			}
		}
	}
	return true
}
