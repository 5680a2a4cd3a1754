package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// grace holds fresh terms that passed, in classes: those of one class did the same
// things, in whatever order and however often.
//
// Most fresh terms that pass do what is easy. What few reach is where the bugs are,
// but none of it is new after the first time, so a search for what is new does not
// look at it again. Here each class gets about as many changes as any other, as
// long as fresh terms bring something to change.
type grace struct {
	classes []*class
	by      map[uint64]*class // by shape
	made    int               // classes, ever
}

type class struct {
	shape uint64
	terms []graced
	spent int // changes of its terms
}

type graced struct {
	term  term.Term
	tries int // changes
}

const (
	classMax   = 8    // terms; a new one takes the place of the one tried most
	classesMax = 1024 // beyond it the oldest goes
	gracedMax  = 60   // changes of a term: about as many as a small one has places
	classDraws = 12   // classes looked at for the one with the fewest changes
)

// add takes a fresh term that passed.
func (g *grace) add(shape uint64, t term.Term) {
	c := g.by[shape]
	if c == nil {
		c = g.class(shape)
	}
	if len(c.terms) < classMax {
		c.terms = append(c.terms, graced{term: t.Clone()})
		return
	}
	most := &c.terms[0]
	for i := range c.terms {
		if c.terms[i].tries > most.tries {
			most = &c.terms[i]
		}
	}
	most.tries, most.term = 0, append(most.term[:0], t...)
}

// class makes one. It begins with half of what another has had, or it would get
// all until it has caught up.
func (g *grace) class(shape uint64) *class {
	if g.by == nil {
		g.by = map[uint64]*class{}
	}
	c := &class{shape: shape}
	if n := len(g.classes); n > 0 {
		c.spent = g.classes[shape%uint64(n)].spent / 2
	}
	if len(g.classes) < classesMax {
		g.classes = append(g.classes, c)
	} else {
		at := g.made % classesMax
		delete(g.by, g.classes[at].shape)
		g.classes[at] = c
	}
	g.made++
	g.by[shape] = c
	return c
}

// pick gives a term to change, or nothing if all have been changed enough.
func (g *grace) pick(r *rng.Rand) term.Term {
	if len(g.classes) == 0 {
		return nil
	}
	var least *class
	var pick *graced
	for range classDraws {
		c := g.classes[r.Below(len(g.classes))]
		if least != nil && c.spent >= least.spent {
			continue
		}
		if t := &c.terms[r.Below(len(c.terms))]; t.tries < gracedMax {
			least, pick = c, t
		}
	}
	if least == nil {
		return nil
	}
	least.spent++
	pick.tries++
	return pick.term
}
