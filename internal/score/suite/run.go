//go:build go1.25

package suite

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

const (
	// unlimited is more steps than any run takes.
	unlimited = 1 << 62
	// stackDeep is how much stack a run may use, if it also has framesDeep calls in
	// progress. With twice as much the runtime would end the process.
	stackDeep  = 32 << 20
	framesDeep = 10_000
	// dumpMax bounds the stacks of all goroutines, in bytes.
	dumpMax = 1 << 20
	// detailMax bounds the message of a panic in a line, in bytes.
	detailMax = 200
)

// runner does a request.
type runner struct {
	request *scoring.Request
	out     *scoring.Results
	null    *os.File
	home    *home
	wall    time.Duration
	base    *scoring.Cases[scoring.Original]
	stack   [1]metrics.Sample
	heap    heap

	mu      sync.Mutex
	current run
	clock   time.Duration // how long the watcher has watched
}

// run is one run of a test.
type run struct {
	fault  int
	armed  bool // panics are recovered as if a fault were switched on
	budget int64
	usual  time.Duration // how long the run takes on the original program, if that is known

	running bool
	test    string
	began   time.Duration // by the clock of the watcher
	by      string        // set by the first note
	detail  string
	noted   time.Duration
	blocked int // how many times in a row all goroutines of the run were waiting
	steps   int64
	moved   time.Duration // when steps changed
}

// result is how a run ended.
type result struct {
	passed, skipped bool
	by, detail      string // from a note
	steps           int64
	took, cpu       time.Duration
	busy            bool // a goroutine of the run still takes steps
	foreign         bool // the test has used the hooks itself, as a search does
}

// stopped is the value of the panic that ends a run whose budget is spent.
type stopped struct{}

func (stopped) Error() string { return "allele: the run has spent its budget" }

// hook connects this process to the hooks of rewritten code.
func (r *runner) hook() {
	r.stack[0].Name = "/memory/classes/heap/stacks:bytes"
	hook.Spent = func() {
		if r.note(fate.ByBudget, fmt.Sprintf("more than %d steps", r.current.budget)) {
			panic(stopped{})
		}
	}
	hook.TooBig = func(size int) {
		r.note(fate.ByBudget, fmt.Sprintf("makes a slice of %d elements", size))
		panic(stopped{})
	}
	hook.Long = func() {
		if hook.Spawned != 0 {
			runtime.Gosched() // the goroutine that this one waits for in a loop needs the processor
		}
		if hook.FaultOn && r.deep() && r.note(fate.ByBudget, fmt.Sprintf("more than %d calls in progress", framesDeep)) {
			panic(stopped{})
		}
	}
	hook.Failed = func() {
		if r.note(fate.ByTest, "") {
			hook.Extend(0) // other subtests stop at their first step
		}
	}
	hook.Caught = func(value any) {
		if _, ours := value.(stopped); !ours {
			r.note(fate.ByPanic, firstLine(fmt.Sprint(value)))
		}
	}
}

// deep reports whether this goroutine recurses without end, as far as one can tell. The
// number of bytes may include stacks of earlier runs. The number of calls does not, but
// counting them takes longer.
func (r *runner) deep() bool {
	sample := r.stack
	metrics.Read(sample[:])
	if sample[0].Value.Kind() != metrics.KindUint64 || sample[0].Value.Uint64() <= stackDeep {
		return false
	}
	var pc [1]uintptr
	return runtime.Callers(framesDeep, pc[:]) > 0
}

// note records that the current run has panicked or spent its budget. The first note
// decides. It is written at once, because the process may die before the test ends. note
// returns false if there is no current run.
func (r *runner) note(by, detail string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.current
	if c.running && c.by == "" {
		c.by, c.detail, c.noted = by, detail, r.clock
		r.put(scoring.Line{Event: scoring.Note, Fault: c.fault, Test: c.test, By: by, Detail: detail})
	}
	return c.running
}

// put appends a line to the results.
func (r *runner) put(l scoring.Line) {
	if l.Event != scoring.Tested {
		l.Nanos = int64(cpuTime())
	}
	if err := r.out.Put(l); err != nil { // without results there is no point in going on
		fmt.Fprintf(r.home.stderr, "write results: %v\n", err)
		os.Exit(CodeStuck)
	}
}

// firstLine returns the first line of a message, shortened.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > detailMax {
		s = strings.ToValidUTF8(s[:detailMax], "") + "..."
	}
	return s
}

