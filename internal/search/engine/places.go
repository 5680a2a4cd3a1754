//go:build go1.25

package engine

// places counts how good changes at each place were. A place is where in a term a change is made.
// It is dead if changes at this place were tried often and hardly ever passed or showed anything
// new. Changes at a dead place are deferred, not dropped: they are tried when nothing else is left to
// do, unless the search forgets them before that.
type places map[uint64]*tally

const (
	deadTries = 12      // a place with fewer tries is not dead
	deadShare = 32      // a place stays alive if at least one in so many tries is good
	placesMax = 1 << 15 // maximum number of places with a tally
)

func (p places) dead(key uint64) bool {
	t := p[key]
	return t != nil && t.tries >= deadTries && t.good*deadShare < t.tries
}

// add records whether a change at a place was good.
func (p places) add(key uint64, good bool) {
	t := p[key]
	if t == nil {
		if len(p) >= placesMax {
			clear(p)
		}
		t = &tally{}
		p[key] = t
	}
	t.add(good)
}
