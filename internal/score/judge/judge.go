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
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/site"
)

// Config is what is judged, and how.
type Config struct {
	Binary string   // test binary, built with faults
	Dir    string   // folder in which the tests run
	Env    []string // environment of the tests; nil means the environment of this process
	Work   string   // empty folder for files
	Faults []site.Fault

	Workers int               // processes at a time; 0 means the number of processors
	Wall    time.Duration     // how long a run may go on without a step; 0 means wallDefault
	Memory  int64             // bytes of memory of a process; 0 means memoryDefault
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
	Progress func(judged, total, killed int)
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
	leave   map[string]string
	tests   []Test
	slowest time.Duration // of the tests on the original program
	faults  map[int]scoring.Fault

	queue *queue

	mu        sync.Mutex
	verdicts  map[int]fate.Verdict
	seen      map[int]bool // the faults with a verdict that may not be final; true if killed
	killed    int
	processes int
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
	j.show()
	err = j.work(ctx)
	result := &Result{Tests: j.tests, Processes: j.processes}
	for _, f := range c.Faults {
		result.Verdicts = append(result.Verdicts, j.verdicts[f.ID])
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
	j := &judge{Config: c, leave: c.reasons(), faults: map[int]scoring.Fault{}, queue: newQueue(),
		seen: map[int]bool{}, verdicts: map[int]fate.Verdict{}}
	for _, f := range c.Faults {
		if _, twice := j.faults[f.ID]; twice {
			return nil, fmt.Errorf("judge: two faults have the number %d", f.ID)
		}
		j.faults[f.ID] = scoring.Fault{ID: f.ID, Package: f.Package, Site: f.Site, Variant: f.Variant}
	}
	return j, nil
}

func (j *judge) baselineFile() string { return filepath.Join(j.Work, "baseline") }

// see counts a verdict for Progress. The caller holds the lock, or is alone.
func (j *judge) see(id int, kind string) {
	if j.seen[id] {
		j.killed--
	}
	if j.seen[id] = kind == fate.Killed; j.seen[id] {
		j.killed++
	}
}

func (j *judge) show() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Progress != nil {
		j.Progress(len(j.seen), len(j.Faults), j.killed)
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
		j.see(v.Fault, v.Kind)
		j.verdicts[v.Fault] = v
	}
}

// work judges all faults.
func (j *judge) work(ctx context.Context) error {
	var left []int
	for _, f := range j.Faults {
		left = append(left, f.ID)
	}
	// Several tasks for each worker, so that no worker is idle for long at the end.
	size := max(groupFirst, (len(left)+tasksEach*j.Workers-1)/(tasksEach*j.Workers))
	for group := range slices.Chunk(left, size) {
		j.queue.push(task{faults: group, next: groupSmall})
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
