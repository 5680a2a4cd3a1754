package allele

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// runner runs one property on terms, one at a time. It is the property.Local of this
// process.
//
// A run may end in four ways: the property returns, panics, or ends its
// goroutine, which is what FailNow, Skip and Assume do so that no recover in
// the code under test can swallow them; or it never ends. So runs are made on a
// goroutine that may die, and nobody waits for one without a way out.
type runner struct {
	testing.TB                                            // the test around the property
	call       func(b *schema.Builder, t *T, x term.Term) // the property on a term
	direct     func(t *T, in reflect.Value)               // and on a value
	build      *schema.Builder
	watch      *watch.Watcher  // nil unless the program has probes
	stop       <-chan struct{} // closed when no run may be waited for any longer
	detail     bool            // keep what the run says: it will be shown

	slab    []T // fresh runs are cut from it
	cut     int
	refused uintptr // where the present run was discarded

	// words guards what runs say. One lock for all of them keeps a T small, and
	// only one run is under way.
	words   sync.Mutex
	helpers map[string]bool // functions that called Helper in runs with detail

	outer outer
}

// Watch has runs followed.
func (r *runner) Watch(w *watch.Watcher) { r.watch = w }

// One makes one run in a goroutine of its own, for shrinking and replaying. It gives up
// when no run may be waited for any longer.
func (r *runner) One(x term.Term, detail bool) property.Outcome {
	r.setDetail(detail)
	return r.alone(func(t *T) { r.call(r.build, t, x) })
}

// value is One for a value that somebody has made.
func (r *runner) value(in reflect.Value) property.Outcome {
	r.setDetail(true)
	return r.alone(func(t *T) { r.direct(t, in) })
}

// setDetail writes only what changes: a goroutine that a run left behind may read it.
func (r *runner) setDetail(detail bool) {
	if r.detail != detail {
		r.detail = detail
	}
}

func (r *runner) alone(run func(*T)) property.Outcome {
	r.refused = 0
	t := &T{tb: r}
	done := make(chan struct{})
	if r.watch != nil {
		r.watch.Begin((*watched)(t))
	}
	go func() {
		defer close(done)
		r.guard(t, run)
	}()
	for {
		select {
		case <-done:
			return t.outcome()
		case cut := <-r.watch.Abandoned():
			if cut == watch.Run((*watched)(t)) { // and not one before it
				return t.outcome()
			}
		case <-r.stop:
			return hung
		}
	}
}

// hung is a run that goes on when no run may be waited for any longer.
var hung = property.Outcome{Verdict: engine.Failed, Hung: true}

// guard makes a run. If it ends its goroutine, guard does not return, but t is over all
// the same.
func (r *runner) guard(t *T, run func(*T)) {
	returned := false
	defer func() {
		if !returned {
			t.aborted(recover())
		}
		t.leave()
	}()
	run(t)
	returned = true
}

// Many makes runs until the source has no more, or wants no more. A run that has to be
// abandoned ends it as well.
func (r *runner) Many(source property.Source) {
	r.setDetail(false)
	s := &series{runner: r, source: source, done: make(chan struct{})}
	go s.loop()
	for {
		select {
		case <-s.done:
			return
		case cut := <-r.watch.Abandoned():
			t := (*T)(cut.(*watched))
			if t.state.Or(settled)&settled != 0 {
				continue // it came to an end meanwhile, and the loop goes on or has
			}
			s.abandoned.Store(true)
			source.Lost(t.outcome())
			return
		case <-r.stop:
			s.abandoned.Store(true)
			source.Lost(hung)
			return
		}
	}
}

// series makes runs on one goroutine after another: a run that ends its goroutine is
// accounted for, and the loop goes on, in the next.
type series struct {
	*runner
	source    property.Source
	done      chan struct{}
	abandoned atomic.Bool
	t         *T // under way, or ended and not yet accounted for
	run       property.Run
}

