//go:build go1.25

package allele

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A run of a series may take so long that nothing else would be run any more. Then the source of
// the series decides whether to abandon the run. The goroutine of an abandoned run cannot be
// ended: it stays, and everything that it may still touch stays with it. Later runs get another
// runner, with its own builder.

// Many makes runs until the source has no more terms or ends the series. It also returns
// when a run has to be abandoned.
func (r *runner) Many(source property.Source) {
	r.setDetail(false)
	s := &series{runner: r, source: source, done: make(chan struct{})}
	o := s.oversee(source)
	go s.loop()
	for {
		select {
		case <-s.done:
			return
		case <-o.tick:
			if o.look() {
				r.left = true
				return
			}
		case cut := <-r.watch.Abandoned():
			t := (*T)(cut.(*watched))
			if r.observer.passOn(cut) {
				continue
			}
			if t.state.Or(settled)&settled != 0 {
				continue // the run ended in the meantime, and loop has counted it
			}
			s.phase.Store(abandoned)
			source.Lost(t.outcome())
			return
		case <-r.stop:
			s.phase.Store(abandoned)
			r.left = true
			source.Lost(property.Hung)
			return
		}
	}
}

// renewing is a runner that is replaced after a run that it has abandoned. It implements
// property.Local.
type renewing struct{ *runner }

func (r *renewing) Many(source property.Source) {
	r.runner.Many(source)
	r.renew()
}

func (r *renewing) One(x term.Term, detail bool) property.Outcome {
	o := r.runner.One(x, detail)
	r.renew()
	return o
}

func (r *renewing) Equal(x, y term.Term) bool {
	equal := r.runner.Equal(x, y)
	r.renew()
	return equal
}

func (r *renewing) In(w *schema.World) property.Local { return &renewing{r.runner.in(w)} }

// renew replaces a runner that has abandoned a run. If the program has probes, the run is the
// last one, or it has been stopped.
func (r *renewing) renew() {
	if r.runner.left && r.runner.watch == nil {
		r.runner = r.runner.in(r.runner.world)
	}
}

// within runs a term and waits for at most the limit. It reports how long the run took, and
// whether it ended.
func (r *renewing) within(x term.Term, limit time.Duration) (took time.Duration, ended bool) {
	giveUp := time.NewTimer(limit)
	defer giveUp.Stop()
	r.Observe(property.Observing{GiveUp: giveUp.C})
	begin := time.Now()
	o := r.One(x.Clone(), false)
	return time.Since(begin), !o.Hung
}

// functions are the functions of a property.
type functions struct {
	call   func(b *schema.Builder, t *T, x term.Term) // runs the property on a term
	direct func(t *T, in reflect.Value)               // runs the property on a value
	equal  func(x, y term.Term) bool                  // builds two values and compares them

	make func() func(b *schema.Builder, t *T, x term.Term) // returns another call, for a run beside others
}

// limits bound how long a runner waits for a run.
type limits struct {
	stop     <-chan struct{} // closed when the runner must not wait any longer
	deadline *property.Deadline
	pace     *property.Pace
	timeout  time.Duration // of one run: a run that takes longer may never end
}

// The phases of a series.
const (
	undisturbed = iota
	alerted     // the current run takes long: it has to report its end
	examined    // the source decides about the current run: if the run ends, it has to wait
	abandoned   // the series is over, and its goroutine is left behind
)

// attendance is how a series and the goroutine that waits for it agree on the end of a run.
type attendance struct {
	mark    runMark
	phase   atomic.Uint32
	mu      sync.Mutex    // guards changes of the phase to and from examined
	ended   atomic.Bool   // the examined run has ended
	decided chan struct{} // closed when the source has decided
}

// goesOn is called at the end of a run that is not undisturbed. It reports whether the series
// goes on.
func (a *attendance) goesOn() bool {
	a.mu.Lock()
	switch a.phase.Load() {
	case alerted:
		a.phase.Store(undisturbed)
	case examined:
		a.ended.Store(true)
		decided := a.decided
		a.mu.Unlock()
		<-decided
		return a.phase.Load() != abandoned
	}
	defer a.mu.Unlock()
	return a.phase.Load() != abandoned
}

// abandon ends the series, unless the run that takes long has just ended.
func (a *attendance) abandon() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.phase.Load() == undisturbed || a.ended.Load() {
		return false
	}
	a.phase.Store(abandoned)
	return true
}

// The goroutine of a Check looks at the current run after five milliseconds, and then less and less
// often.
// A run that takes longer than alertAfter has to report its end, so that it is certain
// whether a run that is abandoned much later has ended.
const (
	tickMin    = 5 * time.Millisecond
	tickMax    = 50 * time.Millisecond
	alertAfter = 100 * time.Millisecond
)

