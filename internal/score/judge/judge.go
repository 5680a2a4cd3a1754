//go:build go1.25

// Package judge finds out which faults a member of a suite notices: the ordinary tests of a package, or a property.
//
//	result, err := judge.Run(ctx, judge.Config{Binary: binary, Dir: dir, Work: work, Faults: faults})
//
// It starts the test binary, where package suite runs tests with faults switched on, and
// starts it again whenever a fault has ended the process. What a fault does must not change
// the verdict about another one. So whatever could be an after-effect of earlier faults is
// judged again at the beginning of a new process: a process that died or hangs, and a test
// that also fails on the original program. A process decides at least one fault, or the group of the next one is smaller,
// which bounds their number.
//
// Kills do not depend on the number of workers or on the load of the machine: steps are
// counted. A process that does not answer for a long time gives no verdict.
package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/site"
)

// Config is what is judged, and how.
type Config struct {
	Binary string   // test binary, built with faults
	Dir    string   // folder in which the tests run
	Env    []string // environment of the tests; nil means the environment of this process
	Work   string   // empty folder for files
	Faults []site.Fault
	Base   Base

	Workers int               // processes at a time; 0 means the number of processors
	Wall    time.Duration     // how long a run may go on without a step; 0 means wallDefault
	Memory  int64             // bytes of memory of a process; 0 means memoryDefault
	Room    *Room             // bounds how many processes run, of several Runs; nil means no bound
	Leave   map[string]string // tests to leave out, with the reason

	// Process returns the arguments, the environment and the job of a process that does the
	// request in a file. If it is nil, ordinary tests do the request.
	Process func(request string) proc.Config

	// Got is called with each verdict when it is final, by several goroutines, if it is not nil.
	Got func(fate.Verdict)
	// If All is not nil, all inputs of a property are run with a fault, and All is called with
	// each that kills it, by several goroutines. It is not called for an input whose run ended
	// the process: that input is in the verdict.
	All func(fault int, input string)
	// Progress is called from time to time, if it is not nil.
	Progress func(Progress)
}

// Base is what the tests do without a fault, kept for the next Run if this one is interrupted: in a slow suite, that takes
// several times as long as go test.
type Base struct {
	File   string       // where it is kept; "" means nowhere
	Faults []site.Fault // the same in each Run; nil means those to judge

	Earlier Earlier // has verdicts of an earlier program, if it is not nil
}

// Progress is how far a Run has got: first the tests run without a fault, and then with faults.
type Progress struct {
	Test          string // which runs without a fault, or "" if faults are judged
	Tested, Tests int    // tests that have run, of how many; 0 if that is not known
	Judged, Total int    // faults
	Killed        int
}

const (
	wallDefault   = 20 * time.Second
	memoryDefault = 2 << 30
)

// Test is what a test does on the original program.
type Test struct {
	Name  string        `json:"name"`
	Left  string        `json:"left,omitempty"` // why the test is left out
	Steps int64         `json:"steps"`
	Time  time.Duration `json:"time"` // of the slowest run
	Spent time.Duration `json:"-"`    // CPU time of all runs, with faults and without
}

// slowest returns the time of the slowest test on the original program.
func slowest(tests []Test) (most time.Duration) {
	for _, t := range tests {
		most = max(most, t.Time)
	}
	return most
}

// Result is the outcome of Run.
type Result struct {
	Verdicts  []fate.Verdict // one for each fault, in the order of the faults
	Tests     []Test         // tests and examples, in the order of the binary
	Processes int            // how many processes were started
}

// judge is a Run in progress.
type judge struct {
	Config
	leave  map[string]string
	tests  []Test
	faults map[int]site.Fault

	queue *queue

	mu        sync.Mutex
	found     found
	processes int
}

// found is what is known about the faults.
type found struct {
	verdicts map[int]fate.Verdict
	seen     map[int]bool // the faults with a verdict that may not be final; true if killed
	at       Progress
	spent    map[string]time.Duration // by tests, in all processes
}

// Run judges all faults. If it is interrupted, it returns the verdicts so far with the error:
// a fault that was not judged has a verdict without a kind.
func Run(ctx context.Context, c Config) (*Result, error) {
	j, err := prepare(c)
	if err != nil {
		return nil, err
	}
	if err := j.baseline(ctx); err != nil {
		return nil, err
	}
	j.found.at.Test = ""
	reuse(j)
	j.show()
	if err = j.work(ctx); err == nil && j.Base.File != "" {
		os.Remove(j.Base.File) // it is no longer needed, and if it stays, that does no harm
	}
	result := &Result{Tests: j.tests, Processes: j.processes}
	for i, t := range j.tests {
		result.Tests[i].Spent = j.found.spent[t.Name]
	}
	for _, f := range c.Faults {
		result.Verdicts = append(result.Verdicts, j.found.verdicts[f.ID])
	}
	return result, err
}

func prepare(c Config) (*judge, error) {
	err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Work, 0o777); err != nil {
		return nil, err
	}
	j := &judge{Config: c, leave: c.reasons(), faults: map[int]site.Fault{}, queue: newQueue(),
		found: found{map[int]fate.Verdict{}, map[int]bool{}, Progress{Total: len(c.Faults)}, map[string]time.Duration{}}}
	for _, f := range c.Faults {
		if _, twice := j.faults[f.ID]; twice {
			return nil, fmt.Errorf("judge: two faults have the number %d", f.ID)
		}
		j.faults[f.ID] = f
	}
	return j, nil
}

func (j *judge) baselineFile() string { return filepath.Join(j.Work, "baseline") }

// see counts a verdict for Progress. The caller holds the lock, or is alone.
func (f *found) see(id int, kind string) {
	if f.seen[id] {
		f.at.Killed--
	}
	if f.seen[id] = kind == fate.Killed; f.seen[id] {
		f.at.Killed++
	}
	f.at.Judged = len(f.seen)
}

func (j *judge) show() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Progress != nil {
		j.Progress(j.found.at)
	}
}

// accept makes verdicts final.
func (j *judge) accept(verdicts ...fate.Verdict) {
	if j.Got != nil {
		defer func() {
			for _, v := range verdicts {
				j.Got(v)
			}
		}()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, v := range verdicts {
		j.found.see(v.Fault, v.Kind)
		j.found.verdicts[v.Fault] = v
	}
}

// work judges all faults.
func (j *judge) work(ctx context.Context) error {
	var left []int
	for _, f := range j.Faults {
		if _, known := j.found.verdicts[f.ID]; !known {
			left = append(left, f.ID)
		}
	}
	// Several tasks for each worker, so that no worker is idle for long at the end. If runs take long, a process may have
	// few faults; otherwise most of its time would be that of its start.
	least := groupFirst
	if slowest(j.tests) > slowSuite {
		least = groupSmall
	}
	size := max(least, (len(left)+tasksEach*j.Workers-1)/(tasksEach*j.Workers))
	for _, n := range sizes(len(left), size) {
		j.queue.push(task{faults: left[:n], next: groupSmall})
		left = left[n:]
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	for i := range j.Workers {
		workers.Go(func() {
			for {
				t, ok := j.queue.pop()
				if !ok {
					return
				}
				if err := j.do(ctx, fmt.Sprintf("worker%d", i), t); err != nil {
					cancel(err)
				}
				j.queue.finish()
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
