//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// numbered makes terms from the numbers of their runs. They do not depend on earlier runs, so they can
// be made again.
type numbered struct {
	world *schema.World
	seed  rng.Source
	gen   *gen.Gen
	all   uint64 // number of terms of the input type if every one is tried, else 0
	most  int    // size of the largest terms
	// cells is the size of the next fresh term. It cycles from 1 to most, because
	// small terms satisfy preconditions more often and run faster, large terms reach
	// further, and a search that is stopped early has tried all sizes.
	cells, step int
	few         int // see gen.Gen
}

// If the input type has at most allMax terms, and no more than Config.Tests, every term
// is tried. For a type with more terms, random terms of all sizes find bugs sooner.
const allMax = 1 << 20

func newNumbered(c *Config) numbered {
	n := numbered{world: c.World, seed: rng.From(c.Seed), most: c.Size}
	if all := c.World.Root.Count; c.Forger == nil && all <= uint64(min(c.Tests, allMax)) {
		n.all = all
	}
	// If there are fewer tests than sizes, the size grows in larger steps, so that the
	// largest size is still reached.
	n.step = max(1, min(c.Size, (c.Size+max(1, c.Tests)-1)/max(1, c.Tests)))
	if c.Strategy != nil {
		n.few = c.Strategy.Plain.Few
	}
	n.gen = n.generator()
	return n
}

// generator returns a generator with memory of its own. Small terms have numbers up to the largest size
// too; otherwise all their numbers would be equal.
func (n *numbered) generator() *gen.Gen {
	g := gen.New(n.world)
	g.Reach, g.Few = n.most, n.few
	return g
}

// after returns the size of the term after one of this size.
func (n *numbered) after(cells int) int {
	if cells += n.step; cells > n.most {
		cells = 1 + cells%n.most%n.step
	}
	return cells
}

// make returns the term of a run. The run before it had the number before.
func (n *numbered) make(run uint64) term.Term { return n.with(n.gen, run, n.cells) }

// with makes the term of a run with a generator.
func (n *numbered) with(g *gen.Gen, run uint64, size int) term.Term {
	if n.all > 0 {
		return g.Nth(run)
	}
	return g.Term(n.seed.Run(run), size)
}

// again makes the term of a run once more, in memory of its own.
func (n *numbered) again(run uint64, size int) term.Term {
	return n.with(n.generator(), run, size).Clone()
}
