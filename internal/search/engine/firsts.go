//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/term"
)

// firsts is the way firsts: the first changes of a term whose run has taken a new edge, at once. In a large program,
// thousands of kept terms wait for their changes, and a term that has just reached new code would wait behind them.
// Its parts are nested in themselves first, because such changes are few, and no other change makes them soon. Then
// half of its changes are the next one-step changes, and half are random.
//
// The latest such term comes first, and a change of it that takes a new edge comes before it. A term with a long run gets
// fewer changes, and is not nested in itself, which takes longer still.
type firsts struct {
	quiet
	with  *shared
	kept  int             // terms, since the search started over
	most  int             // changes of a term, beside the nests
	young []young         // the latest last
	nest  *mutate.Mutator // makes the nests
	mut   *mutate.Mutator // goes on with the batches of kept terms
}

// young is a term with changes that are due.
type young struct {
	of    *kept
	nests mutate.Batch
	flat  bool // no nests are made
	left  int  // changes that are due
}

// youngMax is how many terms can wait for their first changes. The way batches changes the others.
const youngMax = 64

func newFirsts(s *shared) way {
	c := s.settings.Mutants
	f := &firsts{with: s, most: s.settings.Firsts.Changes, mut: s.changes.mutator(c)}
	c.Kinds = mutate.Nested
	f.nest = s.changes.mutator(c)
	return f
}

func (f *firsts) ready() bool { return len(f.young) > 0 }

func (f *firsts) propose(now *turn) (term.Term, origin) {
	if len(f.young) == 0 {
		return nil, origin{}
	}
	y := &f.young[len(f.young)-1]
	for !y.flat {
		u, ok := f.nest.Next(&y.nests)
		if y.flat = !ok; ok && f.with.changes.first(u.Term) {
			return u.Term, origin{how: howMutant, parent: y.of, kind: u.Kind, key: u.Key}
		}
	}
	k := y.of
	if y.left--; y.left <= 0 {
		f.young = f.young[:len(f.young)-1]
	}
	if now.dice.OneIn(2) {
		if t, from := f.with.changes.next(k, f.mut); t != nil {
			return t, from
		}
	}
	return f.with.changes.havoc(k, &now.dice)
}

func (f *firsts) keep(k *kept, _ trace.Run) {
	f.kept++
	news := k.passed && k.edges && !k.given && f.with.log.peak.rose // a log that was emptied knows no edges
	if !news || f.kept < f.with.settings.Firsts.Kept || f.with.isRaw(k.term()) {
		return
	}
	if len(f.young) == youngMax {
		copy(f.young, f.young[1:])
		f.young = f.young[:youngMax-1]
	}
	times := f.with.log.pace.dear(k.steps)
	f.young = append(f.young, young{k, f.nest.Batch(k.term(), 0), times > 1, int(int64(f.most) / times)})
}

func (f *firsts) restart() { f.young, f.kept = f.young[:0], 0 }