// run runs a test or an example once. The goroutine may not end, or end early, so the run has
// a goroutine of its own.
func (r *runner) run(u unit, c run) (res result) {
	goroutines := runtime.NumGoroutine()
	began, spent := time.Now(), cpuTime()
	c.running, c.test = true, u.name
	r.mu.Lock()
	c.began, c.moved = r.clock, r.clock
	r.current = c
	r.mu.Unlock()
	if c.armed {
		hook.FaultOn, hook.SizeMax = true, hook.FaultSizeMax
	}
	r.home.silence(r.null)
	hook.Reset(c.budget)
	epoch := hook.Epoch
	done := make(chan struct{})
	go func() {
		defer close(done)
		if u.example != nil {
			res.passed = runExample(u)
		} else {
			res.passed, res.skipped = runTest(u)
		}
	}()
	<-done
	r.quiet(goroutines, c.budget)
	r.mu.Lock()
	res.by, res.detail, res.took = r.current.by, r.current.detail, time.Since(began)
	res.steps, res.cpu = hook.Hits(), cpuTime()-spent
	r.current.running = false
	r.mu.Unlock()
	if c.armed {
		hook.FaultOn, hook.SizeMax = false, unlimited
	}
	if res.foreign = hook.Epoch != epoch; res.foreign {
		r.hook()
	}
	hook.Reset(unlimited)
	r.home.restore()
	res.passed = res.passed && res.by == ""
	res.busy = busy(goroutines)
	return res
}

// emptyPools takes everything out of each sync.Pool. Otherwise tests would get values there that
// runs with other faults have left behind, and the verdict would depend on them. The first collection
// makes the values of a pool its victims, and the second one frees those.
func emptyPools() {
	runtime.GC()
	runtime.GC()
}

func always(string, string) (bool, error) { return true, nil }

func runTest(u unit) (passed, skipped bool) {
	passed = testing.RunTests(always, []testing.InternalTest{{Name: u.test.Name, F: func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		defer hook.Catch(t)
		u.test.F(t)
	}}})
	return passed, skipped
}

// runExample runs an example. Package testing lets its panic pass, so hook.Catch turns it
// into a note here.
func runExample(u unit) (passed bool) {
	defer hook.Catch(ignored{})
	return testing.RunExamples(always, []testing.InternalExample{*u.example})
}

// ignored is the test of an example, which is known to have failed as it has not returned.
type ignored struct{}

func (ignored) FailNow() {}

// busyTries is how many times other goroutines get the processor before one that still
// takes steps counts as busy.
const busyTries = 20

// quiet waits until the goroutines that a test has left behind take no more steps. They are
// part of the run: if one never ends, it spends the budget of the run.
func (r *runner) quiet(before int, budget int64) {
	for budget < unlimited && stepping(before) {
		r.mu.Lock()
		noted := r.current.by != ""
		r.mu.Unlock()
		if noted {
			return
		}
	}
}

// busy reports whether a goroutine that a run has left behind still runs. Goroutines that wait do no harm.
func busy(before int) bool { return stepping(before) || computing(before) }

// computeMax is how much CPU time goroutines that a run has left behind may take until they end.
const computeMax = time.Second

// computing reports whether a goroutine that a run has left behind goes on to compute in code that counts no steps. It
// would share the processor with all later runs: in shopspring/decimal a test gives up waiting for 10 to the power of 2^31, and
// go test ends before that is computed.
func computing(before int) bool {
	if runtime.NumGoroutine() <= before {
		return false
	}
	buf := make([]byte, dumpMax)
	for began := cpuTime(); runtime.NumGoroutine() > before && runnable(buf); runtime.Gosched() {
		if cpuTime()-began > computeMax {
			return true
		}
	}
	return false
}

// runnable reports whether another goroutine could run now.
func runnable(buf []byte) bool {
	return bytes.Contains(buf[:runtime.Stack(buf, true)], []byte(" [runnable"))
}

// stepping reports whether a goroutine that a run has left behind still takes steps. Its steps
// would be counted in the next run.
func stepping(before int) bool {
	for range busyTries {
		if runtime.NumGoroutine() <= before {
			return false
		}
		at := hook.Hits()
		runtime.Gosched()
		runtime.Gosched()
		if hook.Hits() == at {
			return false
		}
	}
	return true
}
