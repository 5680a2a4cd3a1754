//go:build go1.25

package gen

import (
	"math/bits"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/weight"
)

// This file contains the second way to generate a term: constructors are chosen by
// their odds alone, and terms are at most World.Depth levels deep. Package weight
// can predict and tune the resulting distribution, which is impossible if a size is
// split among the fields. The price is that the size has no bound.

// DepthUnits limits terms whose odds would let them grow without bound. In a term
// that has more than this many units (4 MB), all further choices are made as at
// level 0, where terms end. The predictions of package weight do not hold for such
// terms.
const DepthUnits = 1 << 18

// deep contains what is needed to choose constructors by their odds. A way is one
// possible choice: a constructor or a pattern.
type deep struct {
	plan  *weight.Plan
	above []alias // by schema: the distribution of its ways above level 0
	last  []alias // by schema: the distribution of its ways at level 0
	ends  []bool  // by schema: whether it is a list that must be empty at level 0
}

func newDeep(w *schema.World) *deep {
	d := &deep{plan: weight.NewPlan(w)}
	for _, s := range w.Schemas {
		d.above = append(d.above, newAlias(d.plan.Odds(s, false)))
		d.last = append(d.last, newAlias(d.plan.Odds(s, true)))
		d.ends = append(d.ends, d.plan.Recursive(s))
	}
	return d
}

// Observe makes the generator count how often it chooses each constructor and each
// pattern from now on. It returns the counts by schema, in the order of Schema.Odds;
// Term and Part update them. The counts cannot be read from the terms: in a term, a
// pattern looks like the constructors that it consists of, and map entries with
// equal keys have been merged.
func (g *Gen) Observe() [][]int {
	g.tally, g.picky = make([][]int, len(g.world.Schemas)), true
	for i, s := range g.world.Schemas {
		g.tally[i] = make([]int, s.Ways())
	}
	return g.tally
}

// deep appends a term of s with at most the given number of levels.
func (g *Gen) deep(s *schema.Schema, level int) {
	d := g.levels
	if len(g.out) > DepthUnits {
		level = 0
	}
	table := &d.above[s.ID]
	if level == 0 {
		table = &d.last[s.ID]
	}
	k := 0
	if len(table.keep) > 1 {
		k = table.draw(&g.r)
	} else if len(table.keep) == 1 {
		k = table.first
	}
	if g.tally != nil {
		g.tally[s.ID][k]++
	}
	switch {
	case k >= s.Plain():
		g.emit(s, s.Patterns[k-s.Plain()].Shape, func(t *schema.Schema) {
			g.deep(t, max(0, level-d.plan.HoleStep(s, t)))
		})
	case s.Kind == schema.Scalar:
		g.open(s, 0, g.scalar(s))
	case s.Kind == schema.String:
		g.text(s)
	case s.Kind == schema.Bytes:
		g.bytes(s)
	case s.Kind == schema.Block:
		g.block(s)
	case s.IsList():
		g.deepList(s, level)
	case s.Kind == schema.Rule:
		g.rule(s, k, func() { g.deepFields(s, k, level) })
	default:
		at := g.open(s, k, 0)
		g.deepFields(s, k, level)
		g.seal(at)
	}
}

func (g *Gen) deepFields(s *schema.Schema, k, level int) {
	for i := range s.Ctors[k].Fields {
		g.deep(s.Ctors[k].Fields[i].S, max(0, level-g.levels.plan.Step(s, k, i)))
	}
}

func (g *Gen) deepList(s *schema.Schema, level int) {
	length, c := s.Len, 0
	if s.LenMax > 0 {
		length, c = s.LenMin+g.r.Below(weight.LenRoom(s)+1), 1
	} else if s.Kind != schema.Array {
		if g.r.OneIn(weight.NilOneIn) {
			g.open(s, s.Empty(), 0)
			return
		}
		length, c = 0, 1
		if level > 0 || !g.levels.ends[s.ID] {
			length = g.r.Below(weight.LenMax + 1)
		}
	}
	at := g.open(s, c, uint64(length))
	plan := g.levels.plan
	for range length {
		if s.Kind == schema.Map {
			g.deep(s.Key, max(0, level-plan.Step(s, 0, 0)))
			g.deep(s.Elem, max(0, level-plan.Step(s, 0, 1)))
		} else {
			g.deep(s.Elem, max(0, level-plan.Step(s, 0, 0)))
		}
	}
	g.seal(at)
	if s.Kind == schema.Map {
		g.out = append(g.out[:at], g.world.SortEntries(g.out[at:])...)
	}
}

