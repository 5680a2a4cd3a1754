//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// copies is the way copies: a number or text of a term is replaced by one from another place of the same term. If that
// is good for something, the pair of fields gets credit: see fits.
type copies struct {
	quiet
	with   *shared
	fits   *fits
	failed discards

	now    fieldPair // of the current term
	before bool      // its parent passed

	out, sub term.Term
}

// howCopy is a term with a number or text from another place.
var howCopy = named("copy")

const (
	copyDraws = 8 // of so many copies, the one of the pair with the most credit is made

	// If less than one copy in copyRare does any good, one turn in copyRare/8 is enough to notice when that changes.
	copyRare = 64
)

func newCopies(s *shared) way {
	s.fits = newFits(s.config.World)
	return &copies{with: s, fits: s.fits}
}

// propose changes a discarded term or a kept one.
func (c *copies) propose(now *turn) (term.Term, origin) {
	r := &now.dice
	if all := &c.fits.copies; all.tries > copyRare && all.good*copyRare < all.tries && !r.OneIn(copyRare/8) {
		return nil, origin{}
	}
	from := origin{how: howCopy}
	t := c.failed.pick(r)
	c.before = false
	if t == nil || r.OneIn(2) {
		k := c.with.corpus.draw(r)
		if k == nil {
			return nil, origin{}
		}
		t, from.parent, c.before = k.term(), k, k.passed
	}
	if len(t) > copyUnits {
		return nil, origin{}
	}
	if t = c.copy(t, r); t == nil || !c.with.changes.first(t) {
		return nil, origin{}
	}
	return t, from
}

// copy returns t with one copied number or text, or nil. In a discarded term, all values of the field are replaced:
// a program that calls two functions passes if both are declared.
func (c *copies) copy(t term.Term, r *rng.Rand) term.Term {
	all := c.fits.slots.Slots(t)
	if len(all) < 2 {
		return nil
	}
	var to, from int
	best := -1
	for range copyDraws {
		a, b := &all[r.Below(len(all))], &all[r.Below(len(all))]
		if a.Fixed || a.Pos == b.Pos || len(c.fits.slots.Copied(c.sub[:0], t, a.Pos, b.Pos)) == 0 {
			continue
		}
		pair := fieldPair{a.Field, b.Field}
		if credit := c.fits.credit(pair) + r.Below(64); credit > best {
			best, to, from, c.now = credit, a.Pos, b.Pos, pair
		}
	}
	switch {
	case best < 0:
		return nil
	case !c.before:
		return c.fits.try(t, c.now, r)
	}
	c.sub = c.fits.slots.Copied(c.sub[:0], t, to, from)
	c.out = term.Replace(c.out, t, to, c.sub)
	return c.out
}

func (c *copies) learn(o *outcome) {
	if o.from.how == howCopy {
		c.fits.add(c.now, o.passed() && !c.before || o.news.Edges > 0 && c.with.log.peak.rose)
	}
	if o.from.repair != unrepaired {
		c.fits.did(&o.from, o.passed() || o.news.Edges > 0 && c.with.log.peak.rose)
	}
	if o.verdict == Discarded && !o.run.Long && (o.fresh() || o.from.how == howHavoc) && len(o.term) <= copyUnits {
		c.failed.add(o.term)
	}
}

// discards holds the latest discarded terms.
type discards struct {
	terms []term.Term
	next  int
}

const discardsMax = 64

func (d *discards) add(t term.Term) {
	if len(d.terms) < discardsMax {
		d.terms = append(d.terms, t.Clone())
		return
	}
	d.terms[d.next] = append(d.terms[d.next][:0], t...)
	d.next = (d.next + 1) % discardsMax
}

func (d *discards) pick(r *rng.Rand) term.Term {
	if len(d.terms) == 0 {
		return nil
	}
	return d.terms[r.Below(len(d.terms))]
}
