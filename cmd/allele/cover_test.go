//go:build go1.25

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
)

// Nested blocks become pieces that do not overlap.
func TestPieces(t *testing.T) {
	block := func(id uint32, from, to int) site.Site {
		return site.Site{ID: id, Line: from, Col: 1, EndLine: to, EndCol: 9}
	}
	for _, c := range []struct {
		name  string
		sites []site.Site
		want  string
	}{
		{"one", []site.Site{block(1, 1, 5)}, "1:1-5"},
		{"an arm", []site.Site{block(1, 1, 9), block(2, 3, 5)}, "1:1-3 2:3-5 1:5-9"},
		{"two arms", []site.Site{block(3, 6, 7), block(1, 1, 9), block(2, 3, 5)}, "1:1-3 2:3-5 1:5-6 3:6-7 1:7-9"},
		{"three deep", []site.Site{block(1, 1, 9), block(2, 2, 8), block(3, 3, 4)}, "1:1-2 2:2-3 3:3-4 2:4-8 1:8-9"},
		{"two functions", []site.Site{block(2, 5, 8), block(1, 1, 4)}, "1:1-4 2:5-8"},
		{"to the same end", []site.Site{block(1, 1, 9), block(2, 3, 9)}, "1:1-3 2:3-9"},
	} {
		var got []string
		last := place{}
		for _, p := range pieces(c.sites) {
			got = append(got, fmt.Sprintf("%d:%d-%d", p.of, p.from.line, p.to.line))
			if p.from.compare(last) < 0 {
				t.Errorf("%s: a piece overlaps", c.name)
			}
			last = p.to
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}
