//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// changes lists the kids (fields or elements) in which a term differs from the
// parent. It has the first two only.
type changes struct {
	n   int // number of different kids; more than 2 means many
	pos [2]int
	to  [2]term.Term
}

func (c *changes) add(pos int, to term.Term) {
	if c.n < 2 {
		c.pos[c.n], c.to[c.n] = pos, to
	}
	c.n++
}

// changes finds the kids in which u differs from the subterm at pos. It finds none
// if the root nodes differ.
func (p *parent) changes(pos int, u term.Term) (c changes) {
	t := p.t
	if t[pos].C != u[0].C || t[pos].X != u[0].X || u[0].C == term.Raw {
		return c
	}
	if p.world.Of(u[0]).Kind == schema.Map {
		return p.mapChanges(pos, u)
	}
	for i, j := pos+1, 1; j < len(u) && c.n <= 2; {
		if a, b := t.Sub(i), u.Sub(j); !equal(a, b) {
			c.add(i, b)
		}
		i, j = i+int(t[i].N), j+int(u[j].N)
	}
	return c
}

// mapChanges is like changes, for maps. It matches entries by their keys. If one
// entry was removed and another with the same value was added, the key counts as
// changed.
func (p *parent) mapChanges(pos int, u term.Term) (c changes) {
	t, end := p.t, pos+len(p.t.Sub(pos))
	var gone, came changes // keys that were removed, and keys that were added
	var kept [2]term.Term  // the value of a removed key, and of an added key
	for i, j := pos+1, 1; i < end || j < len(u); {
		order := 0
		switch {
		case i >= end:
			order = 1
		case j >= len(u):
			order = -1
		default:
			order = p.world.Compare(t.Sub(i), u.Sub(j))
		}
		if order <= 0 {
			v := t.Sub(i + int(t[i].N))
			if order < 0 {
				gone.add(i, nil)
				kept[0] = v
			} else if w := u.Sub(j + int(u[j].N)); !equal(v, w) {
				c.add(i+int(t[i].N), w)
			}
			i += int(t[i].N) + len(v)
		}
		if order >= 0 {
			w := u.Sub(j + int(u[j].N))
			if order > 0 {
				came.add(0, u.Sub(j))
				kept[1] = w
			}
			j += int(u[j].N) + len(w)
		}
	}
	switch {
	case gone.n == 0:
	case gone.n == 1 && c.n == 0 && equal(kept[0], kept[1]):
		c.add(gone.pos[0], came.to[0])
	default:
		c.n = 3
	}
	return c
}
