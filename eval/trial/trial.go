// Package trial runs searches of different tools, each on one core with a budget of CPU time.
package trial

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/trial/harness"
)

// Search is a search to be run. Its processes call harness.Run with every input.
type Search struct {
	Cmd    *exec.Cmd     // the standard output and the environment variable of the harness are set by Run
	Temp   string        // folder for the log of the inputs, log, and the output, output
	Core   int           // the core that it runs on
	Budget time.Duration // CPU time of all its processes after the first run
	// Enough reports whether the search has found what it is for. nil means never.
	Enough func(harness.Counts) bool
}

// Outcome is what a search has done.
type Outcome struct {
	Counts harness.Counts
	CPU    time.Duration // after the first run
	Marks  []Mark        // in order
	Output string        // the last lines of a search that ended by itself
	Ended  bool          // the search ended by itself
}

// Mark says how many runs a search had made at a time.
type Mark struct {
	Runs int
	CPU  time.Duration
}

const (
	// poll is how often the state of a search is looked at.
	poll = 50 * time.Millisecond
	// A search on a busy machine gets a fraction of a core.
	wallFactor = 60
	wallMin    = 2 * time.Minute
	// exitWait is how long a search may take to end when it is interrupted.
	exitWait = 20 * time.Second
)

// Wall returns how long a search may take that has a budget of CPU time.
func Wall(budget time.Duration) time.Duration { return max(wallMin, wallFactor*budget) }

// Log returns the file with the log of the inputs.
func (s *Search) Log() string { return filepath.Join(s.Temp, "log") }

// Run runs a search, and stops it when it has used its CPU time.
func (s *Search) Run() (o Outcome, err error) {
	log, err := harness.Create(s.Log())
	if err != nil {
		return o, err
	}
	defer log.Close()
	output, err := os.Create(filepath.Join(s.Temp, "output"))
	if err != nil {
		return o, err
	}
	defer output.Close()
	cmd := s.pinned()
	cmd.Env = append(cmd.Env, harness.Variable+"="+s.Log())
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return o, err
	}
	session := cmd.Process.Pid
	defer harness.KillSession(session)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	o.Ended = !s.watch(session, log, ended, &o)
	log.Stop()
	o.Counts = log.Counts()
	if o.Ended {
		text, _ := os.ReadFile(output.Name())
		o.Output = Tail(string(text))
	} else {
		end(cmd.Process, session, ended)
	}
	if o.Counts.Runs == 0 {
		return o, fmt.Errorf("%w\n%s", ErrNoRun, o.Output)
	}
	return o, nil
}

// ErrNoRun is the error of a search that has made no run, because it could not generate an input for example.
var ErrNoRun = errors.New("no run was counted")

// pinned returns the command on one core.
func (s *Search) pinned() *exec.Cmd {
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		return s.Cmd
	}
	cmd := exec.Command(taskset, append([]string{"-c", fmt.Sprint(s.Core)}, s.Cmd.Args...)...)
	cmd.Dir, cmd.Env = s.Cmd.Dir, s.Cmd.Env
	return cmd
}

// watch waits until a search has used its time, or has found what it is for. It reports whether the
// search is still going on.
func (s *Search) watch(session int, log *harness.Log, ended <-chan error, o *Outcome) (going bool) {
	for began := time.Now(); time.Since(began) < Wall(s.Budget); {
		select {
		case <-ended:
			return false
		case <-time.After(poll):
		}
		c := log.Counts()
		if c.Runs == 0 {
			continue
		}
		o.CPU = max(o.CPU, harness.SessionCPU(session)-c.Began)
		o.Marks = append(o.Marks, Mark{c.Runs, o.CPU})
		if o.CPU >= s.Budget || s.Enough != nil && s.Enough(c) {
			break
		}
	}
	return true
}

// end interrupts a search, and kills it if that does not end it.
func end(p *os.Process, session int, ended <-chan error) {
	p.Signal(os.Interrupt) // fails if the process has exited
	select {
	case <-ended:
	case <-time.After(exitWait):
		harness.KillSession(session)
		<-ended
	}
}

// Tail returns the last lines of an output.
func Tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// OnCores calls do for each number, one on each core at a time. After an interrupt it starts no more, and
// returns how many it has left out.
func OnCores(todo []int, do func(i, core int)) (left int) {
	var wg sync.WaitGroup
	jobs := make(chan int)
	for core := range runtime.NumCPU() {
		wg.Go(func() {
			for i := range jobs {
				do(i, core)
			}
		})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	for n, i := range todo {
		select {
		case jobs <- i:
			continue
		case <-stop:
			left = len(todo) - n
		}
		break
	}
	close(jobs)
	wg.Wait()
	return left
}
