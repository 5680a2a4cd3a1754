//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/value/term"
)

// passedChanges is the way passed: random changes of fresh terms that passed, whether or not their
// traces were new. Terms whose traces are rare come first. If the input is a pair, both halves are
// changed in the same way, and then one half is changed once more.
type passedChanges struct {
	quiet
	with   *shared
	pool   passedPool
	shaper novelty.Shaper
}

func newPassed(s *shared) way { return &passedChanges{with: s} }

func (p *passedChanges) propose(now *turn) (term.Term, origin) {
	t := p.pool.pick(&now.dice)
	if t == nil {
		return nil, origin{}
	}
	p.with.stock.dictionary.use(t, nil)
	change := p.with.changes.dice.Random
	if p.with.pairs.half != nil {
		change = p.with.changes.dice.Apart
	}
	u, ok := change(t, &now.dice)
	if !ok {
		return nil, origin{}
	}
	return u.Term, origin{how: howPassed, kind: u.Kind, key: u.Key}
}

func (p *passedChanges) learn(o *outcome) {
	if o.fresh() && o.passed() && !o.run.Long {
		p.pool.add(p.shaper.Of(o.run.Symbols), o.term)
	}
}

// passedPool holds fresh terms that passed, in classes. Terms are in the same class if
// their runs reached the same symbols, in any order and any number of times.
//
// Most fresh terms that pass take easy paths. Bugs are on paths that few terms reach, but
// such a path is new only once, so a search for new paths does not return to it. In the
// pool each class gets about as many changes as any other class, as long as fresh terms
// are added to it.
type passedPool struct {
	classes []*class
	by      map[uint64]*class // the same classes by shape
	made    int               // classes made so far, including dropped ones
}

type class struct {
	shape uint64
	terms []pooled
	spent int // number of changes made of its terms
}

type pooled struct {
	term  term.Term
	tries int // changes made
}

const (
	classMax   = 8    // maximum number of terms in a class; then a new term replaces the one changed most often
	classesMax = 1024 // maximum number of classes; then a new class replaces the oldest
	pooledMax  = 60   // maximum number of changes of a term: a small term has about so many places to change
	classDraws = 12   // pick draws so many classes and uses the one with the fewest changes
)

// add adds a fresh term that passed.
func (g *passedPool) add(shape uint64, t term.Term) {
	c := g.by[shape]
	if c == nil {
		c = g.class(shape)
	}
	if len(c.terms) < classMax {
		c.terms = append(c.terms, pooled{term: t.Clone()})
		return
	}
	most := &c.terms[0]
	for i := range c.terms {
		if c.terms[i].tries > most.tries {
			most = &c.terms[i]
		}
	}
	most.tries, most.term = 0, append(most.term[:0], t...)
}

// class adds a class. Its number of changes starts at half the number of another class.
// If the number started at zero, the new class would get all changes until it had caught
// up.
func (g *passedPool) class(shape uint64) *class {
	if g.by == nil {
		g.by = map[uint64]*class{}
	}
	c := &class{shape: shape}
	if n := len(g.classes); n > 0 {
		c.spent = g.classes[shape%uint64(n)].spent / 2
	}
	if len(g.classes) < classesMax {
		g.classes = append(g.classes, c)
	} else {
		at := g.made % classesMax
		delete(g.by, g.classes[at].shape)
		g.classes[at] = c
	}
	g.made++
	g.by[shape] = c
	return c
}

// pick returns a term to change, or nil if all terms that it drew have been changed
// pooledMax times.
func (g *passedPool) pick(r *rng.Rand) term.Term {
	if len(g.classes) == 0 {
		return nil
	}
	var least *class
	var pick *pooled
	for range classDraws {
		c := g.classes[r.Below(len(g.classes))]
		if least != nil && c.spent >= least.spent {
			continue
		}
		if t := &c.terms[r.Below(len(c.terms))]; t.tries < pooledMax {
			least, pick = c, t
		}
	}
	if least == nil {
		return nil
	}
	least.spent++
	pick.tries++
	return pick.term
}
