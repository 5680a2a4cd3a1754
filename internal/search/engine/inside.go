//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// inside limits how many changed terms break a struct tag of a field (see schema.Tag). It counts changed terms, and
// how many of them break one.
type inside struct{ all, outside int }

// outsideShare is the share of the changed terms that may break a tag: one in outsideShare. Fresh terms have the
// same share. Without a limit nearly all changed terms would break a tag after a while, because a text such as an
// address has few neighbours that are addresses.
const outsideShare = 8

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
