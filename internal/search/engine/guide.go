package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// guide follows a strategy: it shares the runs out among its lines.
type guide struct {
	strategy Strategy
	seed     uint64
	world    *schema.World
	lines    []*line
	now      *line // whose term is being run; nil for a plain fresh one
	runs     int

	burstPassed int
	shares      []float64        // of the lines
	credits     []float64        // how many runs each is owed
	all         novelty.Features // what kept terms of all lines have shown; never reset
	half        *schema.Schema   // of a pair
	twins       term.Term
}

func newGuide(s Strategy, w *schema.World, seed uint64) *guide {
	g := &guide{strategy: s, seed: seed, world: w}
	g.all.BytesMax = logBytes
	g.half = half(w.Root)
	for _, c := range s.Lines {
		l := newLine(c, g, w)
		g.lines = append(g.lines, l)
		g.shares = append(g.shares, 1/float64(len(s.Lines)))
		g.credits = append(g.credits, 0)
	}
	return g
}

// next makes a term, or gives none if a plain fresh one is to be run.
func (g *guide) next(run uint64) term.Term {
	r := rng.At(g.seed+1, run)
	g.now = nil
	switch {
	case len(g.lines) == 0 || g.runs < g.strategy.Burst:
		return nil
	case g.dense() && r.Below(64) < g.plainShare():
		return nil
	}
	g.now = g.choose()
	return g.now.next(&r)
}

// denseShare of the burst has passed if there is little to be guided by.
const denseShare = 0.9

func (g *guide) dense() bool {
	return g.strategy.Burst > 0 && float64(g.burstPassed) >= denseShare*float64(g.strategy.Burst)
}

func (g *guide) plainShare() int {
	if g.runs < g.strategy.EarlyRuns {
		return g.strategy.DenseEarly
	}
	return g.strategy.DenseLate
}

// choose picks the line whose turn it is.
func (g *guide) choose() *line {
	most := 0
	for i, share := range g.shares {
		if g.credits[i] += share; g.credits[i] > g.credits[most] {
			most = i
		}
	}
	g.credits[most]--
	return g.lines[most]
}

// done takes what a run has shown.
func (g *guide) done(t term.Term, v Verdict, run trace.Run) {
	g.runs++
	if g.now == nil {
		if g.runs <= g.strategy.Burst && v == Passed {
			g.burstPassed++
		}
		return
	}
	if g.now.done(t, v, run) && g.strategy.FloorShare > 0 {
		g.now.news += g.learn(run)
	}
	if g.runs%learnEvery == 0 && g.strategy.FloorShare > 0 {
		g.shift()
	}
}

// learnEvery is after how many runs the shares of the lines are looked at.
const learnEvery = 512

// learn is how much that no line has seen before a run has shown.
func (g *guide) learn(run trace.Run) int {
	var n novelty.News
	if run.Set {
		n = g.all.AddSet(run.Symbols)
	} else {
		n = g.all.Add(run.Symbols)
	}
	if n.Set {
		return n.Features + 1
	}
	return n.Features
}

// shift moves runs to the lines that found more for their work: work, not time,
// so that a seed gives the same search again.
func (g *guide) shift() {
	gains, sum := make([]float64, len(g.lines)), 0.0
	for i, l := range g.lines {
		gains[i] = (float64(l.news) + 0.5) / float64(l.work+1)
		sum += gains[i]
		l.news, l.work = 0, 0
	}
	floor, total := float64(g.strategy.FloorShare)/64, 0.0
	for i := range g.shares {
		g.shares[i] = max((3*g.shares[i]+gains[i]/sum)/4, floor)
		total += g.shares[i]
	}
	for i := range g.shares {
		g.shares[i] /= total
	}
}

// half is the type of both halves of an input that is a pair, or nil.
func half(s *schema.Schema) *schema.Schema {
	switch s.Kind {
	case schema.Struct:
		if f := s.Ctors[0].Fields; len(f) == 2 && f[0].S.ID == f[1].S.ID && f[0].S.Grows() {
			return f[0].S
		}
	case schema.Array:
		if s.Len == 2 && s.Elem.Grows() {
			return s.Elem
		}
	}
	return nil
}

// fresh makes a term of a size. The halves of a pair are equal as often as the
// strategy says, and then each has that size.
func (g *guide) fresh(from *gen.Gen, r rng.Rand, size int) term.Term {
	if g.half == nil || r.Below(64) >= g.strategy.Twins {
		return from.Term(r.Split(), size)
	}
	return g.double(from.Part(r.Split(), g.half, size))
}

// double makes a pair of equal halves.
func (g *guide) double(h term.Term) term.Term {
	root := term.Node{S: g.world.Root.ID, N: uint32(1 + 2*len(h))}
	if g.world.Root.Kind == schema.Array {
		root.X = 2
	}
	g.twins = append(append(append(g.twins[:0], root), h...), h...)
	return g.twins
}
