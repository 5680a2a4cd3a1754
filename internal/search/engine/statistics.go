//go:build go1.25

package engine

import (
	"math/bits"

	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/value/mutate"
)

// statistics counts the runs of a guided search by how their terms were made, and what became of the terms that it
// kept. Report shows them. The counts by outcome, which every search has, are in Counts.
type statistics struct {
	kinds                         []kindCount // by how, and then mutants by their kind
	kept, whole, bounded, dropped int
	overflown                     int // how many of the dropped terms were dropped because a queue was full
}

// kindCount counts the runs of terms of one kind.
type kindCount struct {
	tried, news int
	by          [Failed + 1]int // by verdict
}

// add counts a run.
func (s *statistics) add(f *origin, v Verdict, news bool) {
	if s.kinds == nil {
		s.kinds = make([]kindCount, len(hows)+len(mutate.Names()))
	}
	k := &s.kinds[f.how]
	if f.how == howMutant {
		k = &s.kinds[len(hows)+kindIndex(f.kind)]
	}
	k.tried++
	k.by[v]++
	if news {
		k.news++
	}
}

// kindIndex returns the index of a kind in mutate.Names.
func kindIndex(k mutate.Kind) int { return bits.Len16(uint16(k)) - 1 }

// spent counts a kept term that has no mutants left.
func (s *statistics) spent(k *kept) {
	if k.counted || !k.batch.Exhausted() {
		return
	}
	k.counted = true
	if k.batch.TooLarge+k.batch.WaysCut == 0 {
		s.whole++
	} else {
		s.bounded++
	}
}

// full is called with the result of queue.Queue.Push. If gaveUp is true, it counts the kept term
// that the full queue dropped in favour of another.
func (s *statistics) full(gaveUp bool) {
	if gaveUp {
		s.dropped++
		s.overflown++
	}
}

// gone counts the kept terms of a queue that is about to be emptied.
func (s *statistics) gone(q *queue.Queue[*kept]) { s.dropped += q.Len() }
