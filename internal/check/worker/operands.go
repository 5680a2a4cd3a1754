//go:build go1.25

package worker

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/child"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// operands finds out what an input is compared with, by asking another process. That
// process is the same test, built to record its comparisons. It runs the test up to the
// same Check, which then serves the requests (serveOperands). If any of this fails, the
// search goes on without knowledge of comparisons.
type operands struct {
	binary   string
	args     []string
	property string
	world    *schema.World
	wait     time.Duration          // for one answer
	prepare  func(file string) bool // makes the command build the binary, and waits for it; returns false if there is none; may be nil

	child *proc.Process
	asked int
	died  int
	off   string // why the process is no longer asked; empty if it still is
	none  bool   // the command could not build the binary, and has said why
}

const (
	answerWait = 5 * time.Second // long, so that a search learns the same on a busy machine
	diedMax    = 3
	messageLen = 16 << 20 // maximal bytes of a message; the comparisons of a run need less
)

// askOperands returns nil if the command has not built a binary that records comparisons.
func askOperands(p *property.Property, super *supervisor) *operands {
	binary := p.Job.Program.Operands
	if binary == "" {
		return nil
	}
	request := func() { p.Emit(event.Wanted{}) }
	return &operands{binary: binary, args: os.Args[1:], property: p.Name, world: p.World, wait: answerWait,
		prepare: func(file string) bool { return super.obtain(file, request) }}
}

// of returns the comparisons of a run with t, or nothing if the process cannot be asked.
func (o *operands) of(t term.Term) []operand.Compared {
	question := operand.AppendTerm(nil, t)
	if o.off != "" || o.none || len(question) > messageLen || o.child == nil && !o.start() {
		return nil
	}
	o.asked++
	answer, ok := o.child.Ask(question)
	err := errors.New("no answer")
	var cs []operand.Compared
	if ok {
		cs, err = operand.Parse(answer)
	}
	if err != nil {
		o.child.Kill()
		if d := o.child.Wait(); !ok {
			err = errors.New(d.Text)
		}
		o.child = nil
		if o.died++; o.died > diedMax {
			o.off = fmt.Sprintf("the operand process died %d times, most recently with: %v", o.died, err)
		}
	}
	return cs
}

// start starts the process. If that fails it sets o.off or o.none, so that there is no second
// attempt.
func (o *operands) start() bool {
	if o.none = o.prepare != nil && !o.prepare(o.binary); o.none {
		return false
	}
	conf := proc.Config{Path: o.binary, Args: o.args, Hang: o.wait, Job: &job.Job{Mode: job.Operands, Property: o.property}}
	o.child, o.off = startHelper("operand process", conf, o.world)
	return o.off == ""
}

// startHelper starts another process of this program, which answers questions. If that fails, it
// returns why; name is what the process is called then.
func startHelper(name string, conf proc.Config, w *schema.World) (p *proc.Process, off string) {
	conf.Dir, conf.Base = property.Home, job.Environ()
	// Preemption lets the process notice that its parent has exited, even during an endless run.
	conf.Env = []string{"GODEBUG=" + strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=0", ",")}
	p, err := child.Start(conf, operand.Shape(w))
	if err == nil {
		return p, ""
	}
	if trouble := (*child.Error)(nil); !errors.As(err, &trouble) && !errors.Is(err, child.ErrTypes) {
		return nil, "cannot start the " + name + ": " + err.Error()
	}
	return nil, "the " + name + " " + err.Error()
}

// close ends the process, which first finishes its test.
func (o *operands) close() {
	if o.child != nil {
		o.child.Close()
		o.child = nil
	}
}

// summary returns the counts for the event that ends the search.
func (o *operands) summary() *event.Operands {
	if o.none {
		return nil
	}
	return &event.Operands{Asked: o.asked, Died: o.died, Off: o.off}
}

// serveOperands runs the property on each term that the parent sends and answers with the
// comparisons of the run, until the parent stops asking.
func serveOperands(p *property.Property) {
	p.TB.Helper()
	rec := &operand.Recorder{}
	hook.Numbers, hook.Texts = rec.Number, rec.Text
	s, err := child.Greet(p.Job.Wires, operand.Shape(p.World), tryRecord(rec))
	if err != nil {
		p.TB.Errorf("allele: cannot connect to the process that asks for operands: %v", err)
		return
	}
	var running atomic.Bool
	for question := range questions(s, &running) {
		x, err := operand.ParseTerm(p.World, question)
		if err != nil {
			return
		}
		running.Store(true)
		rec.Begin()
		p.Runner.One(x, false)
		cs := rec.End()
		running.Store(false)
		if s.Answer(operand.Append(nil, cs)) != nil {
			return
		}
	}
}

// questions reads requests in a goroutine of its own. If the parent exits during a run, which
// may be endless, that goroutine ends this process.
func questions(s *child.Server, running *atomic.Bool) <-chan []byte {
	all := make(chan []byte)
	go func() {
		for {
			question, err := s.Next()
			if err != nil && running.Load() {
				os.Exit(1)
			}
			if err != nil {
				time.AfterFunc(plain.Lingers, func() { os.Exit(1) })
				close(all)
				return
			}
			all <- question
		}
	}()
	return all
}

// tryRecord checks that every package of the program records its comparisons.
func tryRecord(rec *operand.Recorder) error {
	if len(hook.Tries) == 0 {
		return errors.New("no package was built to record its comparisons")
	}
	missing := 0
	for _, f := range hook.Tries {
		rec.Begin()
		f(1)
		tried := func(c operand.Compared) bool {
			return c.A == hook.Tried && c.B == 1 || c.A == 1 && c.B == hook.Tried
		}
		if !slices.ContainsFunc(rec.End(), tried) {
			missing++
		}
	}
	if missing > 0 {
		return fmt.Errorf("%d of %d packages do not record their comparisons; allele may not support this version of Go",
			missing, len(hook.Tries))
	}
	return nil
}
