//go:build go1.25

package orderedmap

import (
	"cmp"
	"maps"
	"testing"

	"github.com/allele-go/allele"
)

// An ordered map has the same contents as a Go map after the same operations.
func TestLikeGoMap(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Set    []int
		Delete []int
	}) {
		var m Map[int, int]
		want := map[int]int{}
		for i, key := range in.Set {
			m.Set(key, i)
			want[key] = i
		}
		for _, key := range in.Delete {
			m.Delete(key)
			delete(want, key)
		}
		if got := maps.Collect(m.All()); !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if m.Len() != len(want) {
			t.Errorf("Len is %d, want %d", m.Len(), len(want))
		}
	})
}

// All yields the keys in order, and the tree stays balanced.
func TestInvariant(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ Set, Delete []uint8 }) {
		var m Map[uint8, bool]
		for _, key := range in.Set {
			m.Set(key, true)
		}
		for _, key := range in.Delete {
			m.Delete(key)
		}
		last := -1
		for key := range m.All() {
			if int(key) <= last {
				t.Fatalf("key %d follows key %d", key, last)
			}
			last = int(key)
		}
		if !flat(m.root) {
			t.Error("the tree is out of balance")
		}
		t.Label("keys", m.Len()/4*4)
	})
}

func flat[K cmp.Ordered, V any](n *node[K, V]) bool {
	if n == nil {
		return true
	}
	d := n.left.h() - n.right.h()
	return d >= -1 && d <= 1 && n.height == 1+max(n.left.h(), n.right.h()) && flat(n.left) && flat(n.right)
}
