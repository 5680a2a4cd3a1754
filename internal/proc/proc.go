//go:build go1.25

package proc

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/proc/job"
)

// Config is a program to run, and its limits.
type Config struct {
	Path string
	Args []string
	Dir  string
	Base []string // its environment; nil means the environment of this process
	Env  []string // added to Base
	Job  *job.Job // the job of a test binary; Start sets its Wires

	Slot  *Slot         // where the process writes its current input; nil if it answers questions
	Asked bool          // it answers questions
	Hang  time.Duration // timeout of one run; 0 means none

	// Idle is the timeout of the phases without a run, at the start and at the end of the
	// process. Without a slot it is the timeout of the process. 0 means none.
	Idle time.Duration

	// Stop, if not zero, is when the process is asked to stop. It is killed if it does
	// not exit within the time that it may need to clean up.
	Stop time.Time

	Cancel <-chan struct{} // the process is killed when it is closed; may be nil
}

// Process is a running program.
type Process struct {
	config   Config
	cmd      *exec.Cmd
	prints   output
	to, from *os.File // pipes for questions and answers; nil without them
	ended    chan struct{}
	watching sync.WaitGroup
	state    *os.ProcessState
	hung     atomic.Bool // it was killed because a run took too long
	late     atomic.Bool // it was killed because it did not stop when it was asked to
	quit     sync.Once
	stopping chan struct{} // closed when it is asked to stop
	stop     sync.Once
}

// output is the output of a process.
type output struct {
	out, err keeper
	pipes    []*os.File
	reading  sync.WaitGroup
}

// Start starts a process. On Linux the system kills the process when this process exits,
// for whatever reason.
func Start(c Config) (*Process, error) {
	p := &Process{config: c, ended: make(chan struct{}), stopping: make(chan struct{})}
	p.cmd = exec.Command(c.Path, c.Args...)
	p.cmd.Dir = c.Dir
	if c.Base == nil {
		c.Base = os.Environ()
	}
	p.cmd.Env = append(c.Base[:len(c.Base):len(c.Base)], c.Env...)
	theirs, pipes, err := p.connect()
	if err != nil {
		return nil, err
	}
	if c.Job != nil {
		p.cmd.Env = append(p.cmd.Env, job.Variable+"="+c.wired(pipes).Encode())
	}
	if theirs, err = p.readOutput(theirs); err != nil {
		return nil, err
	}
	started := make(chan error)
	go p.run(started, theirs)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	switch {
	case c.Slot != nil:
		p.watching.Go(p.watch)
	case !c.Asked && c.Idle > 0:
		limit := time.AfterFunc(c.Idle, p.endHung)
		go func() { <-p.ended; limit.Stop() }()
	}
	if c.Cancel != nil {
		go p.killOn(c.Cancel)
	}
	return p, nil
}

// readOutput starts to read the output of the process. It uses its own pipes instead of
// those of os/exec: a grandchild may keep the pipes open after the process has exited,
// and os/exec would wait for the grandchild.
func (p *Process) readOutput(theirs []*os.File) ([]*os.File, error) {
	for _, to := range []struct {
		file *io.Writer
		keep *keeper
	}{{&p.cmd.Stdout, &p.prints.out}, {&p.cmd.Stderr, &p.prints.err}} {
		r, w, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		*to.file = w
		theirs = append(theirs, w)
		p.prints.pipes = append(p.prints.pipes, r)
		p.prints.reading.Go(func() { io.Copy(to.keep, r) })
	}
	return theirs, nil
}

// drain waits for the rest of the output of an exited process, but not for grandchildren
// that still write to the same pipes.
func (p *Process) drain() {
	all := make(chan struct{})
	go func() {
		p.prints.reading.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-time.After(drainWait):
	}
	for _, r := range p.prints.pipes {
		r.Close()
	}
}

// drainWait is how long the last output of an exited process may take to arrive.
const drainWait = time.Second

// exitWait is how long a process may take to print its stacks, or to exit after the last
// question.
const exitWait = 5 * time.Second

// run starts the process and waits for it, on one thread: on Linux the system kills a
// process when the thread that started it exits.
func (p *Process) run(started chan<- error, theirs []*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	bind(p.cmd)
	err := p.cmd.Start()
	for _, f := range theirs {
		f.Close()
	}
	if err != nil && p.to != nil {
		p.to.Close()
		p.from.Close()
	}
	started <- err
	if err != nil {
		return
	}
	p.cmd.Wait() // the state contains the error too
	p.state = p.cmd.ProcessState
	p.drain()
	close(p.ended)
}

// wired returns the job with the pipes and the slot of the process.
func (c *Config) wired(pipes []uintptr) job.Job {
	j := *c.Job
	if j.Wires = (job.Wires{Pipes: pipes}); c.Slot != nil {
		j.Wires.Slot = c.Slot.Path()
	}
	return j
}

// connect creates the pipes for questions and answers, if the process answers questions.
func (p *Process) connect() (theirs []*os.File, pipes []uintptr, err error) {
	if !p.config.Asked {
		return nil, nil, nil
	}
	questions, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, answers, err := os.Pipe()
	if err != nil {
		questions.Close()
		to.Close()
		return nil, nil, err
	}
	p.to, p.from = to, from
	theirs = []*os.File{questions, answers}
	pipes, err = hand(p.cmd, theirs)
	return theirs, pipes, err
}

