//go:build go1.25

package campaign

import (
	"errors"
	"fmt"
	"time"

	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/store/corpus"
)

// propertySearch is the search for failures of one property, from its corpus to its
// result. Its workers search together.
type propertySearch struct {
	*Campaign
	workers
	property Property
	folder   string       // folder of its corpus
	keeps    bool         // new inputs are saved to the corpus
	hash     string       // hash of the test binary
	group    launch.Group // its processes; stopped when the result of one worker decides for all workers
	finds    finds
}

// newSearch prepares a search with at most size workers.
func (c *Campaign) newSearch(p Property, size int) *propertySearch {
	if !c.guided() {
		size = 1
	}
	k := &propertySearch{Campaign: c, property: p}
	k.workers = workers{run: k.work, stopped: k.stopped, all: make([]worker, size), over: make(chan struct{})}
	return k
}

// search runs a property from beginning to end.
func (k *propertySearch) search() (r Result, err error) {
	start := time.Now()
	defer func() { r.Seconds = time.Since(start).Seconds() }()
	if err = k.prepare(&r); err != nil || r.Failed && !k.Search.KeepGoing {
		return r, err
	}
	if r, err = k.together(); err != nil {
		return r, err
	}
	saveRuns(k, &r)
	if r.Verdict == event.Passed && r.Counts.Spawned > 0 && k.keeps && !k.Campaign.stopped() {
		r.Seconds = time.Since(start).Seconds()
		err = k.multicore(&r)
	}
	k.short(&r)
	reportStored(k)
	if k.found() > 0 && (!r.Failed || r.Verdict == event.Aborted) {
		r.Failed, r.Verdict = true, event.Failed // the failure was found before or after the search, or by a process that died
	}
	return r, err
}

// prepare prepares the corpus. If an earlier campaign was killed during runs, prepare
// first confirms the inputs of these runs.
func (k *propertySearch) prepare(r *Result) (err error) {
	if k.folder, err = Folder(k.Corpus, k.property); err != nil {
		return err
	}
	for _, left := range proc.Left(k.folder) {
		if k.Campaign.stopped() {
			break // the next campaign confirms them
		}
		k.note(k.property, "an earlier campaign was killed during a run; confirming the input of this run first")
		var one history
		if k.confirm(left, &one, false); one.Failed && !r.Failed {
			*r = one.Result
		}
	}
	if r.Failed && !k.Search.KeepGoing {
		return nil
	}
	if err := corpus.Compact(k.folder, nil); err != nil {
		k.note(k.property, "could not compact the corpus: %v", err)
	}
	if !k.guided() {
		return nil
	}
	k.keeps = true
	if saved, err := corpus.Read(k.folder); err == nil {
		if k.past.runs = saved.Runs; !k.Search.Fresh {
			k.past.inputs.Store(int64(len(saved.Entries)))
		}
	}
	k.hash, err = k.Builds.Hash(k.property.Package)
	return err
}

// together lets workers start as soon as they may run, waits until all have ended, and
// combines their results.
func (k *propertySearch) together() (r Result, err error) {
	if k.size() > 1 || k.Hub != nil && k.keeps {
		if k.relay, err = exchange.NewRelay(k.Limits.Temp, k.size(), k.exchange(k.property, k.hash)); err != nil {
			return r, err
		}
		defer k.relay.Close()
		if k.Hub != nil {
			if err := k.relay.Start(); err != nil {
				return r, err
			}
		}
	}
	if !k.start() {
		return Result{Finished: event.Finished{Verdict: event.Aborted}}, k.all[0].err
	}
	results, err := k.results()
	if err != nil {
		return r, err
	}
	r = combine(results)
	resumed := &r.Counts.Resumed
	if resumed.Inputs = k.ofEarlier(resumed.Inputs); resumed.Inputs == 0 {
		resumed.Seconds = 0
	}
	return r, nil
}

// stopped reports whether workers should stop: the result is decided, or the campaign was
// stopped.
func (k *propertySearch) stopped() bool { return k.group.Stopped() || k.Campaign.stopped() }

// ended reports whether workers must end: they should stop, or the budget is spent.
func (k *propertySearch) ended() bool { return k.stopped() || k.late() }

