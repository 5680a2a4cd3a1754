//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A place is where in a term a change is made. It is dead if changes at this place were
// tried often and hardly ever passed or showed anything new. Changes at a dead place are
// deferred, not dropped: they are tried when nothing else is left to do, unless the
// search forgets them before that.
const (
	deadTries = 12      // a place with fewer tries is not dead
	deadShare = 32      // a place stays alive if at least one in so many tries is good
	agesAt    = 512     // number of tries at which a tally halves its counts
	placesMax = 1 << 15 // maximum number of places with a tally
)

func (l *line) dead(key uint64) bool {
	p := l.places[key]
	return p != nil && p.tries >= deadTries && p.good*deadShare < p.tries
}

// learn records whether a change at a place was good.
func (l *line) learn(f origin, v Verdict, news bool) {
	if f.key == 0 || !l.Defer {
		return
	}
	p := l.places[f.key]
	if p == nil {
		if len(l.places) >= placesMax {
			clear(l.places)
		}
		p = &tally{}
		l.places[f.key] = p
	}
	p.add(v == Passed || news)
}

// parts holds subterms of kept terms, the latest of each schema.
type parts struct {
	by   map[uint16][]term.Term
	next map[uint16]int
}

// partsMax is how many subterms of each schema are held. Few are tried at a time, and
// those of recent terms fit best.
const partsMax = 32

func (p *parts) add(w *schema.World, t term.Term) {
	if p.by == nil {
		p.by, p.next = map[uint16][]term.Term{}, map[uint16]int{}
	}
	for pos := range t.Nodes() {
		s := w.Of(t[pos])
		if pos == 0 || !s.HasParts() || t[pos].N < 2 {
			continue
		}
		if list := p.by[s.ID]; len(list) < partsMax {
			p.by[s.ID] = append(list, t.Sub(pos))
		} else {
			list[p.next[s.ID]%partsMax] = t.Sub(pos)
			p.next[s.ID]++
		}
	}
}

func (p *parts) of(s *schema.Schema) []term.Term { return p.by[s.ID] }
