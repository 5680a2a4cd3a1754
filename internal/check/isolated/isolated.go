//go:build go1.25

// Package isolated runs terms in a child process, which they may end.
//
//	r := isolated.New(p, tries)
//	defer r.Close()
//	o := r.One(x, true)        // o describes whatever x did to its process
//	if r.Err != nil { ... }    // the process could not be started; nothing was run
//
// The child process runs the same test binary up to the same Check, which then runs the
// terms that this package sends (package plain, cases.go). When a term has ended its
// process, the next term runs in a new process.
package isolated

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/child"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Runner is a property.Runner that runs terms in a child process.
type Runner struct {
	Err error // why the process could not be started

	prop    *property.Property
	timeout time.Duration // for one run
	tries   int           // how often a term is run before it counts as passed
	proc    *proc.Process
	steps   int64   // step limit of a run, as in job.Limits
	long    *Runner // runs terms that take more steps; nil if they are stopped
	goesOn  bool    // this is the long runner of another Runner
	last    string  // the file in which the child process records the last sites that it hit
}

// New makes a runner that runs a term until it fails, at most tries times. If tries is
// more than 1, the process runs on several cores.
func New(p *property.Property, tries int) *Runner {
	return &Runner{prop: p, timeout: Timeout(p), tries: max(1, tries), steps: p.Job.Limits.Steps}
}

// Timeout returns how long one run of a property may take.
func Timeout(p *property.Property) time.Duration { return property.RunTimeout(p) }

// Timeout returns how long one run may take. SetTimeout sets it for the runs of the next
// process that is started.
func (r *Runner) Timeout() time.Duration     { return r.timeout }
func (r *Runner) SetTimeout(d time.Duration) { r.timeout = d }

// SetSteps sets how many steps a run may take, before the first run; 0 means no limit.
func (r *Runner) SetSteps(steps int64) {
	if r.steps = steps; steps == 0 {
		r.steps = -1
	}
}

// GoOn makes a term whose run takes too many steps run once more, without a step limit and
// for at most the timeout. It is called before the first run.
func (r *Runner) GoOn() {
	long := *r
	long.goesOn = true
	r.long = &long
}

// answer is the outcome of a run in the form that the child process sends.
type answer struct {
	property.Outcome
	Helpers []string `json:",omitempty"` // functions that called Helper
}

// Encode encodes an outcome as an answer, in the process that ran the term.
func Encode(p *property.Property, o property.Outcome) ([]byte, error) {
	if o.Verdict == engine.Discarded {
		o.Rejected.By = p.Rejected(o.Reject)
	}
	return json.Marshal(answer{o, p.Runner.Helpers()})
}

// One runs a term. If the process cannot be started, it sets Err and runs nothing. A run that
// is still going shortly before the test's deadline is abandoned, and its process is killed.
func (r *Runner) One(x term.Term, _ bool) property.Outcome {
	o := r.one(x)
	if r.long == nil || r.Err != nil || !o.TooLong() {
		return o
	}
	again := r.long.one(x)
	switch {
	case r.long.Err != nil:
	case again.Kind() == proc.Hang:
		o.Cut.Waited = r.timeout
	case again.Kind() == proc.Memory:
		o.Cut.Memory = r.prop.Memory()
	default:
		return again
	}
	return o
}

func (r *Runner) one(x term.Term) property.Outcome {
	if r.proc == nil {
		if r.Err = r.start(); r.Err != nil && r.prop.Stopped() {
			r.Err = nil
			return property.Hung
		}
		if r.Err != nil {
			return property.Outcome{}
		}
	}
	data, ok := r.proc.Ask(operand.AppendTerm(nil, x))
	var a answer
	if ok && json.Unmarshal(data, &a) == nil {
		r.prop.Runner.Learn(a.Helpers)
		return a.Outcome
	}
	d := r.proc.Gone()
	r.proc = nil
	if r.prop.Stopped() {
		return property.Hung
	}
	if d.Kind == proc.Ended {
		d.Kind = proc.Exit
	}
	return property.Outcome{Verdict: engine.Failed,
		Death: &property.Death{Death: d, Waited: r.timeout, Last: lastSites(r.last), Memory: r.prop.Memory()}}
}

