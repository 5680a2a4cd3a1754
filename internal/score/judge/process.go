//go:build go1.25

package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// How the test that does requests is run. One processor and one parallel
// test at a time: goroutines take turns, so the steps of a run do not depend on the load of the
// machine. Goroutines can still be interrupted at any point, because the goroutine that watches
// over a run must get its turn.
var testArgs = []string{"-test.run=^" + scoring.SuiteTest + "$", "-test.timeout=0", "-test.count=1", "-test.parallel=1",
	"-test.paniconexit0"}

var testEnv = []string{"GOMAXPROCS=1", "GOTRACEBACK=single"}

// Tests returns how a test binary is started in which ordinary tests do the request in a file.
func Tests(request string) proc.Config {
	return proc.Config{Args: testArgs, Env: []string{scoring.Variable + "=" + request}}
}

const (
	pollEvery = 20 * time.Millisecond
	// exitWait is how long a process may take to exit after it has done its request.
	exitWait = 10 * time.Second
	// asleepWait is how long the runtime may take to notice that all goroutines wait for each other.
	asleepWait = 5 * time.Second
	// silentShare is how many times the wall limit a process may write nothing. It ends
	// itself much earlier, unless not even its own watcher runs.
	silentShare = 30
	slowShare   = 100 // and how many times the time of the slowest test
)

// ending is what a process has written, and how it ended.
type ending struct {
	lines  []scoring.Line
	death  proc.Death
	silent bool // it was ended because it wrote nothing for a long time
	cut    bool // it was ended because the command is to stop
}

// has reports whether the process has written a line with this event.
func (e *ending) has(event string) bool { return e.find(event) != nil }

// find returns the last line with this event.
func (e *ending) find(event string) *scoring.Line {
	for i := len(e.lines) - 1; i >= 0; i-- {
		if e.lines[i].Event == event {
			return &e.lines[i]
		}
	}
	return nil
}

// run starts a process that does a request, calls each for every line that it writes, and
// waits for its end. name is the name of its files, which are removed at the end.
func (j *judge) run(ctx context.Context, name string, r scoring.Request, each func(scoring.Line)) (*ending, error) {
	r.Results = filepath.Join(j.Work, name+".lines")
	r.Baseline = j.baselineFile()
	r.Wall, r.Memory, r.Leave = int64(j.Wall), j.Memory, j.leave
	asks := filepath.Join(j.Work, name+".request")
	defer os.Remove(asks)
	defer os.Remove(r.Results)
	os.Remove(r.Results)
	if err := r.Write(asks); err != nil {
		return nil, err
	}
	conf := Tests(asks)
	if j.Process != nil {
		conf = j.Process(asks)
	}
	if r.Boot {
		f := r.Faults[0]
		conf.Env = append(conf.Env, fmt.Sprintf("%s=%s %d %d", scoring.BootVariable, f.Package, f.Site, f.Variant))
	}
	conf.Path, conf.Dir, conf.Base, conf.Env = j.Binary, j.Dir, j.Env, append(conf.Env, testEnv...)
	place := j.Room.enter(ctx)
	if place == nil {
		return nil, ctx.Err()
	}
	defer j.Room.leave(place)
	p, err := proc.Start(conf)
	if err != nil {
		return nil, err
	}
	e := &ending{}
	clock := stopwatch{}
	j.follow(ctx, e, &watched{p, place.goneFor(r)}, &tailer{file: r.Results, each: func(l scoring.Line) {
		if n := len(e.lines); n > 0 && l.Event == scoring.Start && e.lines[n-1].Event == scoring.Start {
			e.lines[n-1] = l // of runs that passed, only the number matters
		} else {
			e.lines = append(e.lines, l)
		}
		if test, spent := clock.lap(l); spent > 0 {
			j.mu.Lock()
			j.found.spent[test] += spent
			j.mu.Unlock()
		}
		if each != nil {
			each(l)
		}
	}})
	if err := ctx.Err(); err != nil {
		return e, err
	}
	switch l := e.find(scoring.Begin); {
	case l != nil:
		return e, l.Refused()
	case !r.Boot:
		return e, fmt.Errorf("the tests in %s did not start (%s); if there is a TestMain, it must call m.Run:\n%s",
			filepath.Base(j.Dir), e.death.Text, tail(e.death))
	}
	return e, nil
}

// watched is a process that is followed until it ends, or until it is to end because the memory is needed.
type watched struct {
	*proc.Process
	gone <-chan struct{}
}

// stopwatch computes from the lines of a process how much time each test has taken.
type stopwatch struct {
	test string
	at   int64
}

// lap returns the test that has run until a line, and how long.
func (s *stopwatch) lap(l scoring.Line) (test string, spent time.Duration) {
	if l.Nanos == 0 || l.Event == scoring.Tested {
		return "", 0
	}
	test, spent = s.test, time.Duration(l.Nanos-s.at)
	if s.at = l.Nanos; test == "" {
		spent = 0
	}
	if s.test = ""; l.Event == scoring.Start || l.Event == scoring.Check {
		s.test = l.Test
	}
	return test, spent
}

// follow reads the lines of a process until it has ended.
func (j *judge) follow(ctx context.Context, e *ending, p *watched, t *tailer) {
	ended := make(chan proc.Death, 1)
	go func() { ended <- p.Wait() }()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	defer t.close()
	for wrote := time.Now(); ; {
		select {
		case e.death = <-ended:
			t.read()
			return
		case <-p.gone:
			e.cut = true
			p.Kill()
			<-ended
			t.read()
			return
		case <-ctx.Done():
			e.cut = true
			p.Kill()
			<-ended
			t.read()
			return
		case <-tick.C:
		}
		if t.read() > 0 {
			wrote = time.Now()
		}
		silent := time.Since(wrote)
		e.silent = silent > silentShare*j.Wall+2*slowShare*slowest(j.tests) || silent > asleepWait && e.has(scoring.Stuck)
		if e.silent || silent > exitWait && e.has(scoring.Done) {
			p.Quit()
			e.death = <-ended
			t.read()
			return
		}
	}
}

// tailer reads lines that another process appends to a file.
type tailer struct {
	file string
	each func(scoring.Line)
	f    *os.File
	rest []byte
	buf  [1 << 14]byte
}

// read calls each for the complete lines that were added, and returns how many.
func (t *tailer) read() int {
	if t.f == nil {
		f, err := os.Open(t.file)
		if err != nil {
			return 0 // the process has not created it yet
		}
		t.f = f
	}
	for {
		m, err := t.f.Read(t.buf[:])
		t.rest = append(t.rest, t.buf[:m]...)
		if err != nil || m == 0 {
			break
		}
	}
	var lines []scoring.Line
	lines, t.rest = scoring.Lines(t.rest)
	for _, l := range lines {
		t.each(l)
	}
	return len(lines)
}

func (t *tailer) close() {
	if t.f != nil {
		t.f.Close()
	}
}

// tailMax bounds the output of a process in a message, in bytes.
const tailMax = 2000

// tail returns the end of what a process has printed.
func tail(d proc.Death) string {
	text := strings.TrimSpace(d.Out + d.Err + d.Stack)
	if len(text) > tailMax {
		text = "..." + strings.ToValidUTF8(text[len(text)-tailMax:], "")
	}
	return text
}
