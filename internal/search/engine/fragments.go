//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// fragments holds subterms of kept terms, the latest of each schema.
type fragments struct {
	by   map[uint16][]term.Term
	next map[uint16]int
}

// fragmentsMax is how many subterms of each schema are held. Few are tried at a time, and
// those of recent terms fit best.
const fragmentsMax = 32

func (f *fragments) add(w *schema.World, t term.Term) {
	if f.by == nil {
		f.by, f.next = map[uint16][]term.Term{}, map[uint16]int{}
	}
	for pos := range t.Nodes() {
		s := w.Of(t[pos])
		if pos == 0 || !s.HasParts() || t[pos].N < 2 {
			continue
		}
		if list := f.by[s.ID]; len(list) < fragmentsMax {
			f.by[s.ID] = append(list, t.Sub(pos))
		} else {
			list[f.next[s.ID]%fragmentsMax] = t.Sub(pos)
			f.next[s.ID]++
		}
	}
}

func (f *fragments) of(s *schema.Schema) []term.Term { return f.by[s.ID] }