// loop goes on until the series is over. It comes back from stretch if a run
// panicked; one that ends its goroutine ends this loop with it, and another
// goes on.
func (s *series) loop() {
	for {
		switch s.stretch() {
		case handedOver:
			return
		case seriesOver:
			close(s.done)
			return
		}
	}
}

type stretchEnd int

const (
	runPanicked stretchEnd = iota
	handedOver
	seriesOver
)

// stretch makes runs until one does not come back. That each run is not
// guarded by itself saves a defer a run.
//
// A run that ends its goroutine looks like one that panics with nil, as old
// programs can still ask to be able to; only then does stretch return after it
// has handed over.
func (s *series) stretch() (end stretchEnd) {
	ending := true // of this goroutine
	defer func() {
		if ending && !s.abandoned.Load() {
			end = handedOver
			go s.loop()
		}
	}()
	running := false
	defer func() {
		if !running {
			return
		}
		r := recover()
		s.t.aborted(r)
		s.t.leave() // may end the goroutine as well
		ending = r == nil
	}()
	for s.t == nil || s.settle() {
		x, ok := s.source.Next()
		if !ok {
			break
		}
		s.t = s.runner.fresh()
		if s.watch != nil {
			s.watch.Begin((*watched)(s.t))
		}
		running = true
		s.runner.call(s.runner.build, s.t, x)
		running = false
		s.t.leave()
	}
	ending = false
	return seriesOver
}

// settle accounts for the run that is over, and reports whether to go on.
func (s *series) settle() bool {
	if s.abandoned.Load() {
		return false
	}
	t := s.t
	if hook.Spawned != 0 && t.state.Or(settled)&settled != 0 {
		return false // it was abandoned, and Many accounts for it
	}
	v := t.verdict()
	if s.run.Verdict = v; s.run.Labels != nil {
		s.run.Labels = nil
	}
	switch v {
	case engine.Discarded:
		s.run.Reject = property.Reject{PC: s.refused, Given: t.given}
	case engine.Passed:
		if t.more != nil {
			s.run.Labels = t.more.labels
		}
	case engine.Failed:
		o := t.outcome()
		s.run.Failure = &o
	}
	goOn := s.source.Done(&s.run)
	if v == engine.Discarded && t.given > 0 {
		s.takeBack(t)
	}
	s.t = nil
	return goOn
}

// slabRuns is how many T are allocated at once. They are never reused: a
// goroutine that a run left behind must not talk to a later run.
const slabRuns = 256

func (r *runner) fresh() *T {
	if r.cut == len(r.slab) {
		r.slab, r.cut = make([]T, slabRuns), 0
		for i := range r.slab {
			r.slab[i].tb = r
		}
	}
	t := &r.slab[r.cut]
	r.cut++
	r.refused = 0
	return t
}

// takeBack makes the last T fresh again, if the property never saw it.
func (r *runner) takeBack(t *T) {
	if t == &r.slab[r.cut-1] {
		r.cut--
		*t = T{tb: r}
	}
}

// leave settles a run, however it ended.
func (t *T) leave() {
	if t.more != nil {
		t.close()
	}
	t.over = true
}

// aborted notes why the property did not return: r is what it panicked with,
// or nil if its goroutine is ending.
func (t *T) aborted(r any) {
	if r == nil && t.state.Load()&exited != 0 {
		return
	}
	t.runner().words.Lock()
	x := t.extra()
	if r != nil {
		x.panicked = &property.Panic{Stack: string(debug.Stack())}
	} else {
		x.outer = property.OuterExit(t.runner().TB)
	}
	t.runner().words.Unlock()
	t.state.And(^uint32(discarded))
	t.state.Or(failed)
	if r != nil {
		// The value may have a method that tells about it, and that is code of
		// the user: it runs here, where whatever it does ends the run alone.
		x.panicked.Text = "a value whose String or Error method did not return"
		x.panicked.Text = fmt.Sprint(r)
	}
}

