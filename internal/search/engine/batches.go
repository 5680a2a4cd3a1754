//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// batches is the way batches: all one-step changes of a kept term in turn, then those of the next.
// Small terms come first, or large ones, in turns.
type batches struct {
	quiet
	with   *shared
	large  int // of 64 runs, how many change the largest term
	queues [5]*queue.Queue[*kept]
}

// The queues of kept terms. lateQueue has terms with deferred changes (see places.go and
// balance.go).
// Terms in largeQueue and in favouredQueue are in passedQueue too.
const (
	passedQueue = iota
	discardedQueue
	lateQueue
	largeQueue
	favouredQueue
)

func newBatches(s *shared) way {
	b := &batches{with: s, large: s.settings.Batches.Large}
	for i := range b.queues {
		b.queues[i] = &queue.Queue[*kept]{Max: queueMax}
	}
	b.queues[favouredQueue] = &s.favoured.queue
	return b
}

var (
	smallFirst = [...]int{passedQueue, discardedQueue, lateQueue}
	largeFirst = [...]int{largeQueue, passedQueue, discardedQueue, lateQueue}
	// A text has thousands of changes, so the queue of passed terms would never become empty.
	discardedFirst = [...]int{discardedQueue, passedQueue, lateQueue}
	favouredFirst  = [...]int{favouredQueue, passedQueue, discardedQueue, lateQueue}
)

// propose returns the next mutant of the best term in the queues, or nil if the queues
// are exhausted.
func (b *batches) propose(now *turn) (term.Term, origin) {
	order, mut := smallFirst[:], b.with.changes.mut
	if b.large > 0 && now.dice.Below(64) < b.large {
		order, mut = largeFirst[:], b.with.changes.big
	}
	if b.with.stock.text && b.queues[discardedQueue].Len() > 0 && now.dice.OneIn(4) {
		order, mut = discardedFirst[:], b.with.changes.mut
	}
	if b.queues[favouredQueue].Len() > 0 && now.dice.OneIn(2) {
		order, mut = favouredFirst[:], b.with.changes.mut
	}
	for _, i := range order {
		q := b.queues[i]
		for q.Len() > 0 {
			k := q.Top()
			if t, from := b.with.changes.next(k, mut); t != nil {
				return t, from
			}
			q.Drop()
			if k.batch.Deferred() && i != largeQueue && i != favouredQueue {
				k.batch.Revive()
				k.late = true
				b.with.counts.full(b.queues[lateQueue].Push(k, k.prio))
			}
		}
	}
	b.with.log.peak.emptied = true
	return nil, origin{}
}

// In the priority of large terms, one new edge counts as much as newEdgesFirst nodes.
const newEdgesFirst = 1000

func (b *batches) keep(k *kept, _ trace.Run) {
	b.bound()
	switch {
	case b.with.isRaw(k.term()): // see encoder.go
	case k.passed:
		b.with.counts.full(b.queues[passedQueue].Push(k, k.prio))
		if b.large > 0 {
			b.queues[largeQueue].Push(k, newEdgesFirst*min(0, k.prio)-len(k.term()))
		}
	default:
		b.with.counts.full(b.queues[discardedQueue].Push(k, k.prio))
	}
}

// waitingMin is how many terms may wait in a queue whatever the number of runs.
const waitingMin = 256

// bound limits the queues to what can be worked off.
func (b *batches) bound() {
	of := b.with.settings.Batches.Waiting
	if of == 0 {
		return
	}
	most := min(queueMax, max(waitingMin, b.with.progress.runs*of/1000))
	for _, q := range b.queues {
		q.Max = most
	}
}

// busy reports whether there is a change to make.
func (b *batches) busy() bool { return b.queues[passedQueue].Len()+b.queues[discardedQueue].Len() > 0 }

// forget drops the deferred changes.
func (b *batches) forget() {
	b.with.counts.gone(b.queues[lateQueue])
	b.queues[lateQueue].Clear()
}

func (b *batches) restart() {
	for _, i := range []int{passedQueue, discardedQueue} {
		b.with.counts.gone(b.queues[i])
		b.queues[i].Clear()
	}
	b.queues[largeQueue].Clear() // not counted as gone: its terms were in passedQueue too
}

// share returns the average share of the places of the terms in the queues where all changes were tried.
func (b *batches) share() (sum float64) {
	n := 0
	for _, q := range b.queues[:largeQueue] {
		for k := range q.All() {
			if !k.counted {
				sum += k.batch.Share()
				n++
			}
		}
	}
	return sum / float64(max(1, n))
}
