package watch

import (
	"fmt"
	"testing"
)

// Where two runs of one case part.
func TestParting(t *testing.T) {
	for _, c := range []struct {
		name           string
		failed, passed Path
		want           string
	}{
		{"one went elsewhere", Path{path: []uint32{1, 2, 3, 9}}, Path{path: []uint32{1, 2, 4}}, "[2 3 4]"},
		{"one ended", Path{path: []uint32{1, 2, 3}}, Path{path: []uint32{1, 2}}, "[2 3 0]"},
		{"at once", Path{path: []uint32{5}}, Path{path: []uint32{6}}, "[0 5 6]"},
		{"the same way", Path{path: []uint32{1, 2}}, Path{path: []uint32{1, 2}}, "[]"},
		{"without order: what only one reached", Path{path: []uint32{1, 3, 2}, set: []uint32{1, 2, 3}}, Path{path: []uint32{1, 2, 4}, set: []uint32{1, 2, 4}}, "[1 3 4]"},
		{"without order, the same", Path{path: []uint32{1, 2}, set: []uint32{1, 2}}, Path{path: []uint32{2, 1}, set: []uint32{1, 2}}, "[]"},
	} {
		if got := fmt.Sprint(parting(c.failed, c.passed)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
