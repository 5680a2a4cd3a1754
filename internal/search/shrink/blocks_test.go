//go:build go1.25

package shrink_test

import (
	"math"
	"strings"
	"testing"
)

// Long arrays shrink to zeros, and what must not be zero to simple values.
func TestLongArrays(t *testing.T) {
	var id [16]byte
	var page [65536]byte
	for i := range page {
		page[i] = byte(i*7 + 1)
	}
	copy(id[:], page[:])
	type refs struct {
		ID  [16]byte
		All [][16]byte
	}
	for _, c := range []struct{ what, got, want string }{
		{"all of it may be zero", shrunk(t, id, func([16]byte) bool { return true }), "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]"},
		{"an element that matters", shrunk(t, id, func(x [16]byte) bool { return x[3] > 5 }), "[0 0 0 6 0 0 0 0 0 0 0 0 0 0 0 0]"},
		{"two equal elements", shrunk(t, [16]byte{9, 9, 3}, func(x [16]byte) bool { return x[0] == x[1] && x[0] > 1 }),
			"[2 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0]"},
		{"signed numbers", shrunk(t, [16]int32{2: -70000}, func(x [16]int32) bool { return x[2] < -1000 }),
			"[0 0 -1001 0 0 0 0 0 0 0 0 0 0 0 0 0]"},
		{"floats", shrunk(t, [16]float64{1: 12.75, 2: math.NaN()}, func(x [16]float64) bool { return x[1] > 3 }),
			"[0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0]"},
		{"bools", shrunk(t, [16]bool{0: true, 5: true}, func(x [16]bool) bool { return x[5] }),
			"[false false false false false true false false false false false false false false false false]"},
		{"an ID and what refers to it", shrunk(t, refs{id, [][16]byte{{1}, id, {2}}}, func(x refs) bool {
			return x.ID != [16]byte{} && len(x.All) > 0 && x.All[len(x.All)-1] == x.ID
		}), "{[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1] [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1]]}"},
		{"keys", shrunk(t, map[[16]byte]int{id: 5, {1}: 1}, func(x map[[16]byte]int) bool { return len(x) > 1 }),
			"map[[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]:0 [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1]:0]"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	all := strings.Fields(strings.Trim(shrunk(t, page, func(x [65536]byte) bool { return x[17] > 2 && x[60000] != 0 }), "[]"))
	var rest []string
	for _, x := range all {
		if x != "0" {
			rest = append(rest, x)
		}
	}
	if got := strings.Join(rest, " "); got != "3 1" {
		t.Errorf("a page: %.200s is left, want 3 1", got)
	}
}
