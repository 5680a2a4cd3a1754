//go:build go1.25

package watch

import (
	"fmt"
	"testing"
)

// parting finds where two runs of one case diverge.
func TestParting(t *testing.T) {
	for _, c := range []struct {
		name           string
		failed, passed Path
		want           string
	}{
		{"different third sites", Path{path: []uint32{1, 2, 3, 9}}, Path{path: []uint32{1, 2, 4}}, "[2 3 4]"},
		{"one path ends", Path{path: []uint32{1, 2, 3}}, Path{path: []uint32{1, 2}}, "[2 3 0]"},
		{"different first sites", Path{path: []uint32{5}}, Path{path: []uint32{6}}, "[0 5 6]"},
		{"the same path", Path{path: []uint32{1, 2}}, Path{path: []uint32{1, 2}}, "[]"},
		{"without order: sites that only one run reached", Path{path: []uint32{1, 3, 2}, set: []uint32{1, 2, 3}}, Path{path: []uint32{1, 2, 4}, set: []uint32{1, 2, 4}}, "[1 3 4]"},
		{"without order, the same", Path{path: []uint32{1, 2}, set: []uint32{1, 2}}, Path{path: []uint32{2, 1}, set: []uint32{1, 2}}, "[]"},
	} {
		if got := fmt.Sprint(parting(c.failed, c.passed)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