// emit appends a pattern. It calls fill to append the content of each hole.
func (g *Gen) emit(s *schema.Schema, shape *schema.Shape, fill func(*schema.Schema)) {
	if shape == nil {
		fill(s)
		return
	}
	var at int
	switch s.Kind {
	case schema.Scalar:
		g.open(s, 0, shape.X)
		return
	case schema.String:
		g.out = term.AppendRaw(g.out, s.ID, shape.Text)
		return
	case schema.Bytes:
		if shape.Text == "" && shape.C == 0 {
			g.open(s, 0, 0)
		} else {
			g.out = term.AppendRaw(g.out, s.ID, shape.Text)
		}
		return
	case schema.Block:
		g.blockLike(s, shape)
		return
	case schema.Slice:
		at = g.open(s, max(shape.C, min(1, len(shape.Fields))), uint64(len(shape.Fields)))
	case schema.Map:
		at = g.open(s, max(shape.C, min(1, len(shape.Fields))), uint64(len(shape.Fields)/2))
	case schema.Array:
		at = g.open(s, 0, uint64(s.Len))
	default:
		at = g.open(s, shape.C, 0)
	}
	for i := range weight.Kids(s, shape) {
		t, kid := weight.Kid(s, shape, i)
		g.emit(t, kid, fill)
	}
	g.seal(at)
	if s.Kind == schema.Map && len(shape.Fields) > 0 {
		g.out = append(g.out[:at], g.world.SortEntries(g.out[at:])...)
	}
}

// alias draws from a fixed distribution in constant time, by the alias method of
// Walker and Vose. There is an entry for each outcome. Draws hit all entries equally
// often; each entry keeps a part of its draws and passes the rest to one other
// entry.
type alias struct {
	keep  []uint64 // by entry: how many of 2^64 draws it keeps
	to    []int    // by entry: the entry that gets the rest of its draws
	ways  []int    // by entry: its outcome, an index into Schema.Odds
	first int
}

// newAlias prepares draws with the given probabilities. Outcomes with probability 0
// get no entry.
func newAlias(odds []float64) alias {
	var a alias
	var share []float64
	for k, p := range odds {
		if p > 0 {
			a.ways = append(a.ways, k)
			share = append(share, p)
		}
	}
	n := len(a.ways)
	a.keep, a.to = make([]uint64, n), make([]int, n)
	var poor, rich []int
	for i := range share {
		share[i] *= float64(n)
		a.keep[i], a.to[i] = 1<<64-1, i
		if share[i] < 1 {
			poor = append(poor, i)
		} else {
			rich = append(rich, i)
		}
	}
	for len(poor) > 0 && len(rich) > 0 {
		p, r := poor[len(poor)-1], rich[len(rich)-1]
		poor = poor[:len(poor)-1]
		a.keep[p], a.to[p] = uint64(share[p]*(1<<63))<<1, r
		if share[r] -= 1 - share[p]; share[r] < 1 {
			rich = rich[:len(rich)-1]
			poor = append(poor, r)
		}
	}
	if n > 0 {
		a.first = a.ways[0]
	}
	return a
}

// draw multiplies a random fraction by the number of entries. The integer part of
// the product is the entry, and its fraction decides between the entry and its
// alias.
func (a *alias) draw(r *rng.Rand) int {
	i, rest := bits.Mul64(r.Uint64(), uint64(len(a.keep)))
	if rest > a.keep[i] {
		i = uint64(a.to[i])
	}
	return a.ways[i]
}
