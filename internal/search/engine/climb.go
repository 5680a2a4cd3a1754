//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// climber holds discarded terms that came further than others. As long as hardly any term
// passes, the search changes these, because it has nothing else to go by: each change that
// comes further still is a step towards a term that passes.
//
// A discarded term is held if its run took a new edge, stopped at a new symbol, or took an edge
// more often than any run before. If the input has texts, a short term is also held if its run
// took known branches that no run has taken together: a parser that is in the middle of a key
// takes the same branches as one in the middle of a value, but after others.
type climber struct {
	far     []*climbing     // a new edge or a new last symbol
	often   []*climbing     // a known edge with a hit count in a new bucket
	mixed   []*climbing     // known branches that no run has taken together
	shapes  map[uint64]bool // shapes of discarded runs
	lasts   map[uint32]bool
	answers []term.Term // to be run: see answer
	first   int         // discarded terms that were held because they were the first
}

// climbing is a discarded term, and what its run compares.
type climbing struct {
	term     term.Term
	asked    bool
	compared []operand.Compared
}

const (
	climbEnough = 64  // with so many different terms that pass, the search has what it needs,
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

// climbs reports whether hardly any term passes.
func (l *line) climbs() bool {
	g := l.guide
	return l.Climb > 0 && g.runs >= l.Climb && (len(g.passed) < climbEnough || g.passes*climbShare < g.runs)
}

// climbsNext decides whether the next run changes a discarded term.
func (l *line) climbsNext(r *rng.Rand) bool {
	if !l.climbs() {
		return false
	}
	share := climbSome
	if l.guide.passes == 0 {
		share = climbMost
	}
	return r.Below(64) < share
}

// note holds a discarded term that came further.
func (l *line) note(t term.Term, v Verdict, run trace.Run, n news) {
	c := &l.climber
	if l.Climb == 0 || v != Discarded || run.Long || len(l.guide.passed) >= climbEnough && !l.climbs() {
		return
	}
	stopped := false
	if k := len(run.Symbols); k > 0 && !run.Set && !c.lasts[run.Symbols[k-1]] {
		if c.lasts == nil {
			c.lasts = map[uint32]bool{}
		}
		c.lasts[run.Symbols[k-1]], stopped = true, true
	}
	if c.first < climbFirst {
		c.first++
		stopped = true
	}
	if len(t) > len(l.world.Root.Least)+climbUnits*min(climbEdges, 1+n.Edges) {
		return
	}
	switch {
	case n.Edges > 0 || stopped:
		c.far = l.hold(c.far, t)
	case l.text && len(t) <= len(l.world.Root.Least)+mixedUnits && l.newShape(run):
		c.mixed = l.hold(c.mixed, t)
	case n.Features > 0:
		c.often = l.hold(c.often, t)
	}
}

// newShape reports whether no discarded run has taken the same set of branches.
func (l *line) newShape(run trace.Run) bool {
	c := &l.climber
	if len(c.shapes) >= shapesMax {
		return false
	}
	if c.shapes == nil {
		c.shapes = map[uint64]bool{}
	}
	shape := l.shaper.Of(run.Symbols)
	known := c.shapes[shape]
	c.shapes[shape] = true
	return !known
}

// hold adds a term to a pool. If the pool is full, the older half is dropped.
func (l *line) hold(pool []*climbing, t term.Term) []*climbing {
	if len(pool) == climbMax {
		pool = append(pool[:0], pool[climbMax/2:]...)
	}
	own := t.Clone()
	l.alphabet.collect(own)
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
		if other := pool[r.Below(len(pool))]; size(other.term) < size(best.term) {
			best = other
		}
	}
	return best
}

// size is the size of a term in which a byte of text counts too.
func size(t term.Term) (n int) {
	for pos := range t.Nodes() {
		if n += 16; t[pos].C == term.Raw {
			n += int(t[pos].X)
		}
	}
	return n
}

// climb returns a change of a discarded term, or of a term that passed, or nil if there is
// neither.
func (l *line) climb(r *rng.Rand) term.Term {
	if t := l.due(r); t != nil {
		return t
	}
	var parent term.Term
	var compared []operand.Compared
	if k := l.somePassed(r); k != nil && r.OneIn(2) {
		if k.unasked {
			k.unasked, k.compared = false, l.guide.compare(k.batch.Parent())
		}
		parent, compared = k.batch.Parent(), k.compared
	} else if c := l.climber.pick(r); c != nil {
		if !c.asked && l.guide.mayAsk() {
			c.asked, c.compared = true, l.guide.compare(c.term)
			l.answer(c)
		}
		parent, compared = c.term, c.compared
	} else {
		return nil
	}
	l.from = origin{how: climbed}
	l.dictionary.use(parent, compared)
	var t term.Term
	for range redraws {
		t = l.dice.Havoc(parent, steps(r), r)
		if l.first(t) {
			break
		}
	}
	return t
}

// answer notes the terms in which a part of a text is replaced by what it was compared with.
// The comparisons at the end of a run come first, because they are the ones that a discarded
// term has failed.
func (l *line) answer(c *climbing) {
	late := slices.Clone(c.compared)
	slices.Reverse(late)
	for pos := range c.term.Nodes() {
		if c.term[pos].C != term.Raw {
			continue
		}
		for _, t := range slices.Backward(operand.Candidates(l.world.Of(c.term[pos]), c.term.Sub(pos), late, answersMax)) {
			l.climber.answers = append(l.climber.answers, term.Replace(nil, c.term, pos, t))
		}
	}
	if n := len(l.climber.answers); n > climbMax {
		l.climber.answers = append(l.climber.answers[:0], l.climber.answers[n-climbMax:]...)
	}
}

// due returns an answer that has not been run, half of the time if there is one.
func (l *line) due(r *rng.Rand) term.Term {
	c := &l.climber
	for len(c.answers) > 0 && r.OneIn(2) {
		t := c.answers[len(c.answers)-1]
		c.answers = c.answers[:len(c.answers)-1]
		if l.first(t) {
			l.from = origin{how: climbed}
			return t
		}
	}
	return nil
}

// somePassed returns a kept term that passed, or nil.
func (l *line) somePassed(r *rng.Rand) *kept {
	if len(l.corpus) == 0 || l.guide.passes == 0 {
		return nil
	}
	for range climbDraws {
		if k := l.corpus[r.Below(len(l.corpus))]; k.passed {
			return k
		}
	}
	return nil
}
