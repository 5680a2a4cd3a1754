//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// pair is two parts of the parent that have one type, and the positions in them that
// correspond. A mirrored mutant has the same change in both halves.
type pair struct {
	t      term.Term // the parent
	at     int       // position of the node with two halves, -1 if there is none
	halves [2]int    // positions of the halves
	asked  int       // a position in the first half,
	found  int       // and the result of other for it
}

// find finds the two halves of the input, if there are any. They are fields of the
// first constructor that has more than one field: the first two that have the same
// schema and are not scalars. Positions in the two halves correspond as long as
// constructors and lengths agree.
func (p *pair) find(w *schema.World, t term.Term) {
	p.t, p.at = t, -1
	pos := 0
	for ; ; pos++ {
		s := w.Of(p.t[pos])
		if s.IsList() && s.Kind != schema.Array || s.IsScalar() || p.t[pos].N == 1 {
			return
		}
		if p.t[pos].N != 1+p.t[pos+1].N {
			break
		}
	}
	a, b := p.alike(w, pos)
	if b == 0 {
		return
	}
	p.at, p.halves, p.asked = pos, [2]int{a, b}, 0
}

// alike returns the positions of two fields of the node at pos that have the same
// schema.
func (p *pair) alike(w *schema.World, pos int) (a, b int) {
	end := pos + int(p.t[pos].N)
	for a = pos + 1; a < end; a += int(p.t[a].N) {
		if !w.Of(p.t[a]).HasParts() {
			continue
		}
		for b = a + int(p.t[a].N); b < end; b += int(p.t[b].N) {
			if p.t[a].S == p.t[b].S {
				return a, b
			}
		}
	}
	return 0, 0
}

// mirrors reports whether pos is in the first half and its subterm is equal to that
// in the other half, so that a change can be made in both.
func (p *pair) mirrors(pos int) bool {
	half := p.halves[0]
	if p.at < 0 || pos < half || pos >= half+int(p.t[half].N) {
		return false
	}
	twin := p.other(pos)
	return twin != 0 && p.t[pos].N == p.t[twin].N && term.Equal(p.t.Sub(pos), p.t.Sub(twin))
}

// other returns the position in the other half that corresponds to pos in the first half, or 0.
func (p *pair) other(pos int) int {
	if p.asked != pos {
		p.asked, p.found = pos, p.walk(pos)
	}
	return p.found
}

// walk walks down both halves to pos.
func (p *pair) walk(pos int) int {
	t, a, b := p.t, p.halves[0], p.halves[1]
	for a != pos {
		if t[a].C != t[b].C || t[a].X != t[b].X || t[a].C == term.Raw {
			return 0
		}
		for a, b = a+1, b+1; a+int(t[a].N) <= pos; {
			a, b = a+int(t[a].N), b+int(t[b].N)
		}
	}
	return b
}
