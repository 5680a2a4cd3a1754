package campaign

import (
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/ops/proc"
)

// workers is the workers of one property. The suite says which of them may run.
type workers struct {
	run     func(i int) (Result, error) // has a worker search until its end
	stopped func() bool                 // no worker needs to begin any more
	relay   *exchange.Relay             // nil if there is one worker at most

	mu     sync.Mutex
	all    []worker
	active int
	open   bool          // workers may begin
	over   chan struct{} // closed when no worker is left
}

// worker searches in one process after the other.
type worker struct {
	allowed bool // to run: it holds a cpu
	begun   bool
	waits   bool       // without a process
	evict   bool       // its process was asked to make room
	slot    *proc.Slot // of its process
	before  proc.Seen  // runs of its processes that have exited
	result  Result
	err     error
}

// size is how many workers there may be.
func (w *workers) size() int { return len(w.all) }

// start lets the workers begin that may run, now or later, and reports false if there
// are none: the search was stopped before.
func (w *workers) start() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = true
	for i := range w.all {
		w.begin(i)
	}
	return w.active > 0
}

// begin starts a worker that may run, unless the search is not ready or over. The
// first begins anyway, and waits: its turn may have ended while the search got ready.
// The caller holds mu.
func (w *workers) begin(i int) {
	one := &w.all[i]
	if !w.open || one.begun || !one.allowed && i > 0 || w.stopped() {
		return
	}
	if w.active > 0 {
		if err := w.relay.Start(); err != nil {
			one.err = err
			return
		}
	}
	one.begun = true
	w.active++
	go func() {
		r, err := w.run(i)
		w.end(i, r, err)
	}()
}

// end takes the result of a worker.
func (w *workers) end(i int, r Result, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	one.result, one.err, one.waits = r, err, true
	if w.active--; w.active == 0 {
		w.open = false
		close(w.over)
	}
}

// results waits until all workers have ended.
func (w *workers) results() (results []Result, err error) {
	<-w.over
	for i := range w.all {
		if w.all[i].err != nil {
			return nil, w.all[i].err
		}
		if w.all[i].begun {
			results = append(results, w.all[i].result)
		}
	}
	return results, nil
}

// grant lets a worker run: it goes on or, if it has not begun, begins.
func (w *workers) grant(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	if one.allowed = true; one.slot != nil {
		one.slot.Pause(false)
	}
	w.begin(i)
}

// revoke has a worker rest after its current run.
func (w *workers) revoke(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	if one.allowed = false; one.slot != nil {
		one.slot.Pause(true)
	}
}

// resting reports whether a worker that may not run does nothing: a finding is dealt
// with first.
func (w *workers) resting(i int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	return one.waits || one.slot != nil && one.slot.Look().Resting
}

// enter waits until a worker may run, and reports false if ended says that it is too
// late.
func (w *workers) enter(i int, ended func() bool) bool {
	for !ended() {
		w.mu.Lock()
		allowed := w.all[i].allowed
		w.all[i].waits = !allowed
		w.mu.Unlock()
		if allowed {
			return true
		}
		time.Sleep(turnLooks)
	}
	return false
}

// attach gives a worker the slot of its process.
func (w *workers) attach(i int, slot *proc.Slot) {
	w.relay.Attach(i, slot)
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	one.slot, one.evict = slot, false
	slot.Pause(!one.allowed)
}

// detach takes the slot back and adds the runs of the process.
func (w *workers) detach(i int, seen proc.Seen) {
	w.relay.Attach(i, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	one.slot, one.before = nil, plus(one.before, seen)
}

// live is how many processes there are, and whether all of them rest.
func (w *workers) live() (n int, resting bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	resting = true
	for i := range w.all {
		if s := w.all[i].slot; s != nil {
			n++
			resting = resting && s.Look().Resting
		}
	}
	return n, resting && n > 0
}

// evictAll asks the processes to make room.
func (w *workers) evictAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.all {
		if one := &w.all[i]; one.slot != nil {
			one.evict = true
			one.slot.Stop()
		}
	}
}

// evicted reports whether the last process of a worker was asked to make room.
func (w *workers) evicted(i int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all[i].evict
}

// seen is the counts of all runs so far.
func (w *workers) seen() (sum proc.Seen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.all {
		one := w.all[i].before
		if slot := w.all[i].slot; slot != nil {
			one = plus(one, slot.Look().Seen)
		}
		sum = plus(sum, one)
	}
	return sum
}

// plus adds runs up. Of what is known, the most that one process knows counts.
func plus(a, b proc.Seen) proc.Seen {
	return proc.Seen{
		Passed: a.Passed + b.Passed, Discarded: a.Discarded + b.Discarded,
		Paths: max(a.Paths, b.Paths), Features: max(a.Features, b.Features), Kept: max(a.Kept, b.Kept),
	}
}
