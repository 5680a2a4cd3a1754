//go:build go1.25

package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// writeCover writes a coverage profile of the reached sites, in the format of go tool
// cover. The format needs blocks that do not overlap, so the block of a function is only
// the part that is in none of its branches.
func (t *tester) writeCover() error {
	files := map[string][]site.Site{}
	for _, s := range t.sites {
		if s.Kind != site.Operand { // an operand is only a part of a block
			files[t.overlay.ImportPath(s)] = append(files[t.overlay.ImportPath(s)], s)
		}
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("mode: set\n")
	for _, name := range names {
		for _, p := range pieces(files[name]) {
			hit := 0
			if t.reached[p.of] {
				hit = 1
			}
			fmt.Fprintf(&b, "%s:%d.%d,%d.%d %d %d\n", name, p.from.line, p.from.col, p.to.line, p.to.col, p.statements, hit)
		}
	}
	file := t.cover
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.dir, file)
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}

// place is a position in a file.
type place struct{ line, col int }

func (p place) compare(q place) int { return cmp.Or(p.line-q.line, p.col-q.col) }

// piece is a part of a file that belongs to one site. Only the first piece of a site
// counts as a statement, so that percentages are percentages of branches.
type piece struct {
	of         uint32
	from, to   place
	statements int
}

// pieces splits blocks, any two of which are nested or disjoint, into pieces that do not
// overlap.
func pieces(sites []site.Site) []piece {
	start := func(s site.Site) place { return place{s.Line, s.Col} }
	end := func(s site.Site) place { return place{s.EndLine, s.EndCol} }
	slices.SortFunc(sites, func(a, b site.Site) int {
		return cmp.Or(start(a).compare(start(b)), end(b).compare(end(a)), int(a.ID)-int(b.ID))
	})
	var all []piece
	var open []site.Site // the blocks around the current position, each inside the one before it
	var at place
	upTo := func(p place) {
		if s := open[len(open)-1]; at.compare(p) < 0 {
			all = append(all, piece{s.ID, at, p, 0})
		}
		at = p
	}
	leave := func(before place) {
		for len(open) > 0 && end(open[len(open)-1]).compare(before) <= 0 {
			upTo(end(open[len(open)-1]))
			open = open[:len(open)-1]
		}
	}
	for _, s := range sites {
		leave(start(s))
		if len(open) > 0 {
			upTo(start(s))
		}
		at = start(s)
		open = append(open, s)
	}
	leave(place{1 << 30, 0})
	counted := map[uint32]bool{}
	for i := range all {
		if !counted[all[i].of] {
			counted[all[i].of], all[i].statements = true, 1
		}
	}
	return all
}
