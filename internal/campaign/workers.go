//go:build go1.25

package campaign

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/proc"
)

// workers is the workers of one property. The suite decides which of them may run.
type workers struct {
	run     func(i int) (Result, error) // runs a worker until its search is over
	stopped func() bool                 // reports whether the search was stopped, so that no more workers begin
	relay   *exchange.Relay             // nil if there is nobody to share with
	past    past

	mu     sync.Mutex
	all    []worker
	active int
	open   bool          // workers may begin
	over   chan struct{} // closed when the last worker has ended
}

// past is what the corpus had before this campaign. A process that starts later also finds there what others have added
// since.
type past struct {
	inputs atomic.Int64 // number of saved inputs; 0 with Fresh
	runs   int          // number of runs
}

// worker searches in one process after the other.
type worker struct {
	allowed bool // it holds a cpu, so it may run
	begun   bool
	waits   bool       // it has no process: it waits for a cpu, or has ended
	evict   bool       // its process was asked to exit, to make room for others
	slot    *proc.Slot // of its process; nil without a process
	before  proc.Seen  // counts of runs in its processes that have exited
	result  Result
	err     error
}

// size returns the maximal number of workers.
func (w *workers) size() int { return len(w.all) }

// start lets workers begin as soon as they may run. It returns false if the search was
// stopped before any worker could begin.
func (w *workers) start() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = true
	for i := range w.all {
		w.begin(i)
	}
	return w.active > 0
}

// begin starts a worker that may run, unless the search is not ready yet, or over. The
// first worker begins even if it may not run, and waits: its turn may have ended while
// the search was being prepared. The caller holds mu.
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

// end stores the result of a worker.
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

// results waits until all workers have ended and returns their results.
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

// grant lets a worker run: it continues or, if it has not begun, begins.
func (w *workers) grant(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	if one.allowed = true; one.slot != nil {
		one.slot.Pause(false)
	}
	w.begin(i)
}

// revoke asks a worker to rest after its current run.
func (w *workers) revoke(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	if one.allowed = false; one.slot != nil {
		one.slot.Pause(true)
	}
}

// resting reports whether a worker that was asked to rest does so now. A worker that has
// a finding handles the finding before it rests.
func (w *workers) resting(i int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	return one.waits || one.slot != nil && one.slot.Look().Resting
}

// enter waits until a worker may run. It returns false if the search ends first, which
// ended reports.
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

// attach sets the slot of a worker's new process.
func (w *workers) attach(i int, slot *proc.Slot) {
	w.relay.Attach(i, slot)
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	one.slot, one.evict = slot, false
	slot.Pause(!one.allowed)
}

// detach removes the slot of a process that has exited, and adds the counts of its runs
// to those of the worker.
func (w *workers) detach(i int, seen proc.Seen) {
	w.relay.Attach(i, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &w.all[i]
	one.slot, one.before = nil, plus(one.before, seen)
}

// live returns how many processes the workers have, and whether all of these processes
// rest.
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

// evictAll asks all processes to exit, to make room for others.
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

// evicted reports whether the last process of a worker was asked to exit by evictAll.
func (w *workers) evicted(i int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all[i].evict
}

// seen returns the counts of all runs so far.
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
	sum.Replayed = w.ofEarlier(sum.Replayed)
	return sum
}

// ofEarlier returns how many of the saved inputs that a process has run again are of earlier campaigns. The
// others were saved by another worker, or by a process that has died.
func (w *workers) ofEarlier(resumed int) int { return min(resumed, int(w.past.inputs.Load())) }

// plus adds the counts of two processes. For paths, features, and kept, distinct and saved
// inputs it returns the larger count, because many of them are the same in both processes.
func plus(a, b proc.Seen) proc.Seen {
	return proc.Seen{
		Passed: a.Passed + b.Passed, Discarded: a.Discarded + b.Discarded,
		Paths: max(a.Paths, b.Paths), Features: max(a.Features, b.Features), Kept: max(a.Kept, b.Kept),
		Distinct: max(a.Distinct, b.Distinct), Replayed: max(a.Replayed, b.Replayed),
	}
}
