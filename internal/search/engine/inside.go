//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// outsideShare is the share of the changed terms that may break a struct tag of a field (see
// schema.Tag): one in outsideShare. Fresh terms have the same share. Without a limit nearly all
// changed terms would break a tag after a while, because a text such as an address has few
// neighbours that are addresses.
const outsideShare = 8

// inside counts changed terms, and how many of them break a tag.
type inside struct{ all, outside int }

// admits reports whether a changed term is run, and counts it if so.
func (in *inside) admits(w *schema.World, t term.Term) bool {
	if !w.Tagged() {
		return true
	}
	if !w.Inside(t) {
		if in.outside*outsideShare > in.all {
			return false
		}
		in.outside++
	}
	in.all++
	return true
}

// fromLine returns the next term of the line. It skips terms that break a tag if there were too
// many of them.
func (g *guide) fromLine(r *rng.Rand) term.Term {
	l := g.start()
	for range redraws {
		if t := l.next(r); g.inside.admits(g.world, t) {
			return t
		}
	}
	return l.fresh(r)
}
