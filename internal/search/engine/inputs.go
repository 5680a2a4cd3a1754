//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Inputs describes the terms that passed, so that a Check can say whether it has tested anything: how many
// were different, which parts never varied, and how many were not trivial.
type Inputs struct {
	world    *schema.World
	counts   *Counts
	distinct distinct
	steady   steady
	least    int  // minimum number of cells of a term that is not trivial
	most     int  // bound of the cells of a term
	flat     bool // no term has any cells
	whole    bool // every term of the type is tried
}

// A term is not trivial if it has at least richCells cells more than the smallest term of
// its type. With three cells, a tree has a shape and a list has an order.
const richCells = 3

func newInputs(c *Config, counts *Counts, n *numbered) Inputs {
	root := c.World.Root
	return Inputs{world: c.World, counts: counts, steady: newSteady(c.World),
		least: root.MinCells + richCells, most: n.gen.Bound(c.Size), flat: root.MaxCells == 0, whole: n.all > 0}
}

// pass looks at a term that passed.
func (in *Inputs) pass(t term.Term) {
	if len(in.steady.parts) > 0 {
		in.steady.pass(t)
	}
	if in.counts.Distinct < DistinctMax {
		in.count(t)
	}
}

// count counts a term that passed, unless enough distinct terms are known.
func (in *Inputs) count(t term.Term) {
	if in.counts.Distinct >= DistinctMax || !in.distinct.add(t) {
		return
	}
	if in.counts.Distinct++; sampled(in.counts.Distinct) {
		in.distinct.few = append(in.distinct.few, t.Clone())
	}
}

// weigh counts a term that passed if it is not trivial.
func (in *Inputs) weigh(t term.Term) {
	cells := in.world.Cells(t)
	in.counts.Largest = max(in.counts.Largest, cells)
	if cells >= in.least {
		in.counts.Rich++
	}
}

// IsRich reports whether a term with this many cells is not trivial. If all terms of the type
// are trivial, none counts as trivial.
func (in *Inputs) IsRich(cells int) bool { return cells >= in.least || !in.CanBeRich() }

// CanBeRich reports whether terms of this type and size can be non-trivial.
func (in *Inputs) CanBeRich() bool { return in.world.Root.MaxCells >= in.least && in.most >= in.least }

// AtLeast reports whether there may be more distinct terms than Distinct says.
func (in *Inputs) AtLeast() bool {
	return in.counts.Distinct >= DistinctMax || in.distinct.offered > distinctEach
}

// Same returns the term of all passed runs, if all of them had terms for the same value.
// equal compares the values of terms; it is called for types with builders, which may return
// the same value for different arguments, or with declared values, which may be equal. If there
// are many distinct terms, only a sample of them is compared.
func (in *Inputs) Same(equal func(x, y term.Term) bool) (x term.Term, same bool) {
	sample, w := in.distinct.few, in.world
	if len(sample) == 0 {
		return nil, false
	}
	x = sample[0]
	for _, y := range sample[1:] {
		if !term.Equal(w.Canonical(x), w.Canonical(y)) && !(w.Alike() && equal(x, y)) {
			return nil, false
		}
	}
	return x, true
}

// Steady returns the declared parts that had the same value in all runs that passed, although
// their declarations allow more than one value. If a part is declared for this property alone,
// it is also returned if no term that passed had it.
func (in *Inputs) Steady() (all []Steady) {
	if in.whole {
		return nil
	}
	for _, p := range in.steady.parts {
		switch {
		case p.runs >= steadyMin:
			all = append(all, Steady{p.Declared, p.value, p.runs})
		case p.value == nil && p.Local && in.steady.runs >= steadyMin:
			all = append(all, Steady{p.Declared, nil, in.steady.runs})
		}
	}
	return all
}
