package gen

import (
	"math/bits"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/weight"
)

// The other way to make a term: constructors are chosen by their odds alone, at
// most World.Depth levels deep. What comes out is known beforehand (package
// weight) and can be tuned, which the split of a size cannot; what is lost is the
// bound of the size.

// DepthUnits is where odds that let terms grow without end are stopped: from
// there on all is at level 0, and no prediction holds. A term of 4 MB is larger than any property wants.
const DepthUnits = 1 << 18

// deep is what choosing by odds needs to know.
type deep struct {
	plan  *weight.Plan
	above []alias // by schema: chances of its ways
	last  []alias // the same at level 0
	ends  []bool  // by schema: a list that is empty at level 0
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

// Observe makes the generator count how often it chooses each way to begin a
// term, by schema and in the order of Schema.Odds, from now on. A term does not
// tell a pattern from constructors that happen to look like it, and entries of
// maps that were merged are gone from it.
func (g *Gen) Observe() [][]int {
	g.tally, g.picky = make([][]int, len(g.world.Schemas)), true
	for i, s := range g.world.Schemas {
		g.tally[i] = make([]int, s.Ways())
	}
	return g.tally
}

// deep appends a term of s at a level.
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
	case s.IsList():
		g.deepList(s, level)
	default:
		at := g.open(s, k, 0)
		for i := range s.Ctors[k].Fields {
			g.deep(s.Ctors[k].Fields[i].S, max(0, level-d.plan.Step(s, k, i)))
		}
		g.seal(at)
	}
}

func (g *Gen) deepList(s *schema.Schema, level int) {
	length, c := s.Len, 0
	if s.Kind != schema.Array {
		if g.r.OneIn(weight.NilOneIn) {
			g.open(s, 0, 0)
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

// emit appends a pattern; fill appends what goes into a hole.
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

// alias draws from a fixed distribution in constant time, by the method of Walker
// and Vose: each of n places keeps a part of its draws and hands the others to
// one other place.
type alias struct {
	keep  []uint64 // of 2^64 draws of a place, so many are its own
	to    []int    // who gets the others
	ways  []int    // what the places stand for
	first int
}

// newAlias leaves out what has no chance.
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

// draw takes one random number: the whole part of its n-fold is the place, the
// rest says whose draw it is.
func (a *alias) draw(r *rng.Rand) int {
	i, rest := bits.Mul64(r.Uint64(), uint64(len(a.keep)))
	if rest > a.keep[i] {
		i = uint64(a.to[i])
	}
	return a.ways[i]
}
