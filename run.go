//go:build go1.25

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
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// runner runs one property on terms, which are inputs in the form that the search uses. It
// makes one run at a time, and implements property.Local.
//
// The property may return, or panic, or end its goroutine. FailNow, Skip and Assume end the
// goroutine so that no recover in the code under test can swallow them. The property may also
// run forever. So runs are made in a goroutine that may end, and the runner never waits for a
// run without also waiting for the stop signal.
type runner struct {
	testing.TB // the test around the property
	functions
	limits
	world  *schema.World
	build  *schema.Builder
	watch  *watch.Watcher // nil unless the program has probes
	detail bool           // record what the run logs, because it will be shown
	left   bool           // a run was abandoned, so it still uses this runner

	slab    []T     // new runs take their T from here
	cut     int     // the number of T values of slab that are used
	refused uintptr // the program counter where the current run was discarded, or 0

	// words guards what runs log. All runs share this lock: only one run is made at a time,
	// and a T without a lock of its own is smaller.
	words   sync.Mutex
	helpers map[string]bool // functions that called Helper in runs with detail

	outer    *outer
	observer observer
}

// Watch sets the watcher that follows runs.
func (r *runner) Watch(w *watch.Watcher) { r.watch = w }

// One makes one run in a goroutine of its own, for shrinking and replaying. It returns
// early when stop is closed.
func (r *runner) One(x term.Term, detail bool) property.Outcome {
	r.setDetail(detail)
	if r.build.Record != detail {
		r.build.Record = detail
	}
	o := r.alone(func(t *T) { r.call(r.build, t, x) })
	if detail && o.Failed() && !r.left {
		o.Programs = r.build.Programs(x)
	}
	return o
}

// value is like One, on a Go value instead of a term.
func (r *runner) value(in reflect.Value) property.Outcome {
	r.setDetail(true)
	return r.alone(func(t *T) { r.direct(t, in) })
}

// setDetail does not write an unchanged value, because a goroutine that an earlier run left
// behind may be reading it.
func (r *runner) setDetail(detail bool) {
	if r.detail != detail {
		r.detail = detail
	}
}

func (r *runner) alone(run func(*T)) property.Outcome {
	r.refused = 0
	t := &T{tb: r}
	done := make(chan struct{})
	r.observer.single.Store(t)
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
			if cut == watch.Run((*watched)(t)) { // this run was abandoned, not an earlier one
				return t.outcome()
			}
		case cut := <-r.observer.abandoned:
			if cut == watch.Run((*watched)(t)) {
				return t.outcome()
			}
		case <-r.stop:
			r.left = true
			return property.Hung
		case <-r.observer.GiveUp:
			r.left = true
			return property.Hung
		}
	}
}

// guard makes a run and finishes it with leave, however the run ends. If the run ends its
// goroutine, guard does not return.
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

// series makes runs one after another. When a run ends its goroutine, a new goroutine counts
// that run and continues the loop.
type series struct {
	*runner
	attendance
	source property.Source
	done   chan struct{}
	t      *T // the current run, or one that has ended and is not yet counted
	run    property.Run
}

// loop makes runs until the series is over. After a run that panicked, stretch returns, and
// loop calls it again. A run that ends its goroutine ends this loop too, but before that
// stretch starts another loop in a new goroutine.
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

// stretch makes runs until one of them does not return. The same deferred functions guard all
// runs, which saves a defer for each run.
//
// recover returns nil if a run ends its goroutine, but also if the run panics with nil, which
// is still possible in programs with an old go directive. stretch starts another loop in both
// cases. After a panic with nil it then returns handedOver, so that this loop ends.
func (s *series) stretch() (end stretchEnd) {
	ending := true // stays true if a run ends this goroutine
	defer func() {
		if ending && s.phase.Load() != abandoned {
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
		s.t.leave() // runs cleanups, which may end the goroutine too
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
		s.mark.step()
		running = true
		s.runner.call(s.runner.build, s.t, x)
		running = false
		s.t.leave()
	}
	ending = false
	return seriesOver
}

// settle reports the finished run to the source, and returns whether to continue.
func (s *series) settle() bool {
	s.mark.step()
	if s.phase.Load() != undisturbed && !s.goesOn() {
		return false
	}
	t := s.t
	if hook.Spawned != 0 && t.state.Or(settled)&settled != 0 {
		return false // the run was abandoned, and Many reports it
	}
	v := t.verdict()
	if s.run.Verdict = v; s.run.Labels != nil {
		s.run.Labels = nil
	}
	switch v {
	case engine.Discarded:
		s.run.Reject = s.reject(t)
	case engine.Passed:
		s.run.Shown = property.Shown{}
		if t.more != nil {
			s.run.Labels = t.more.labels
			if s.observer.On {
				s.run.Shown = t.shown()
			}
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

// slabRuns is the number of T values that are allocated at once. They are never reused: a
// goroutine that a run left behind must not reach a later run.
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

// takeBack makes the T of the last run available again. It is called if a Given discarded the
// input, so the property has never seen the T.
func (r *runner) takeBack(t *T) {
	if t == &r.slab[r.cut-1] {
		r.cut--
		*t = T{tb: r}
	}
}

// leave finishes a run, however it ended.
func (t *T) leave() {
	if t.more != nil {
		t.close()
	}
	t.over = true
}

// aborted records why the property did not return: r is the value of its panic, or nil if
// its goroutine is ending.
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
		t.state.And(^uint32(known)) // a mistake in the property is no known bug
	}
	t.runner().words.Unlock()
	t.state.And(^uint32(discarded))
	t.state.Or(failed)
	if r != nil {
		// Sprint may call a String or Error method of the user. If that method does not
		// return, the text set here stays. The run was marked as failed above.
		x.panicked.Text = "a value whose String or Error method did not return"
		x.panicked.Text = fmt.Sprint(r)
	}
}

// close cancels the context of the run and runs its cleanups.
func (t *T) close() {
	t.runner().words.Lock()
	if t.more.cancel != nil {
		t.more.cancel()
	}
	t.runner().words.Unlock()
	t.cleanup()
}

// cleanup runs all cleanups, including those that are added by other cleanups. If a cleanup
// panics or exits, the remaining ones are still run.
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
	case isKnown(s):
		return engine.Discarded
	case s&failed != 0:
		return engine.Failed
	case s&discarded != 0:
		return engine.Discarded
	}
	return engine.Passed
}

