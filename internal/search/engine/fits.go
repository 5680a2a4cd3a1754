//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/slot"
	"github.com/allele-go/allele/internal/value/term"
)

// fits is what a search has learnt about fields whose values fit each other: the name in a call is that of a function
// which is declared, and an index is smaller than a length. QuickFuzz (section 4.3) repairs the names of programs; here
// the pairs of fields are learnt, for any type. If a copy from one field to another makes a discarded term pass, or
// shows a new edge, the pair gets credit. In fresh and changed terms, fields take values from those that they have
// credit with, as long as such terms do better than others.
type fits struct {
	slots  *slot.Filler
	pairs  map[fieldPair]*tally
	of     map[slot.Field][]slot.Field // the fields that a field takes values from, as learnt
	copies tally                       // of all pairs
	arms   [2][2]tally                 // of fresh and other terms, left alone and repaired
	only   [1]slot.Field
}

// fieldPair is a field, and the one that it takes a value from.
type fieldPair struct{ to, from slot.Field }

const (
	pairsMax   = 1 << 14 // maximum number of pairs with a tally
	creditGood = 3       // a pair has credit if at least so many copies were good
	creditRare = 16      // and one in so many
	repairsMax = 16      // of one term
	creditNew  = 128     // credit of a pair that was never tried
	copyUnits  = 1 << 9  // a term with more units is not changed in this way
)

func newFits(w *schema.World) *fits {
	return &fits{slots: slot.New(w), pairs: map[fieldPair]*tally{}, of: map[slot.Field][]slot.Field{}}
}

// credit returns how good copies of a pair were, from 0 to 64. Pairs that were hardly tried have more.
func (f *fits) credit(p fieldPair) int {
	t := f.pairs[p]
	if t == nil {
		return creditNew
	}
	return 64*(t.good+1)/(t.tries+2) + max(0, creditNew-16*t.tries)
}

// add records whether a copy was good.
func (f *fits) add(p fieldPair, good bool) {
	f.copies.add(good)
	t := f.pairs[p]
	if t == nil {
		if len(f.pairs) == pairsMax {
			clear(f.pairs)
			clear(f.of)
		}
		t = &tally{}
		f.pairs[p] = t
	}
	t.add(good)
	has := slices.Index(f.of[p.to], p.from)
	switch is := t.good >= creditGood && t.good*creditRare >= t.tries; {
	case is && has < 0:
		f.of[p.to] = append(f.of[p.to], p.from)
	case !is && has >= 0:
		f.of[p.to] = slices.Delete(f.of[p.to], has, has+1)
	}
}

// did records how the run of a term ended that could be repaired.
func (f *fits) did(o *origin, good bool) { f.armsOf(o.how)[o.repair-leftAlone].add(good) }

func (f *fits) armsOf(h how) *[2]tally {
	if h == howFresh {
		return &f.arms[0]
	}
	return &f.arms[1]
}

// repair returns a term in which the values of some fields are those of fields that they fit, or the term itself.
func (f *fits) repair(t term.Term, h how, r *rng.Rand) (term.Term, repair) {
	if f == nil || len(f.of) == 0 && !f.slots.Any() || len(t) > copyUnits {
		return t, unrepaired
	}
	u := f.slots.Fill(t, repairsMax, f.sources, r)
	if u == nil {
		return t, unrepaired
	}
	arms := f.armsOf(h)
	a, b := weightOf(&arms[0]), weightOf(&arms[1])
	if r.Below(a+b) < a {
		return t, leftAlone
	}
	return u, repaired
}

// sources returns the fields that a field takes its values from, as declared or as learnt.
func (f *fits) sources(to slot.Field) []slot.Field {
	if all := f.slots.Declared(to); all != nil {
		return all
	}
	return f.of[to]
}

// try returns a term in which all values of a field are those of another one, or nil if there is nothing to do.
func (f *fits) try(t term.Term, p fieldPair, r *rng.Rand) term.Term {
	f.only[0] = p.from
	return f.slots.Fill(t, repairsMax, func(to slot.Field) []slot.Field {
		if to == p.to {
			return f.only[:]
		}
		return nil
	}, r)
}

func weightOf(t *tally) int {
	w := 1 + 64*(t.good+1)/(t.tries+2)
	return w * w
}