// Ask sends a question and waits for the answer. If ok is false, the process has exited
// or was killed: Wait returns why.
func (p *Process) Ask(question []byte) (answer []byte, ok bool) {
	if !p.Send(question) {
		return nil, false
	}
	return p.Listen(p.config.Hang)
}

// Send sends a question. It returns false if the process cannot read it any more.
func (p *Process) Send(question []byte) bool { return WriteMessage(p.to, question) == nil }

// EndQuestions closes the pipe of questions.
func (p *Process) EndQuestions() {
	if p.to != nil {
		p.to.Close()
	}
}

// Listen waits for a message. If none arrives within the timeout, it ends the process. 0
// means no timeout.
func (p *Process) Listen(timeout time.Duration) (message []byte, ok bool) {
	if timeout > 0 {
		defer time.AfterFunc(timeout, p.endHung).Stop()
	}
	message, err := ReadMessage(p.from)
	return message, err == nil
}

// endHung ends a process that hangs.
func (p *Process) endHung() {
	p.hung.Store(true)
	p.Quit()
}

// watchEvery is how often the slot of a process is read.
const watchEvery = 50 * time.Millisecond

// LongShare is how many times the timeout of a run a run gets when it goes on after its last
// allowed step. The process itself stops such a run after the timeout, unless the machine is
// busy, or the run does not get to a probe any more.
const LongShare = 3

// watch enforces the timeouts of a process with a slot.
func (p *Process) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var last Now
	last.Run = -1
	since := time.Now()
	var asked time.Time
	for {
		select {
		case <-p.ended:
			return
		case <-p.stopping:
			if asked.IsZero() {
				p.config.Slot.Stop()
				asked = time.Now()
			}
		default:
		}
		if stop := p.config.Stop; !stop.IsZero() && !time.Now().Before(stop) {
			p.Stop()
		}
		now := p.config.Slot.Look()
		if now.Run != last.Run || now.Running != last.Running || now.Long != last.Long || now.Resting {
			last, since = now, time.Now()
		}
		if !now.Running && p.config.Slot.get(wordShrinking) != 0 {
			if since = time.Now(); !asked.IsZero() {
				asked = since
			}
		}
		hang := p.config.Hang
		if now.Long {
			hang *= LongShare
		}
		switch {
		case now.Running && hang > 0 && time.Since(since) > hang:
			p.endHung()
			return
		case !now.Running && !asked.IsZero() && time.Since(asked) > max(p.config.Hang, cleanupWait),
			!now.Running && p.config.Idle > 0 && time.Since(since) > p.config.Idle:
			p.late.Store(true)
			p.Quit()
			return
		}
		select {
		case <-tick.C:
		case <-p.ended:
		}
	}
}

// cleanupWait is how long a process that was asked to stop may take to exit when no run
// is in progress.
const cleanupWait = 30 * time.Second

// Stop asks a process with a slot to exit after its current run.
func (p *Process) Stop() { p.stop.Do(func() { close(p.stopping) }) }

// Quit makes a process print the stacks of its goroutines and exit. If the process does
// not exit, Quit kills it.
func (p *Process) Quit() {
	p.quit.Do(func() {
		if !dump(p.cmd.Process) {
			p.Kill()
			return
		}
		select {
		case <-p.ended:
		case <-time.After(exitWait):
			p.Kill()
		}
	})
}

// Kill kills a process at once.
func (p *Process) Kill() { p.cmd.Process.Kill() }

// killOn kills a process when the channel is closed.
func (p *Process) killOn(cancel <-chan struct{}) {
	select {
	case <-cancel:
		p.Kill()
	case <-p.ended:
	}
}

// Close closes the pipe of questions and waits until the process exits. If the process
// does not exit, Close kills it.
func (p *Process) Close() Death {
	p.EndQuestions()
	select {
	case <-p.ended:
	case <-time.After(exitWait):
		p.Kill()
	}
	return p.Wait()
}

// Gone waits until a process that no longer answers has exited. If the process still runs
// after the timeout of one run, Gone ends it.
func (p *Process) Gone() Death {
	if p.config.Hang > 0 {
		defer time.AfterFunc(p.config.Hang, p.endHung).Stop()
	}
	return p.Wait()
}

// Wait waits until the process has exited and returns how.
func (p *Process) Wait() Death {
	<-p.ended
	p.watching.Wait() // watch does not read the slot any more
	if p.to != nil {
		p.to.Close()
		p.from.Close()
	}
	d := classify(p.state, p.prints.err.String(), p.hung.Load())
	d.Out, d.Late = p.prints.out.String(), p.late.Load()
	if s := p.config.Slot; s != nil {
		d.Running = s.Look().Running
	}
	return d
}

// keeper stores the output of a process: all of it or, if it is too long, the beginning
// and the end.
type keeper struct {
	mu         sync.Mutex
	head, tail []byte
	left       int // bytes left out
}

const (
	headMax = 256 << 10
	tailMax = 512 << 10
)

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(len(p), headMax-len(k.head))
	k.head = append(k.head, p[:n]...)
	k.tail = append(k.tail, p[n:]...)
	if over := len(k.tail) - tailMax; over > tailMax { // only at twice the limit, so that not every write copies the tail
		k.left += over
		k.tail = append(k.tail[:0], k.tail[over:]...)
	}
	return len(p), nil
}

func (k *keeper) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == 0 {
		return string(k.head) + string(k.tail)
	}
	return fmt.Sprintf("%s\n... %d bytes left out ...\n%s", k.head, k.left, k.tail)
}

var _ io.Writer = (*keeper)(nil)