// close runs what the property left to be done at its end.
func (t *T) close() {
	t.runner().words.Lock()
	if t.more.cancel != nil {
		t.more.cancel()
	}
	t.runner().words.Unlock()
	t.cleanup()
}

// cleanup runs the cleanups, also those behind one that panics or exits, and
// those that cleanups add.
func (t *T) cleanup() {
	for {
		t.runner().words.Lock()
		n := len(t.more.cleanups)
		if n == 0 {
			t.runner().words.Unlock()
			return
		}
		f := t.more.cleanups[n-1]
		t.more.cleanups = t.more.cleanups[:n-1]
		t.runner().words.Unlock()
		t.cleanup1(f)
	}
}

func (t *T) cleanup1(f func()) {
	done := false
	defer func() {
		if !done {
			t.aborted(recover())
			t.cleanup()
		}
	}()
	f()
	done = true
}

func (t *T) verdict() engine.Verdict {
	switch s := t.state.Load(); {
	case s&failed != 0:
		return engine.Failed
	case s&discarded != 0:
		return engine.Discarded
	}
	return engine.Passed
}

// outcome is what came of a run that is over, or abandoned.
func (t *T) outcome() property.Outcome {
	r := t.runner()
	o := property.Outcome{Verdict: t.verdict(), Reject: property.Reject{PC: r.refused, Given: t.given}}
	r.words.Lock()
	defer r.words.Unlock()
	if x := t.more; x != nil {
		o.Logs, o.At, o.Panic, o.Outer, o.Cut = slices.Clip(x.logs), x.at, x.panicked, x.outer, x.cut
	}
	return o
}

// watched is a run as package watch sees it.
type watched T

// Spent notes why a run is stopped. From then on it has failed, however it ends.
func (w *watched) Spent(after, overflow string) {
	t := (*T)(w)
	t.runner().words.Lock()
	t.extra().cut = &property.Cut{After: after, Overflow: overflow}
	t.runner().words.Unlock()
	t.state.Or(failed | exited)
}

// Looped notes which function did not end.
func (w *watched) Looped(function string) {
	t := (*T)(w)
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	if c := t.extra().cut; c != nil {
		t.extra().cut = &property.Cut{After: c.After, Overflow: c.Overflow, Loop: function}
	}
}

// Exited reports whether we ended its goroutine ourselves.
func (w *watched) Exited() bool { return w.state.Load()&exited != 0 }

// outer is what runs share of the test around the property.
type outer struct {
	mu     sync.Mutex
	temp   string
	temps  int
	serial bool
}

// tempDir makes a directory for one run inside one of the test's own, so that
// nothing stays behind even if the run never ends.
func (r *runner) tempDir() (string, error) {
	r.outer.mu.Lock()
	defer r.outer.mu.Unlock()
	if r.outer.temp == "" {
		r.outer.temp = r.TB.TempDir()
	}
	r.outer.temps++
	dir := filepath.Join(r.outer.temp, strconv.Itoa(r.outer.temps))
	return dir, os.Mkdir(dir, 0o777)
}

// onlySerial calls f once for the Check: a call on the outer t that panics if
// its test is parallel, which we have no other way to ask.
func (r *runner) onlySerial(f func()) {
	r.outer.mu.Lock()
	defer r.outer.mu.Unlock()
	if !r.outer.serial {
		f()
		r.outer.serial = true
	}
}

// learn notes that functions are helpers. It must be called with words held.
func (r *runner) learn(functions ...string) {
	if r.helpers == nil {
		r.helpers = map[string]bool{}
	}
	for _, f := range functions {
		r.helpers[f] = true
	}
}

// Learn notes that functions are helpers, as another process knows.
func (r *runner) Learn(functions []string) {
	r.words.Lock()
	defer r.words.Unlock()
	r.learn(functions...)
}

// Helpers are the functions that are known as helpers.
func (r *runner) Helpers() []string {
	r.words.Lock()
	defer r.words.Unlock()
	return slices.Sorted(maps.Keys(r.helpers))
}