// reject returns what discarded a run. If it was neither a known bug nor an Assume nor a Given, a
// builder has refused its arguments.
func (r *runner) reject(t *T) property.Reject {
	if isKnown(t.state.Load()) {
		return property.Reject{Known: t.knownBug()}
	}
	if r.refused == 0 && t.given == 0 && t.verdict() == engine.Discarded {
		return property.Reject{Builder: r.build.Refused()}
	}
	return property.Reject{PC: r.refused, Given: t.given}
}

// outcome returns the outcome of a run that has ended or was abandoned.
func (t *T) outcome() property.Outcome {
	r := t.runner()
	o := property.Outcome{Verdict: t.verdict(), Reject: r.reject(t), Steps: r.watch.Long()}
	o.Rejected.Known = o.Reject.Known
	r.words.Lock()
	defer r.words.Unlock()
	if x := t.more; x != nil {
		o.Logs, o.At, o.Sign, o.Panic, o.Outer, o.Cut = shortened(slices.Clone(x.logs)), x.at, x.sign, x.panicked, x.outer, x.cut
		if r.observer.On {
			o.Shown = t.shown()
		}
	}
	return o
}

// watched is a T that implements watch.Run.
type watched T

// Spent records why a run is being stopped, and marks the run as failed.
func (w *watched) Spent(after, overflow string) {
	t := (*T)(w)
	t.runner().words.Lock()
	t.extra().cut = &property.Cut{After: after, Overflow: overflow, Hot: t.runner().watch.Hot()}
	t.runner().words.Unlock()
	t.state.And(^uint32(known))
	t.state.Or(failed | exited)
}

// Outlasted records how long a run went on after it had taken too many steps.
func (w *watched) Outlasted(waited time.Duration, memory int64) {
	t := (*T)(w)
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	if c := t.extra().cut; c != nil {
		outlasted := *c // the outcome of an abandoned run may refer to c
		outlasted.Waited, outlasted.Memory = waited, memory
		t.extra().cut = &outlasted
	}
}

// Looped records the function that did not return.
func (w *watched) Looped(function string) {
	t := (*T)(w)
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	if c := t.extra().cut; c != nil {
		looped := *c // the outcome of an abandoned run may refer to c
		looped.Loop = function
		t.extra().cut = &looped
	}
}

// Exited reports whether a method of T ended the goroutine of the run.
func (w *watched) Exited() bool { return w.state.Load()&exited != 0 }

// outer is the state of the surrounding test that all runs share.
type outer struct {
	mu      sync.Mutex
	temp    string
	temps   int
	serial  bool
	endings *outside.Endings // of programs that runs have used
}

// tempDir makes a directory for one run inside the temporary directory of the test, so that it
// is removed even if the run never ends.
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

// onlySerial checks that the surrounding test is not parallel. It calls f, which calls a
// method of the surrounding testing.T that panics in a parallel test; there is no other way to
// find out. One successful call is enough for a Check.
func (r *runner) onlySerial(f func()) {
	r.outer.mu.Lock()
	defer r.outer.mu.Unlock()
	if !r.outer.serial {
		f()
		r.outer.serial = true
	}
}

// learn records that functions are helpers. The caller must hold words.
func (r *runner) learn(functions ...string) {
	if r.helpers == nil {
		r.helpers = map[string]bool{}
	}
	for _, f := range functions {
		r.helpers[f] = true
	}
}

// Learn records the helpers that another process has found.
func (r *runner) Learn(functions []string) {
	r.words.Lock()
	defer r.words.Unlock()
	r.learn(functions...)
}

// Helpers returns the names of the functions that have called Helper.
func (r *runner) Helpers() []string {
	r.words.Lock()
	defer r.words.Unlock()
	return slices.Sorted(maps.Keys(r.helpers))
}
