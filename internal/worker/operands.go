package worker

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/child"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// operands asks another process what an input is compared with. It is the same
// test, built to record its comparisons; it comes to the same Check, and there
// serves (serveOperands). All of this may fail without harm: then nothing is known
// about comparisons.
type operands struct {
	binary   string
	args     []string
	property string
	world    *schema.World
	wait     time.Duration // for one answer

	child *proc.Process
	asked int
	died  int
	off   string // why it is not asked any longer
}

const (
	answerWait = 5 * time.Second // a busy machine must not change what a search knows
	diedMax    = 3
	messageLen = 16 << 20 // most bytes; more than all comparisons of a run
)

// askOperands makes it, if the command has built such a binary.
func askOperands(p *property.Property) *operands {
	binary := p.Job.Program.Operands
	if binary == "" {
		return nil
	}
	return &operands{binary: binary, args: os.Args[1:], property: p.Name, world: p.World, wait: answerWait}
}

// of gives what a run with t compares, or nothing.
func (o *operands) of(t term.Term) []operand.Compared {
	question := operand.AppendTerm(nil, t)
	if o.off != "" || len(question) > messageLen || o.child == nil && !o.start() {
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
			o.off = fmt.Sprintf("their process died %d times, at last with: %v", o.died, err)
		}
	}
	return cs
}

// start brings the process up, or says why not, for good.
func (o *operands) start() bool {
	conf := proc.Config{Path: o.binary, Args: o.args, Dir: property.Home, Hang: o.wait, Base: job.Environ(),
		Job: &job.Job{Mode: job.Operands, Property: o.property},
		// It must be able to see that we are gone while a run never ends.
		Env: []string{"GODEBUG=" + strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=0", ",")}}
	var err error
	if o.child, err = child.Start(conf, operand.Shape(o.world)); err != nil {
		o.off = "their process " + err.Error()
		if trouble := (*child.Error)(nil); !errors.As(err, &trouble) && !errors.Is(err, child.ErrTypes) {
			o.off = "start their process: " + err.Error()
		}
	}
	return err == nil
}

// close ends the process, which finishes its test.
func (o *operands) close() {
	if o.child != nil {
		o.child.Close()
		o.child = nil
	}
}

// told is what the command hears about it.
func (o *operands) told() *event.Operands {
	return &event.Operands{Asked: o.asked, Died: o.died, Off: o.off}
}

// lingers is how long a test may take to end when nobody is left who asks.
const lingers = 10 * time.Second

// serveOperands runs the property on one term after the other and answers with
// what it compared, until nobody asks any more.
func serveOperands(p *property.Property) {
	p.TB.Helper()
	rec := &operand.Recorder{}
	hook.Numbers, hook.Texts = rec.Number, rec.Text
	s, err := child.Greet(p.Job.Wires, operand.Shape(p.World), tryRecord(rec))
	if err != nil {
		p.TB.Errorf("allele: nobody asks for operands: %v", err)
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

// questions reads beside the runs, so that a run that never ends does not outlive
// the process that asked for it.
func questions(s *child.Server, running *atomic.Bool) <-chan []byte {
	all := make(chan []byte)
	go func() {
		for {
			question, err := s.Next()
			if err != nil && running.Load() {
				os.Exit(1)
			}
			if err != nil {
				time.AfterFunc(lingers, func() { os.Exit(1) })
				close(all)
				return
			}
			all <- question
		}
	}()
	return all
}

// tryRecord checks that every package of the program tells what it compares.
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
		return fmt.Errorf("%d of %d packages do not record their comparisons; this version of Go may do it in another way",
			missing, len(hook.Tries))
	}
	return nil
}
