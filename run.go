package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// runner runs one property on terms, one at a time.
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
	watch      *watcher   // nil unless the program was rewritten
	detail     bool       // keep what the run says: it will be shown
	slot       *proc.Slot // that each case is noted in; nil if nobody reads it
	parent     int        // the process that does

	slab    []T // fresh runs are cut from it
	cut     int
	refused uintptr // where the present run was discarded

	// words guards what runs say. One lock for all of them keeps a T small, and
	// only one run is under way.
	words   sync.Mutex
	helpers map[string]bool // functions that called Helper in runs with detail

	mu     sync.Mutex
	temp   string
	temps  int
	serial bool
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

// one makes a run. If it ends its goroutine, one does not return, but t is
// settled all the same.
func (r *runner) one(t *T, run func(*T)) {
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
		x.panicked = &panicked{Stack: string(debug.Stack())}
	} else {
		x.outer = outerExit(t.runner().TB)
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

// outerExit says who ended the goroutine of a run that we did not end.
func outerExit(outer testing.TB) string {
	switch {
	case outer.Skipped():
		return "the property skipped the test around it; use the t it is given: t.Skip or t.Assume discards one input"
	case outer.Failed():
		return "the property failed the test around it; use the t it is given"
	}
	return "the property called runtime.Goexit"
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

// tempDir makes a directory for one run inside one of the test's own, so that
// nothing stays behind even if the run never ends.
func (r *runner) tempDir() (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.temp == "" {
		r.temp = r.TB.TempDir()
	}
	r.temps++
	dir := filepath.Join(r.temp, strconv.Itoa(r.temps))
	return dir, os.Mkdir(dir, 0o777)
}

// onlySerial calls f once for the Check: a call on the outer t that panics if
// its test is parallel, which we have no other way to ask.
func (r *runner) onlySerial(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.serial {
		f()
		r.serial = true
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

// outcome is a run that is over.
type outcome struct {
	*T
	hung     bool
	rejected string // by whom, if it was discarded in another process

	death  *proc.Death   // of the process it was run in, if that did not survive
	waited time.Duration // how long a run was waited for there
	last   []uint32      // the sites it hit last there, the latest first
	limit  int64         // bytes that the process could take
}

func (o outcome) verdict() engine.Verdict {
	if o.hung || o.death != nil {
		return engine.Failed
	}
	return o.T.verdict()
}

// messages are the lines to show, what failed first.
func (o outcome) messages() (lines []logLine) {
	if o.more == nil {
		return nil
	}
	return o.more.logs
}

// alone makes one run in a goroutine of its own, for shrinking and replaying.
// It gives up when stop is closed.
func (r *runner) alone(x term.Term, stop <-chan struct{}) outcome {
	r.begin(x)
	o := r.apart(func(t *T) { r.call(r.build, t, x) }, stop)
	if r.slot != nil && !o.hung {
		r.slot.End(r.slot.Look().Seen)
	}
	return o
}

// begin notes the case that is going to be run.
func (r *runner) begin(x term.Term) {
	if r.slot != nil {
		r.slot.Begin(x.Memory())
	}
}

func (r *runner) apart(run func(*T), stop <-chan struct{}) outcome {
	r.refused = 0
	t := &T{tb: r}
	done := make(chan struct{})
	if r.watch != nil {
		r.watch.begin(t)
	}
	go func() {
		defer close(done)
		r.one(t, run)
	}()
	for {
		select {
		case <-done:
			return outcome{T: t}
		case cut := <-r.watch.cutShort():
			if cut == t { // and not one before it
				return outcome{T: t}
			}
		case <-stop:
			return outcome{T: &T{tb: r}, hung: true}
		}
	}
}

func (p *panicked) String() string { return p.Text }
