//go:build go1.25

package gen

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// patternedIn means that one term in patternedIn may contain patterns. Patterns are
// shapes that code branches on, and such a shape is often invalid: a check of
// red-black trees looks for a red node below a red node. So most terms have no
// patterns, and a property that needs valid input loses little. In the other terms
// patterns are as frequent as their odds say. docs/notes/distributions.md has
// measurements of other values.
const patternedIn = 4

// oddWays describes a schema that has patterns, or whose constructors are not all
// equally likely. It is used when a size is split among fields. A way is one
// possible choice at a node: a constructor or a pattern (see Schema.Ways).
type oddWays struct {
	odds []float64 // of each way: never negative, and 0 if it must not be chosen
	ways []oddWay
	even bool // all constructors are equally likely, so only the patterns matter
	must bool // all constructors have odds 0, so a pattern must be chosen
}

type oddWay struct {
	min, max int              // minimal and maximal number of cells
	holes    []*schema.Schema // of a pattern: the schema of each hole
	grows    int              // number of holes that can use more cells than their minimum
}

func oddOnes(w *schema.World) (all []*oddWays, some bool) {
	all = make([]*oddWays, len(w.Schemas))
	for i, s := range w.Schemas {
		if s.Odds == nil && len(s.Patterns) == 0 || s.Ways()-s.First() < 2 {
			continue
		}
		o := &oddWays{odds: make([]float64, s.Ways())}
		for k := range s.Ways() {
			switch {
			case k < s.First() || k >= s.Plain() && s.Patterns[k-s.Plain()].Shape == nil:
			case s.Odds == nil:
				o.odds[k] = 1
			case k < len(s.Odds) && s.Odds[k] > 0:
				o.odds[k] = s.Odds[k]
			}
			o.ways = append(o.ways, newOddWay(s, k))
		}
		most := slices.Max(o.odds[s.First():s.Plain()])
		o.even, o.must = most > 0 && most == slices.Min(o.odds[s.First():s.Plain()]), most == 0
		all[i], some = o, true
	}
	return all, some
}

func newOddWay(s *schema.Schema, k int) oddWay {
	switch {
	case k >= s.Plain():
		var o oddWay
		o.min, o.max = o.read(s, s.Patterns[k-s.Plain()].Shape)
		return o
	case len(s.Ctors) == 0:
		return oddWay{min: s.MinCells, max: s.MaxCells}
	}
	return oddWay{min: s.CtorCells(k), max: s.CtorCellsMax(k)}
}

// read collects the holes of a pattern and returns its minimal and maximal number
// of cells.
func (o *oddWay) read(s *schema.Schema, shape *schema.Shape) (least, most int) {
	if shape == nil {
		o.holes = append(o.holes, s)
		if s.Grows() {
			o.grows++
		}
		return s.MinCells, s.MaxCells
	}
	if len(s.Ctors) > 0 {
		least = s.Cost(shape.C)
		most = least
	}
	for i := range weight.Kids(s, shape) {
		t, kid := weight.Kid(s, shape, i)
		l, m := o.read(t, kid)
		cost := s.ElemCost(i) // a map entry counts at least 2 here, for key and value, which may be one cell too high
		least, most = min(least+max(cost, l), schema.Unbounded), min(most+max(cost, m), schema.Unbounded)
	}
	return least, most
}

// oddTerm does the work of the method term if the generator has odds, patterns, tags or
// a tally.
func (g *Gen) oddTerm(s *schema.Schema, n int) {
	if s.Tag != nil && !g.loose.tags && fills(s) {
		g.nonZero(s, s.Tag, n)
		return
	}
	g.free(s, n)
}

// free appends a term of s without regard to whether a tag requires that it is not zero.
func (g *Gen) free(s *schema.Schema, n int) {
	k := 0
	if o := g.odd[s.ID]; o != nil && !(o.even && g.plain) {
		k = g.oddPick(s, o, n)
	} else if len(s.Ctors) > 0 {
		k = g.pick(s, n)
	}
	if g.tally != nil {
		g.tally[s.ID][k]++
	}
	switch {
	case k >= s.Plain():
		g.pattern(s, k, n)
	case s.Kind == schema.Scalar:
		g.open(s, 0, g.scalar(s))
	case s.Kind == schema.String:
		g.text(s)
	case s.Kind == schema.Bytes:
		g.bytes(s)
	case s.Kind == schema.Block:
		g.block(s)
	case s.Kind == schema.Slice || s.Kind == schema.Map:
		g.list(s, n)
	case s.Kind == schema.Rule:
		g.rule(s, k, func() { g.fields(s, k, n) })
	default:
		at := g.open(s, k, uint64(s.Len)) // s.Len is 0 except for arrays
		if s.Kind == schema.Array {
			g.elems(s, s.Len, n)
		} else {
			g.fields(s, k, n)
		}
		g.seal(at)
	}
}

// oddPick is like pick, but follows the odds. Like pick, it prefers constructors that
// can use a budget of any size. For a pattern it is enough if it can use half of this
// budget, since otherwise a pattern without large holes could never be chosen.
func (g *Gen) oddPick(s *schema.Schema, o *oddWays, n int) int {
	if n > s.MinCells && s.MaxCells >= schema.Unbounded && !g.stop(n) && !g.ignores(s) {
		if k, ok := g.among(o, func(w *oddWay, pattern bool) bool {
			return w.min <= n && (w.max >= schema.Unbounded || pattern && 2*w.max >= n)
		}, s.Plain()); ok {
			return k
		}
	}
	n = max(n, s.MinCells)
	if k, ok := g.among(o, func(w *oddWay, _ bool) bool { return w.min <= n }, s.Plain()); ok {
		return k
	}
	// All ways that fit the budget have odds 0; use the smallest constructor anyway.
	least := s.First()
	for k := least; k < s.Plain(); k++ {
		if o.ways[k].min < o.ways[least].min {
			least = k
		}
	}
	return least
}

// among draws a way at random, according to the odds, from the ways for which the
// function will returns true. ok is false if there are none.
func (g *Gen) among(o *oddWays, will func(w *oddWay, pattern bool) bool, plain int) (way int, ok bool) {
	sum, last := 0.0, -1
	ways := o.ways
	if g.plain && !o.must {
		ways = ways[:plain]
	}
	for k := range ways {
		if o.odds[k] > 0 && will(&o.ways[k], k >= plain) {
			sum += o.odds[k]
			last = k
		}
	}
	if last < 0 {
		return 0, false
	}
	at := sum * float64(g.r.Uint64()>>11) / (1 << 53)
	for k := range ways {
		if o.odds[k] > 0 && will(&o.ways[k], k >= plain) {
			if at -= o.odds[k]; at < 0 {
				return k, true
			}
		}
	}
	return last, true
}

// pattern appends pattern k of s. It splits the cells of the budget that the pattern
// does not need among the pattern's holes.
func (g *Gen) pattern(s *schema.Schema, k, n int) {
	w := &g.odd[s.ID].ways[k]
	frame := len(g.shares)
	if extra := n - w.min; extra > 0 && w.grows > 0 {
		g.split(extra, w.grows)
	}
	end, next := len(g.shares), frame
	g.emit(s, s.Patterns[k-s.Plain()].Shape, func(t *schema.Schema) {
		share := t.MinCells
		if t.Grows() && next < end {
			share += g.shares[next]
			next++
			if room := share - t.MaxCells; room > 0 && next < end {
				share = t.MaxCells
				g.shares[next] += room
			}
		}
		g.term(t, share)
	})
	g.shares = g.shares[:frame]
}