// overseer measures the runs of a series, and notices a run that takes very long. It costs a
// run two stores.
type overseer struct {
	*series
	source property.Examiner
	tick   <-chan struct{} // nil if there is no overseer

	every  time.Duration
	before time.Time     // the last tick
	mark   uint64        // at the last tick
	since  time.Duration // time since the last tick after which a run had ended
	stuck  time.Duration // how long the current run takes
	waits  bool          // the current run was examined, and is not abandoned
}

// oversee returns an overseer. It does nothing if the test has no deadline, or if the program has
// probes.
func (s *series) oversee(source property.Source) overseer {
	o := overseer{series: s}
	if x, ok := source.(property.Examiner); ok && s.watch == nil && s.deadline.Ticks() != nil {
		o.source, o.every, o.before, o.tick = x, tickMin, time.Now(), s.deadline.Ticks()
	}
	return o
}

// look measures the runs since the last tick. If the current run takes too long, look has it
// examined. It reports whether the series is over, because the run was abandoned.
func (o *overseer) look() (over bool) {
	o.measure()
	if o.stuck >= alertAfter {
		o.phase.CompareAndSwap(undisturbed, alerted)
	}
	switch {
	case o.waits && o.stuck >= o.timeout && o.deadline.Halved():
		if over = o.abandon(); over {
			hung := property.Hung
			hung.Waited = o.stuck.Truncate(time.Second)
			o.series.source.Lost(hung)
		}
	case !o.waits && o.stuck >= o.pace.Limit() && o.phase.Load() == alerted:
		over = o.examine()
	}
	o.before = time.Now()
	o.deadline.Tick(o.every)
	o.every = min(2*o.every, tickMax)
	return over
}

func (o *overseer) measure() {
	// A process that was stopped, or a machine that is busy, is not the fault of the run. The
	// time of this goroutine passes no faster than its timer.
	passed := min(time.Since(o.before), 2*o.every)
	o.since += passed
	mark := o.series.mark.read()
	if n := int(mark/2 - o.mark/2); n > 0 {
		if o.waits {
			o.pace.Allow()
		}
		if o.pace.Ended(n, o.since-passed, passed); o.stuck >= alertAfter {
			o.every = tickMin // the runs after a long one may be short
		}
		o.since, o.waits = 0, false
	}
	if o.stuck += passed; mark != o.mark || mark%2 == 0 {
		o.stuck = 0
	}
	o.mark = mark
}

// examine asks the source about the current run, and reports whether the run was abandoned.
func (o *overseer) examine() bool {
	s := o.series
	s.mu.Lock()
	if s.phase.Load() != alerted || s.mark.read() != o.mark {
		s.mu.Unlock()
		return false // it ended just now
	}
	s.ended.Store(false)
	s.decided = make(chan struct{})
	s.phase.Store(examined)
	s.mu.Unlock()

	begin, aside := time.Now(), &renewing{s.runner.in(s.world)}
	slow := o.source.Examine(property.Examination{
		Took:  o.stuck,
		Aside: aside.within,
		Over:  func() bool { return s.ended.Load() || s.deadline.Late() },
	})
	if slow && s.abandon() {
		close(s.decided)
		s.t.abandon()
		o.source.Lost(property.Slow)
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o.stuck += time.Since(begin)
	next := uint32(alerted)
	if s.ended.Swap(false) {
		next = undisturbed
		o.every = tickMin // the runs after a long one may be short
		s.pace.Allow()
	}
	o.waits = next == alerted && o.stuck >= o.pace.Limit() // otherwise a later tick looks again
	s.phase.Store(next)
	close(s.decided)
	return false
}

// abandon undoes what a run has changed for the whole process. From now on, the run ends when it
// wants to change more.
func (t *T) abandon() {
	t.state.Or(unattended)
	r := t.runner()
	if !r.words.TryLock() { // the run may hold the lock forever, in a String method of a label
		return
	}
	var undo []func()
	if x := t.more; x != nil {
		if undo, x.undo = x.undo, nil; x.cancel != nil {
			x.cancel() // a run that heeds its context ends
		}
	}
	r.words.Unlock()
	for _, f := range slices.Backward(undo) {
		f()
	}
}

// attended ends the goroutine of a run that was abandoned. The test that encloses the run may have
// ended, and others may be running.
func (t *T) attended() {
	if t.state.Load()&unattended != 0 {
		runtime.Goexit()
	}
}

// undo registers a cleanup that is also called if the run is abandoned.
func (t *T) undo(f func()) {
	f = sync.OnceFunc(f)
	t.Cleanup(f)
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	t.extra().undo = append(t.extra().undo, f)
}
