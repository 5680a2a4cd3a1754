//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// guide follows a strategy. It decides which runs use plain fresh terms and which use
// terms of its line, the guided search.
type guide struct {
	strategy Strategy
	seed     uint64
	world    *schema.World
	setting  *Line // configuration of the line; nil if all terms are fresh
	line     *line // made when it is first needed; a bug that the burst of fresh terms at the start finds needs no line
	own      bool  // the current term comes from the line
	runs     int
	passes   int             // runs that passed
	passed   map[uint64]bool // hashes of terms that passed, up to climbEnough

	burstEnd, burstPassed int
	half                  *schema.Schema // schema of each half if the input is a pair, else nil
	twins                 term.Term

	literals func(*schema.Schema) []term.Term
	words    []string
	ask      func(term.Term) []operand.Compared
	forger   Forger
	asked    int
	log      func(Entry)
	inside   inside
}

func newGuide(c Config) *guide {
	s := *c.Strategy
	g := &guide{strategy: s, seed: c.Seed, world: c.World, burstEnd: s.Burst, ask: c.Compare, forger: c.Forger, log: c.Log}
	g.literals, g.words = c.Literals, c.Words
	g.half = half(c.World.Root)
	g.setting = s.Line
	if g.half != nil && s.Pair != nil {
		g.setting = s.Pair
	}
	return g
}

// start returns the line, or nil if the strategy has none. It makes the line first if
// necessary.
func (g *guide) start() *line {
	if g.line == nil && g.setting != nil {
		g.line = newLine(*g.setting, g)
	}
	return g.line
}

// next returns a term of the line, or nil if a plain fresh term is to be run.
func (g *guide) next(run uint64) term.Term {
	r := rng.At(g.seed+1, run)
	g.own = !(g.setting == nil || g.bursting() || g.dense() && r.Below(64) < g.plainShare())
	if !g.own {
		return nil
	}
	return g.fromLine(&r)
}

// The burst ends early if after sparseRuns runs fewer than one in sparseShare have
// passed, because then fresh terms will not find much.
const (
	sparseRuns  = 40
	sparseShare = 10
)

// bursting reports whether this run belongs to the burst of fresh terms at the start.
func (g *guide) bursting() bool {
	if g.runs == sparseRuns && sparseShare*g.burstPassed < sparseRuns {
		g.burstEnd = g.runs
	}
	return g.runs < g.burstEnd
}

// A property is dense if at least this share of the burst passed. For a dense property
// there is little to guide the search. A property with an encoder is never dense: all values that
// are encoded pass, and the search changes bytes too.
const denseShare = 0.9

func (g *guide) dense() bool {
	return g.forger == nil && g.strategy.Burst > 0 && float64(g.burstPassed) >= denseShare*float64(g.strategy.Burst)
}

func (g *guide) plainShare() int {
	if g.runs < g.strategy.EarlyRuns {
		return g.strategy.DenseEarly
	}
	return g.strategy.DenseLate
}

// done processes the verdict and the trace of a run.
func (g *guide) done(t term.Term, v Verdict, run trace.Run) {
	g.runs++
	if v == Passed {
		g.pass(t)
	}
	if g.own {
		g.line.done(t, v, run)
	} else if g.runs <= g.burstEnd && v == Passed {
		g.burstPassed++
	}
	if v == Failed {
		g.logFailed(t)
	}
}

// pass counts a term that passed.
func (g *guide) pass(t term.Term) {
	g.passes++
	if g.setting == nil || g.setting.Climb == 0 || len(g.passed) == climbEnough {
		return
	}
	if g.passed == nil {
		g.passed = map[uint64]bool{}
	}
	g.passed[term.Hash(t)] = true
}

// half returns the schema of the two halves if the input is a pair, else nil. A pair
// consists of two parts of one type that is not scalar.
func half(s *schema.Schema) *schema.Schema {
	switch s.Kind {
	case schema.Struct:
		if f := s.Ctors[0].Fields; len(f) == 2 && f[0].S.ID == f[1].S.ID && f[0].S.HasParts() {
			return f[0].S
		}
	case schema.Array:
		if s.Len == 2 && s.Elem.HasParts() {
			return s.Elem
		}
	}
	return nil
}

// plain makes a fresh term that does not belong to a line.
func (g *guide) plain(from *gen.Gen, r rng.Rand, size int) term.Term {
	return g.fresh(from, r.Split(), size, r.Below(64) < g.strategy.Twins)
}

// fresh generates a term of the given size. If twins is true and the input is a pair, it
// generates one half of that size and uses it twice.
func (g *guide) fresh(from *gen.Gen, r rng.Rand, size int, twins bool) term.Term {
	if g.half == nil || !twins {
		return from.Term(r.Split(), size)
	}
	return g.double(from.Part(r.Split(), g.half, size))
}

// double returns the pair in which both halves are h.
func (g *guide) double(h term.Term) term.Term {
	root := term.Node{S: g.world.Root.ID, N: uint32(1 + 2*len(h))}
	if g.world.Root.Kind == schema.Array {
		root.X = 2
	}
	g.twins = append(append(append(g.twins[:0], root), h...), h...)
	return g.twins
}
