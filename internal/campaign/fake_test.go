//go:build go1.25

package campaign

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// fake replaces everything outside of a campaign. It builds nothing and starts nothing: a
// process is a call of answer, which may take time and use its slot like a real process.
// The clock is that of testing/synctest, so minutes pass at once.
type fake struct {
	answer    func(*process) (proc.Death, []event.Event)
	processes launch.Group

	mu       sync.Mutex
	jobs     []*job.Job
	tasks    []launch.Task
	reported []event.Event
	recorded map[string]Result
	live     map[*process]bool
	liveMost int // at a time
}

// process is a fake process.
type process struct {
	features int // how many features there are, or 0 if there is no end of them
	launch.Task
	n      int // how many processes of this mode and property were started before it
	killed chan struct{}
	once   sync.Once

	mu     sync.Mutex
	exited bool // its slot is not used any more
}

func (p *process) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Slot != nil && !p.exited {
		p.Slot.Stop()
	}
}

func (p *process) exit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exited = true
}

func (p *process) Kill() { p.once.Do(func() { close(p.killed) }) }

// emit reports events while the process runs.
func (p *process) emit(bodies ...event.Body) []event.Event {
	all := events(bodies...)
	if p.OnEvent != nil {
		for _, e := range all {
			p.OnEvent(e)
		}
	}
	return all
}

func (f *fake) Run(t launch.Task) (proc.Death, []event.Event, error) {
	p := &process{Task: t, killed: make(chan struct{})}
	f.mu.Lock()
	for _, j := range f.jobs {
		if j.Mode == t.Job.Mode && j.Property == t.Job.Property {
			p.n++
		}
	}
	f.jobs, f.tasks = append(f.jobs, t.Job), append(f.tasks, t)
	if f.live == nil {
		f.live = map[*process]bool{}
	}
	f.live[p] = true
	f.liveMost = max(f.liveMost, len(f.live))
	f.mu.Unlock()
	for _, g := range append(slices.Clone(t.Groups), &f.processes) {
		defer g.Enter(p)()
	}
	if !t.Config.Stop.IsZero() {
		defer time.AfterFunc(time.Until(t.Config.Stop), p.Stop).Stop()
	}
	defer p.exit()
	d, events := f.answer(p)
	if t.OnEvent != nil {
		for _, e := range events {
			t.OnEvent(e)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.live, p)
	return d, events, nil
}

func (f *fake) Report(p Property, b event.Body) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reported = append(f.reported, event.Event{Property: p.Name, Body: b})
}

func (f *fake) Record(p Property, r Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.recorded == nil {
		f.recorded = map[string]Result{}
	}
	f.recorded[p.Name] = r
}

func (f *fake) Binary(pkg string) string         { return pkg + ".test" }
func (f *fake) Plain(pkg string) (string, error) { return pkg + ".plain", nil }
func (f *fake) Hash(pkg string) (string, error)  { return "hash of " + pkg, nil }
func (f *fake) BuildOperands(string)             {}

func (f *fake) Encoder(string) (binary, faults string) { return "", "" }

func (f *fake) Operands(pkg string) string { return pkg + ".operands" }
func (f *fake) Sites() int                 { return 7 }

// config returns the configuration of a campaign that uses the fake.
func (f *fake) config(t *testing.T) Config {
	s := &Supervisor{Runner: f, Program: f, Processes: &f.processes, Limits: job.Limits{Run: time.Second, Temp: t.TempDir()}}
	return Config{Supervisor: s, Builds: f, Listener: f, Corpus: t.TempDir()}
}

func named(names ...string) (props []Property) {
	for _, n := range names {
		props = append(props, Property{Package: "p", Name: n, Test: n, Dir: "dir"})
	}
	return props
}

// modes returns the modes of all jobs, in order.
func (f *fake) modes() string {
	var all []string
	for _, j := range f.jobs {
		all = append(all, string(j.Mode))
	}
	return strings.Join(all, " ")
}

// reports returns the reported events of a property without Progress: each kind, with
// its verdict or its text.
func (f *fake) reports(property string) string {
	var all []string
	for _, e := range f.reported {
		if e.Property != property || e.Kind() == "progress" {
			continue
		}
		all = append(all, strings.TrimSpace(string(e.Kind())+" "+detail(e.Body)))
	}
	return strings.Join(all, ", ")
}

// detail returns the verdict of an event, or the first line of its text.
func detail(b event.Body) string {
	switch b := b.(type) {
	case event.Found:
		if b.Known {
			return "known"
		}
		return string(b.Verdict)
	case event.Finished:
		return string(b.Verdict)
	case event.Repeated:
		return string(b.Verdict)
	case event.Note:
		return strings.SplitN(b.Text, "\n", 2)[0]
	case event.Died:
		return strings.SplitN(b.Text, "\n", 2)[0]
	case event.Stopped:
		return strings.SplitN(b.Text, "\n", 2)[0]
	}
	return ""
}

// events returns the events with these bodies.
func events(bodies ...event.Body) (all []event.Event) {
	for _, b := range bodies {
		all = append(all, event.Event{Body: b})
	}
	return all
}

// runTime is how long a run of a fake process takes.
const runTime = time.Millisecond

// search makes so many runs, each of which finds a feature. It rests and stops when its
// slot requests that. It returns false if it was killed.
func (p *process) search(runs int) (seen proc.Seen, alive bool) {
	for seen.Passed < runs && !p.Slot.Stopped() {
		for p.Slot.Paused() && !p.Slot.Stopped() {
			p.Slot.Rest(true)
			time.Sleep(runTime)
		}
		p.Slot.Rest(false)
		p.Slot.Begin(fmt.Append(nil, seen.Passed))
		select {
		case <-p.killed:
			return seen, false
		case <-time.After(runTime):
		}
		seen.Passed++
		seen.Features, seen.Paths, seen.Distinct = seen.Passed, seen.Passed, seen.Passed
		if p.features > 0 {
			seen.Features = min(seen.Features, p.features)
		}
		p.Slot.End(seen)
	}
	return seen, true
}

// passes is a process that makes so many runs and finishes.
func passes(p *process, runs int) (proc.Death, []event.Event) {
	seen, alive := p.search(runs)
	if !alive {
		return proc.Death{Kind: proc.Killed, Text: "killed by SIGKILL", Running: true}, nil
	}
	return proc.Death{}, events(event.Finished{Verdict: event.Passed, Counts: counts(seen)})
}

// fails is a process that makes so many runs, of which the last fails.
func fails(p *process, runs int) (proc.Death, []event.Event) {
	seen, _ := p.search(runs)
	return proc.Death{Code: 1, Out: "report"}, events(event.Found{Verdict: event.Failed, Text: "report"},
		event.Finished{Verdict: event.Failed, Counts: event.Counts{Runs: seen.Passed, Passed: seen.Passed - 1}})
}

// dies is a process that makes so many runs and crashes in the next one.
func dies(p *process, runs int, text string) (proc.Death, []event.Event) {
	p.search(runs)
	p.Slot.Begin([]byte("bad"))
	return proc.Death{Kind: proc.Panic, Code: 2, Text: text, Running: true}, nil
}

// slots returns the files of slots that a campaign has left behind.
func slots(t *testing.T, c Config) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(c.Corpus, "*", "*", "*.slot*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}
