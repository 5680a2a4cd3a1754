//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
)

// climber is the way climb: changes of discarded terms that came further than others. As long as
// hardly any term passes, the search changes these, because it has nothing else to go by: each change
// that comes further still is a step towards a term that passes.
//
// A discarded term is held if its run took a new edge, stopped at a new symbol, or took an edge
// more often than any run before. If the input has texts, a short term is also held if its run
// took known branches that no run has taken together: a parser that is in the middle of a key
// takes the same branches as one in the middle of a value, but after others.
type climber struct {
	quiet
	with    *shared
	from    int             // run from which on it climbs; 0 means never
	far     []*climbing     // a new edge or a new last symbol
	often   []*climbing     // a known edge with a hit count in a new bucket
	mixed   []*climbing     // known branches that no run has taken together
	shapes  map[uint64]bool // shapes of discarded runs
	shaper  novelty.Shaper
	lasts   map[uint32]bool
	answers []term.Term // to be run: see answer
	first   int         // discarded terms that were held because they were the first
}

// howClimb is a change of a discarded term, while hardly any term passes.
var howClimb = named("climb")

func newClimb(s *shared) way {
	c := &climber{with: s, from: s.settings.Climb.From, shapes: map[uint64]bool{}, lasts: map[uint32]bool{}}
	if s.stock.text {
		c.from = s.settings.Climb.FromText
	}
	return c
}

// climbing is a discarded term, and what its run compares.
type climbing struct {
	term     term.Term
	asked    bool
	compared []operand.Compared
}

const (
	climbShare  = 100 // if at least one run in climbShare passes
	climbMost   = 48  // runs of 64 that climb while nothing has passed
	climbSome   = 32  // runs of 64 that climb later
	climbMax    = 1 << 10
	climbFirst  = 4  // a program without branches shows nothing new, so the first terms are held
	climbUnits  = 10 // how much larger than the least term a held term may be, for each new edge up to climbEdges
	climbEdges  = 4
	climbLatest = 16 // one parent in four is one of the latest
	climbDraws  = 4  // the others are the smallest of so many
	mixedShare  = 2  // of eight parents, so many are from mixed, and so many
	oftenShare  = 2  // from often
	shapesMax   = 1 << 14
	mixedUnits  = 3  // like climbUnits, for mixed
	answersMax  = 16 // of one text
)

// busy reports whether hardly any term passes.
func (c *climber) busy() bool {
	p := &c.with.progress
	return c.from > 0 && p.runs >= c.from && (len(p.passed) < climbEnough || p.passes*climbShare < p.runs)
}

// due decides whether the next run changes a discarded term.
func (c *climber) due(r *rng.Rand) bool {
	if !c.busy() {
		return false
	}
	share := climbSome
	if c.with.progress.passes == 0 {
		share = climbMost
	}
	return r.Below(64) < share
}

// learn holds a discarded term that came further.
func (c *climber) learn(o *outcome) {
	run, t := &o.run, o.term
	if c.from == 0 || o.verdict != Discarded || run.Long || len(c.with.progress.passed) >= climbEnough && !c.busy() {
		return
	}
	stopped := false
	if k := len(run.Symbols); k > 0 && !run.Set && !c.lasts[run.Symbols[k-1]] {
		c.lasts[run.Symbols[k-1]], stopped = true, true
	}
	if c.first < climbFirst {
		c.first++
		stopped = true
	}
	least := len(c.with.config.World.Root.Least)
	if len(t) > least+climbUnits*min(climbEdges, 1+o.news.Edges) {
		return
	}
	switch {
	case o.news.Edges > 0 || stopped:
		c.far = c.hold(c.far, t)
	case c.with.stock.text && len(t) <= least+mixedUnits && c.newShape(run.Symbols):
		c.mixed = c.hold(c.mixed, t)
	case o.news.Features > 0:
		c.often = c.hold(c.often, t)
	}
}

