//go:build go1.25

package suite

import "testing"

// The collector runs in the middle of a run only if the process has used more than a fixed amount, or twice what is
// in use; and never more than the process may have.
func TestHeapBound(t *testing.T) {
	for _, c := range []struct{ live, most, want int64 }{
		{0, 2 << 30, collectAt}, {40 << 20, 2 << 30, collectAt}, {100 << 20, 2 << 30, 200 << 20}, {1 << 30, 2 << 30, 2 << 30}, {1, 64 << 20, 64 << 20},
	} {
		h := heap{most: c.most}
		if got := h.bound(c.live); got != c.want {
			t.Errorf("%d MB in use, at most %d MB: %d MB, want %d MB", c.live>>20, c.most>>20, got>>20, c.want>>20)
		}
	}
}