// onEvent receives the events of a running process.
func (k *propertySearch) onEvent(e event.Event) {
	switch b := e.Body.(type) {
	case event.Found:
		k.reportFound(b)
	case event.Wanted:
		k.Builds.BuildOperands(k.property.Package)
	case event.Note:
		if b.Slow != "" && !k.finds.leaveOut(b.Slow) {
			return // another worker has noted the same
		}
		k.report(k.property, b)
	}
}

// reportFound reports a finding. If the finding ends the search, reportFound removes the
// text of the event: the last event of the property contains the text.
func (k *propertySearch) reportFound(e event.Found) {
	e.Failures = k.finds.count(e.Known, k.Search.KeepGoing)
	switch {
	case e.Known: // the process that has claimed it reports it, perhaps later
	case k.Search.KeepGoing:
		k.finds.shown(e.Sign)
	default:
		k.finds.store(e, false) // until there is that event
	}
	if !k.Search.KeepGoing {
		e.Text = ""
	}
	k.report(k.property, e)
}

// found returns the number of findings so far.
func (k *propertySearch) found() int { return k.finds.count(true, true) }

// runsBefore returns how many runs were made before a worker's next process.
func runsBefore(k *propertySearch, h *history) job.Past {
	past := job.Past{Searches: k.past.runs, Worker: h.Counts.Runs}
	if k.Search.Fresh {
		past.Searches = 0
	}
	return past
}

// saveRuns adds the runs of this search to those in the corpus. Each process saves the number of its last run, which
// is too low if there are several workers, or if the process has died.
func saveRuns(k *propertySearch, r *Result) {
	if !k.keeps || r.Counts.Runs == 0 {
		return
	}
	w, err := corpus.Create(k.folder, k.property.Package, k.property.Name)
	if err == nil {
		err = errors.Join(w.Ran(k.past.runs+r.Counts.Runs, k.hash), w.Close())
	}
	if err != nil {
		k.note(k.property, "could not save the number of runs: %v", err)
	}
}

// searchJob returns the search job of a worker's next process. With Fresh, only the first
// process of a worker starts from scratch; its later processes use the corpus.
func (k *propertySearch) searchJob(worker int, h *history) *job.Job {
	j := k.job(job.Search, k.property)
	j.Program.Operands = k.Builds.Operands(k.property.Package)
	j.Program.Encoder, j.Program.Faults = k.Builds.Encoder(k.property.Package)
	j.Search = k.Search
	s := &j.Search
	s.Fresh, s.Isolate, s.Past = s.Fresh && h.attempts == 0, h.deaths > 0, runsBefore(k, h)
	if s.Guide.Faults != "" {
		s.Guide.State, s.Guide.Died = fmt.Sprintf("%s-killed-%d", k.claims(k.property), worker), h.faults
	}
	if k.keeps {
		j.Corpus, j.Program.Hash = k.folder, k.hash
	}
	if n := k.size(); k.relay != nil {
		s.Tests, s.Others.Worker = (s.Tests+n-1)/n, worker
		s.Others.Inbox, s.Others.Outbox = k.relay.Boxes(worker)
	}
	if k.Hub != nil {
		s.Others.Host = k.Hub.Number()
	}
	j.Limits.Slow = k.finds.bounds()
	return j
}

// find runs a process that may find a failure. slot is how the process is asked to end shrinking when the user
// interrupts the campaign. left reports whether the process has exited without a report of a failure that it has stored.
func find(k *propertySearch, slot *proc.Slot, t launch.Task) (d proc.Death, events []event.Event, left bool, err error) {
	next := t.OnEvent
	t.OnEvent = func(e event.Event) {
		if b, ok := e.Body.(event.Stored); ok {
			k.finds.store(b.Found, true)
		} else if next != nil {
			next(e)
		}
	}
	defer k.Processes.Enter(interrupts{slot})()
	d, events, err = k.process(t)
	return d, events, k.finds.ended(events), err
}

// interrupts is a process that ends shrinking when the user interrupts the campaign.
type interrupts struct{ slot *proc.Slot }

func (i interrupts) Stop() { proc.Interrupt(i.slot) }
func (interrupts) Kill()   {}

// reportStored reports failures that a process has stored, if it has exited without a report and no other process has
// reported them.
func reportStored(k *propertySearch) {
	for _, s := range k.finds.take() {
		s.Failures = k.finds.count(false, k.Search.KeepGoing)
		k.report(k.property, s.Found)
	}
}
