// Package proc runs a program that may do anything, and says how it ended.
//
// A property under test can overflow its stack, call os.Exit, write to a map from
// two goroutines, wait for ever, take all memory or kill its own process. None of
// that can be caught from inside. So properties run in a process of their own: the
// same test binary once more. It notes each case in a Slot before it runs it:
//
//	slot.Begin(c); property(c); slot.End(seen)    // worker: the hot path
//
//	p, err := proc.Start(proc.Config{Path: binary, Slot: slot, Hang: 10 * time.Second})
//	d := p.Wait()                                 // parent: how did it end?
//	if d.Running { c, err := slot.Case() }        // and in the middle of which case
//
// A process that is asked for one case after the other needs no slot: who asks
// knows what it is at.
//
//	answer, ok := p.Ask(c)                        // if not ok it has ended: Wait
//
// The wall clock decides nothing here but when to lose patience with a run.
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

	"github.com/allele-go/allele/internal/ops/job"
)

// Config says what to run.
type Config struct {
	Path string
	Args []string
	Dir  string
	Base []string // its environment; nil means that of this process
	Env  []string // in addition to that
	Job  *job.Job // what it is to do, if it is a test binary; Wires is set here

	Slot  *Slot         // that the process notes its cases in; nil if it is asked
	Asked bool          // it can be asked
	Hang  time.Duration // how long one run may take; 0 means for ever

	// Idle is how long it may take while no run is under way: to begin, and to end;
	// without a slot, in all. 0 means for ever.
	Idle time.Duration

	// Stop, if it is not zero, is when the process is asked to end by itself. If
	// it does not, within a time it may need to clean up, it is ended.
	Stop time.Time
}

// Process is a program that was started.
type Process struct {
	config   Config
	cmd      *exec.Cmd
	prints   output
	to, from *os.File // if it can be asked
	ended    chan struct{}
	watching sync.WaitGroup
	state    *os.ProcessState
	hung     atomic.Bool // it was ended because of a run that took too long
	late     atomic.Bool // or because it did not stop when it was asked to
	quit     sync.Once
	stopping chan struct{} // closed when it is to stop
	stop     sync.Once
}

// output is what a process prints.
type output struct {
	out, err keeper
	pipes    []*os.File
	reading  sync.WaitGroup
}

// Start starts a process. On Linux it ends with this one, however that ends.
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
	if theirs, err = p.listen(theirs); err != nil {
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
		limit := time.AfterFunc(c.Idle, p.lose)
		go func() { <-p.ended; limit.Stop() }()
	}
	return p, nil
}

// listen reads what the process prints. The pipes are ours: a process that it has
// started may hold them for longer than it lives.
func (p *Process) listen(theirs []*os.File) ([]*os.File, error) {
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

// heard waits for the rest of what the process has printed, but not for others that
// print there too.
func (p *Process) heard() {
	all := make(chan struct{})
	go func() {
		p.prints.reading.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-time.After(echoes):
	}
	for _, r := range p.prints.pipes {
		r.Close()
	}
}

// echoes is how long the last words of a process may take to come through.
const echoes = time.Second

// lingers is how long a process may take to say where it is.
const lingers = 5 * time.Second

// run keeps to one thread until the process has ended: the system ends it with
// the thread that started it.
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
	p.cmd.Wait() // what it says is in the state
	p.state = p.cmd.ProcessState
	p.heard()
	close(p.ended)
}

// wired is the job with how the process is connected to this one.
func (c *Config) wired(pipes []uintptr) job.Job {
	j := *c.Job
	if j.Wires = (job.Wires{Pipes: pipes}); c.Slot != nil {
		j.Wires.Slot = c.Slot.Path()
	}
	return j
}

// connect makes a pipe each way, if the process is to be asked.
func (p *Process) connect() (theirs []*os.File, pipes []uintptr, err error) {
	if !p.config.Asked {
		return nil, nil, nil
	}
	hears, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, says, err := os.Pipe()
	if err != nil {
		hears.Close()
		to.Close()
		return nil, nil, err
	}
	p.to, p.from = to, from
	theirs = []*os.File{hears, says}
	pipes, err = hand(p.cmd, theirs)
	return theirs, pipes, err
}

// Ask sends a question and waits for the answer. If there is none, the process
// has ended or was ended: Wait tells why.
func (p *Process) Ask(question []byte) (answer []byte, ok bool) {
	if !p.Send(question) {
		return nil, false
	}
	return p.Listen(p.config.Hang)
}

// Send sends a question, and reports false if nobody can read it.
func (p *Process) Send(question []byte) bool { return Say(p.to, question) == nil }

// EndQuestions says that nobody asks any more.
func (p *Process) EndQuestions() {
	if p.to != nil {
		p.to.Close()
	}
}

// Listen waits so long for a message; 0 means for ever.
func (p *Process) Listen(patience time.Duration) (message []byte, ok bool) {
	if patience > 0 {
		defer time.AfterFunc(patience, p.lose).Stop()
	}
	message, err := Hear(p.from)
	return message, err == nil
}

// lose ends a process that hangs.
func (p *Process) lose() {
	p.hung.Store(true)
	p.Quit()
}

// looks is how often a process is looked at.
const looks = 50 * time.Millisecond

// watch looks after the runs of a process with a slot.
func (p *Process) watch() {
	tick := time.NewTicker(looks)
	defer tick.Stop()
	run, running, since := -1, false, time.Now()
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
		if now.Run != run || now.Running != running || now.Resting {
			run, running, since = now.Run, now.Running, time.Now()
		}
		switch {
		case now.Running && p.config.Hang > 0 && time.Since(since) > p.config.Hang:
			p.lose()
			return
		case !now.Running && !asked.IsZero() && time.Since(asked) > max(p.config.Hang, tidies),
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

// tidies is how long a process may take to end when no run is under way.
const tidies = 30 * time.Second

// Stop asks a process with a slot to end after its present run.
func (p *Process) Stop() { p.stop.Do(func() { close(p.stopping) }) }

// Quit has a process say where it is, and end.
func (p *Process) Quit() {
	p.quit.Do(func() {
		if !dump(p.cmd.Process) {
			p.Kill()
			return
		}
		select {
		case <-p.ended:
		case <-time.After(lingers):
			p.Kill()
		}
	})
}

// Kill ends a process at once.
func (p *Process) Kill() { p.cmd.Process.Kill() }

// Close lets a process that was asked go, and sees to it that it does.
func (p *Process) Close() Death {
	p.EndQuestions()
	select {
	case <-p.ended:
	case <-time.After(lingers):
		p.Kill()
	}
	return p.Wait()
}

// Gone waits for the end of a process that does not answer any more, as long as for
// an answer, and then brings it about.
func (p *Process) Gone() Death {
	if p.config.Hang > 0 {
		defer time.AfterFunc(p.config.Hang, p.lose).Stop()
	}
	return p.Wait()
}

// Wait waits for the end and says how it came.
func (p *Process) Wait() Death {
	<-p.ended
	p.watching.Wait() // nobody looks into the slot any more
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

// keeper keeps what a process prints: all of it, or if that is too much, the
// beginning and the end.
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
	if over := len(k.tail) - tailMax; over > tailMax { // now and then, not every time
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
