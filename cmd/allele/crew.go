package main

import (
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// crew is the processes that search for one property together. Each has a seat, and
// whoever shares out the time of the machine says which seats may run.
type crew struct {
	*campaign
	property property
	folder   string
	keeps    bool            // what is new goes to the folder
	hash     string          // of the binary
	workers  int             // most
	relay    *exchange.Relay // nil if there is one worker at most
	company  company         // asked to stop when one has come to an end for all

	mu       sync.Mutex
	seats    []seat
	active   int // workers
	findings int // so far
	open     bool
	over     chan struct{} // closed when no worker is left
}

// seat is the place of a worker.
type seat struct {
	may    bool // run
	begun  bool
	waits  bool       // without a process
	evict  bool       // its process was asked to make room
	slot   *proc.Slot // of its process
	before proc.Seen  // what came of those that are over
	result result
	err    error
}

// workersMost bounds the processes of a property; more do not find more on one machine.
const workersMost = 256

func (c *campaign) newCrew(p property, workers int) *crew {
	if !c.guided() {
		workers = 1
	}
	k := &crew{campaign: c, property: p, workers: workers, seats: make([]seat, workers), over: make(chan struct{})}
	k.company.hear = k.hear
	return k
}

// search runs a property from beginning to end.
func (k *crew) search() (r result, err error) {
	start := time.Now()
	defer func() { r.Seconds = time.Since(start).Seconds() }()
	if err = k.prepare(&r); err != nil || r.failed && !k.keepGoing {
		return r, err
	}
	if r, err = k.run(); err != nil {
		return r, err
	}
	if r.Verdict == event.Passed && r.Spawned > 0 && k.keeps && !k.campaign.stopped() {
		r.Seconds = time.Since(start).Seconds()
		err = k.several(&r)
	}
	if k.found() > 0 && (!r.failed || r.Verdict == event.Aborted) {
		r.failed, r.Verdict = true, event.Failed // before, after, or in a process that is gone
	}
	return r, err
}

// hear takes what a process tells while it is under way.
func (k *crew) hear(e event.Event) {
	if e.Kind == event.Found || e.Kind == event.Flaky {
		k.tellFound(e)
	}
}

// tellFound tells of a finding. Unless the search goes on behind it, what there is to
// read comes with the end of the property.
func (k *crew) tellFound(e event.Event) {
	k.mu.Lock()
	if e.Verdict != "" { // or it is known
		k.findings++
	}
	if !k.keepGoing {
		k.findings = min(1, k.findings) // others came to theirs at the same time
		e.Text = ""
	}
	e.Failures = k.findings
	k.mu.Unlock()
	k.tell(k.property, e)
}

// found is how many findings there were.
func (k *crew) found() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.findings
}

// live is how many processes there are, and whether all of them rest.
func (k *crew) live() (n int, resting bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	resting = true
	for i := range k.seats {
		if s := k.seats[i].slot; s != nil {
			n++
			resting = resting && s.Look().Resting
		}
	}
	return n, resting && n > 0
}

// evictAll asks the processes to make room.
func (k *crew) evictAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.seats {
		if s := &k.seats[i]; s.slot != nil {
			s.evict = true
			s.slot.Stop()
		}
	}
}

// grant lets a seat run: its worker goes on or, if there is none yet, begins.
func (k *crew) grant(i int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := &k.seats[i]
	if s.may = true; s.slot != nil {
		s.slot.Pause(false)
	}
	k.begin(i)
}

// begin starts the worker of a seat that may run, unless the crew is not ready or
// over. The first begins anyway, and waits: its turn may have ended while the crew got
// ready. The caller holds mu.
func (k *crew) begin(i int) {
	s := &k.seats[i]
	if !k.open || s.begun || !s.may && i > 0 || k.stopped() {
		return
	}
	if k.active > 0 {
		if err := k.relay.Start(); err != nil {
			s.err = err
			return
		}
	}
	s.begun = true
	k.active++
	go func() {
		r, err := k.worker(i)
		k.end(i, r, err)
	}()
}

// revoke has a seat rest after its present run.
func (k *crew) revoke(i int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := &k.seats[i]
	if s.may = false; s.slot != nil {
		s.slot.Pause(true)
	}
}

// atRest reports whether nothing is done at a seat that may not run: a finding is
// dealt with first.
func (k *crew) atRest(i int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := &k.seats[i]
	return s.waits || s.slot != nil && s.slot.Look().Resting
}