// newShape reports whether no discarded run has taken the same set of branches.
func (c *climber) newShape(symbols []uint32) bool {
	if len(c.shapes) >= shapesMax {
		return false
	}
	shape := c.shaper.Of(symbols)
	known := c.shapes[shape]
	c.shapes[shape] = true
	return !known
}

// hold adds a term to a pool. If the pool is full, the older half is dropped.
func (c *climber) hold(pool []*climbing, t term.Term) []*climbing {
	if len(pool) == climbMax {
		pool = append(pool[:0], pool[climbMax/2:]...)
	}
	own := t.Clone()
	c.with.stock.alphabet.collect(own)
	return append(pool, &climbing{term: own})
}

// pick returns a held term: mostly a small one or one of the latest.
func (c *climber) pick(r *rng.Rand) *climbing {
	pool := c.far
	switch d := r.Below(8); {
	case d < mixedShare && len(c.mixed) > 0:
		pool = c.mixed
	case (d < mixedShare+oftenShare || len(pool) == 0) && len(c.often) > 0:
		pool = c.often
	}
	if len(pool) == 0 {
		return nil
	}
	if r.OneIn(4) {
		return pool[len(pool)-1-r.Below(min(climbLatest, len(pool)))]
	}
	best := pool[r.Below(len(pool))]
	for range climbDraws - 1 {
		if other := pool[r.Below(len(pool))]; weight(other.term) < weight(best.term) {
			best = other
		}
	}
	return best
}

// weight is the size of a term in which a byte of text counts too.
func weight(t term.Term) (n int) {
	for pos := range t.Nodes() {
		if n += 16; t[pos].C == term.Raw {
			n += int(t[pos].X)
		}
	}
	return n
}

// propose returns a change of a discarded term, or of a term that passed, or nil if there is
// neither.
func (c *climber) propose(now *turn) (term.Term, origin) {
	r := &now.dice
	if !c.due(r) {
		return nil, origin{}
	}
	if t := c.answered(r); t != nil {
		return t, origin{how: howClimb}
	}
	if k := c.somePassed(r); k != nil && r.OneIn(2) {
		c.with.stock.know(k)
		return c.with.changes.another(k.term(), k.compared, r), origin{how: howClimb}
	}
	x := c.pick(r)
	if x == nil {
		return nil, origin{}
	}
	if !x.asked && c.with.stock.mayAsk() {
		x.asked, x.compared = true, c.with.stock.compare(x.term)
		c.answer(x)
	}
	return c.with.changes.another(x.term, x.compared, r), origin{how: howClimb}
}

// answer notes the terms in which a part of a text is replaced by what it was compared with.
// The comparisons at the end of a run come first, because they are the ones that a discarded
// term has failed.
func (c *climber) answer(x *climbing) {
	late := slices.Clone(x.compared)
	slices.Reverse(late)
	for pos := range x.term.Nodes() {
		if x.term[pos].C != term.Raw {
			continue
		}
		of := c.with.config.World.Of(x.term[pos])
		for _, t := range slices.Backward(operand.Candidates(of, x.term.Sub(pos), late, answersMax)) {
			c.answers = append(c.answers, term.Replace(nil, x.term, pos, t))
		}
	}
	if n := len(c.answers); n > climbMax {
		c.answers = append(c.answers[:0], c.answers[n-climbMax:]...)
	}
}

// answered returns an answer that has not been run, half of the time if there is one.
func (c *climber) answered(r *rng.Rand) term.Term {
	for len(c.answers) > 0 && r.OneIn(2) {
		t := c.answers[len(c.answers)-1]
		c.answers = c.answers[:len(c.answers)-1]
		if c.with.changes.first(t) {
			return t
		}
	}
	return nil
}

// somePassed returns a kept term that passed, or nil.
func (c *climber) somePassed(r *rng.Rand) *kept {
	all := c.with.corpus.terms
	if len(all) == 0 || c.with.progress.passes == 0 {
		return nil
	}
	for range climbDraws {
		if k := all[r.Below(len(all))]; k.passed {
			return k
		}
	}
	return nil
}