// start starts a child process.
func (r *Runner) start() error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	p := r.prop
	r.last = ""
	if p.Traced {
		if f, err := os.CreateTemp(p.Job.Limits.Temp, "allele-last-*"); err == nil {
			r.last = f.Name()
			f.Close()
		}
	}
	work := &job.Job{Mode: job.Cases, Property: p.Name,
		Repeat:  job.Repeat{Tries: r.tries, Last: r.last, Reading: uint8(p.Reading), Long: r.goesOn},
		Limits:  job.Limits{Run: r.timeout, Steps: r.steps, Memory: p.Memory(), Temp: p.Job.Limits.Temp},
		Program: job.Program{Sites: p.Job.Program.Sites}}
	hang := r.timeout
	if r.goesOn {
		hang *= 1 + proc.LongShare // the process stops the run by itself, unless it is stuck
	}
	env := []string{"GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")}
	if r.tries == 1 {
		// On several cores, a run may end and be reported as passed while the panic of a
		// goroutine that it started calls the deferred functions of that goroutine.
		env = append(env, "GOMAXPROCS=1")
	} else {
		preempted := strings.ReplaceAll(os.Getenv("GODEBUG"), "asyncpreemptoff=1", "asyncpreemptoff=0")
		env = append(env, "GOMAXPROCS="+strconv.Itoa(proc.MulticoreCPUs()), "GODEBUG="+preempted)
	}
	r.proc, err = child.Start(proc.Config{Path: binary, Args: testArgs(p.TB), Dir: property.Home, Hang: hang,
		Base: job.Environ(), Job: work, Env: env, Cancel: p.Stop()}, operand.Shape(p.World))
	if r.proc != nil {
		return nil
	}
	var trouble *child.Error
	if errors.As(err, &trouble) {
		d := trouble.Death
		printed := words.Bounded(d.Out, printedMax) + words.Bounded(d.Err, printedMax) + words.Bounded(d.Stack, printedMax)
		return fmt.Errorf("cannot start a process to run it in: %s\n%s", d.Text, printed)
	}
	return fmt.Errorf("cannot start a process to run it in: %w", err)
}

// printedMax bounds how much of a process's output an error quotes, in bytes.
const printedMax = 1000

// Close ends the child process.
func (r *Runner) Close() {
	if r.long != nil {
		r.long.Close()
	}
	if r.proc != nil {
		r.proc.Close()
		r.proc = nil
	}
	if r.last != "" {
		os.Remove(r.last)
	}
}

// testArgs returns the arguments with which the test binary runs just this test. It keeps
// the user's own flags and drops the flags of package testing, some of which write files.
func testArgs(t testing.TB) []string {
	args := []string{"-test.timeout=0", "-test.count=1", "-test.paniconexit0"}
	if _, bench := t.(*testing.B); bench {
		args = append(args, "-test.run=^$", "-test.benchtime=1x", "-test.bench="+property.NamePattern(t.Name()))
	} else {
		args = append(args, "-test.run="+property.NamePattern(t.Name()))
	}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(args, flag.Args()...)
}

// Mirror makes this process record, in a file, the last sites that a run hits. The file is
// still there when the process has ended. Mirror is called in a process that runs cases for
// another process. It returns whether it succeeded.
func Mirror(file string) bool {
	if file == "" || !proc.Shared() {
		return false
	}
	skipped, err := proc.Mirror(unsafe.Slice((*byte)(unsafe.Pointer(&hook.Buf)), 4*len(hook.Buf)), file)
	if err != nil {
		return false
	}
	hook.From, hook.Wipe = uint32(skipped/4), true
	return true
}

// lastMax is how many of the last sites are reported.
const lastMax = 6

// lastSites reads the file of Mirror and returns the last sites that were hit, the latest
// first.
func lastSites(file string) (sites []uint32) {
	if file == "" {
		return nil
	}
	defer os.Remove(file)
	info, err := os.Stat(file)
	if err != nil || info.Size() > 4*int64(len(hook.Buf)) {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for i := len(data) - 4; i >= 0 && len(sites) < lastMax; i -= 4 {
		symbol := binary.NativeEndian.Uint32(data[i:])
		if id, ok := trace.Site(symbol); symbol != 0 && ok && !slices.Contains(sites, id) {
			sites = append(sites, id)
		}
	}
	return sites
}
