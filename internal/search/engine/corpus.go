//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/value/term"
)

// corpus is the latest kept terms, and terms of other searches: those of which ways make random
// changes.
type corpus struct {
	terms  []*kept
	others int       // terms of other searches that showed something new
	seeds  []planted // terms of the user, which are kept again when the search starts over
}

// corpusMax is the maximum number of terms in a corpus.
const corpusMax = 1 << 10

// add adds the nth term of its kind. If the corpus is full, the term replaces an older one.
func (c *corpus) add(k *kept, n int) {
	if len(c.terms) < corpusMax {
		c.terms = append(c.terms, k)
	} else {
		c.terms[n%corpusMax] = k
	}
}

// draw returns any of the terms, or nil if there are none.
func (c *corpus) draw(r *rng.Rand) *kept {
	if len(c.terms) == 0 {
		return nil
	}
	return c.terms[r.Below(len(c.terms))]
}

// addSeed adds a term of the user.
func (c *corpus) addSeed(s planted) {
	if len(c.seeds) < seedsMax {
		c.seeds = append(c.seeds, s)
	}
}

// clear drops all terms but the seeds.
func (c *corpus) clear() { c.terms = c.terms[:0] }

// planted is a term from the user or from an earlier search, with the result of its run.
type planted struct {
	term   term.Term
	passed bool
	length int
	prio   int
	kept   bool // the term is from an earlier search; there are many such terms, so their comparisons are requested later
}

// seedsMax is how many terms of the user are kept again when the search starts over.
const seedsMax = 256

// favourites is the kept terms that have killed faults: small deliberate changes of the program.
// A search can be guided by faults too. A term whose run kills a fault that no earlier run killed is
// kept, even if its trace is not new, and it is favoured. This is algorithm 2 of the Mu2 paper. Which
// faults are run is decided elsewhere: the engine only gets to know how many faults a run has killed.
//
// Half of the mutants from the queue, and half of the terms that havoc changes, are those of
// favoured terms. A search without faults has no favoured terms, and does exactly what it
// would do without them.
type favourites struct {
	queue   queue.Queue[*kept]
	terms   []*kept // the latest ones, for havoc
	killers int     // how many there were
}

// queueMax is the maximum number of kept terms in a queue.
const queueMax = 1 << 13

// favouredMax is how many favoured terms havoc takes its terms from.
const favouredMax = 256

// add favours a kept term. Small terms come first.
func (f *favourites) add(k *kept) {
	f.queue.Push(k, len(k.term()))
	if len(f.terms) < favouredMax {
		f.terms = append(f.terms, k)
	} else {
		f.terms[f.killers%favouredMax] = k
	}
	f.killers++
}

func (f *favourites) clear() {
	f.queue.Clear()
	f.terms, f.killers = nil, 0
}