// enter waits until a seat may run, and reports false if it is too late.
func (k *crew) enter(i int) bool {
	for !k.stopped() && !k.late() {
		k.mu.Lock()
		s := &k.seats[i]
		if s.may {
			s.waits = false
			k.mu.Unlock()
			return true
		}
		s.waits = true
		k.mu.Unlock()
		time.Sleep(turnLooks)
	}
	return false
}

// sit gives the process of a seat its slot; nil when it is over, with what came of it.
func (k *crew) sit(i int, slot *proc.Slot, came proc.Seen) {
	k.relay.Attach(i, slot)
	k.mu.Lock()
	defer k.mu.Unlock()
	s := &k.seats[i]
	if s.slot = slot; slot != nil {
		slot.Pause(!s.may)
		s.evict = false
		return
	}
	s.before = plus(s.before, came)
}

func plus(a, b proc.Seen) proc.Seen {
	return proc.Seen{Passed: a.Passed + b.Passed, Discarded: a.Discarded + b.Discarded, Paths: max(a.Paths, b.Paths), Features: max(a.Features, b.Features), Kept: max(a.Kept, b.Kept)}
}

// now is what came of all runs of the crew so far.
func (k *crew) now() (sum proc.Seen) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.seats {
		s := &k.seats[i]
		one := s.before
		if s.slot != nil {
			one = plus(one, s.slot.Look().Seen)
		}
		sum = plus(sum, one)
	}
	return sum
}

// end takes what came of a worker. If it came to an end for all, the others need not
// go on.
func (k *crew) end(i int, r result, err error) {
	if err != nil || r.failed && r.Verdict != event.Vacuous || r.State == event.Exhausted {
		k.company.stop()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seats[i].result, k.seats[i].err, k.seats[i].waits = r, err, true
	if k.active--; k.active == 0 {
		k.open = false
		close(k.over)
	}
}

// run has the workers search whose seats may run, now or later, and puts together
// what came of it.
func (k *crew) run() (r result, err error) {
	if k.workers > 1 {
		if k.relay, err = exchange.NewRelay(k.temp, k.workers); err != nil {
			return r, err
		}
		defer k.relay.Close()
	}
	k.mu.Lock()
	k.open = true
	for i := range k.seats {
		k.begin(i)
	}
	idle := k.active == 0
	k.mu.Unlock()
	if idle { // it was stopped before it began
		return result{Event: event.Event{Verdict: event.Aborted}}, k.seats[0].err
	}
	<-k.over
	var results []result
	for _, s := range k.seats {
		if s.err != nil {
			return r, s.err
		}
		if s.begun {
			results = append(results, s.result)
		}
	}
	return together(results), nil
}

func (k *crew) stopped() bool { return k.company.asked() > 0 || k.campaign.stopped() }

// job is what a worker is to do.
func (k *crew) job(worker int, first, careful bool) *job.Job {
	j := k.searchJob(k.property, first, careful)
	if k.keeps {
		j.Corpus, j.Program.Hash = k.folder, k.hash
	}
	if k.workers > 1 {
		s := &j.Search
		s.Tests, s.Worker = (s.Tests+k.workers-1)/k.workers, worker
		s.Inbox, s.Outbox = k.relay.Boxes(worker)
	}
	return j
}

// says ranks what came of a worker: what failed says the most, then what passed, and
// others say nothing. One that failed in a way that another has shown says no more.
func says(r result) int {
	rank := 2 * r.Verdict.Rank()
	if r.failed {
		rank++
	}
	return rank
}

// together is what came of all workers.
func together(results []result) (r result) {
	best := 0
	for i, o := range results {
		if says(o) > says(results[best]) {
			best = i
		}
	}
	r = results[best]
	for i, o := range results {
		if i != best {
			add(&r.Event, o.Event)
		}
		if o.State == event.Exhausted && r.Verdict == event.Passed {
			r.State, r.Why = o.State, o.Why
		}
	}
	r.failed = r.failed && r.Verdict != event.Passed
	return r
}

// add takes another process into account: its runs count, and what it reached was
// reached. What is known of all is the most that one of them knows.
func add(sum *event.Event, e event.Event) {
	sum.Runs, sum.Passed, sum.Discarded, sum.Spawned = sum.Runs+e.Runs, sum.Passed+e.Passed, sum.Discarded+e.Discarded, sum.Spawned+e.Spawned
	sum.Paths, sum.Resumed = max(sum.Paths, e.Paths), max(sum.Resumed, e.Resumed)
	sum.Shared, sum.Heard = sum.Shared+e.Shared, sum.Heard+e.Heard
	sum.Sites, sum.Before, sum.Partial = union(sum.Sites, e.Sites), union(sum.Before, e.Before), sum.Partial || e.Partial
}

func union(a, b []uint32) []uint32 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
