package allele

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// operands asks another process what an input is compared with. It is the same
// test, built to tell its comparisons; it comes to the same Check, and there
// serves (serve.go). A message is its length and as many bytes; first comes one
// from there that says whether it can do it.
//
// All of this may fail without harm: then nothing is known about comparisons.
// There is no goroutine here, because a run is judged by whether there are more
// of them after it than before.
type operands struct {
	binary   string
	args     []string
	property string
	world    *schema.World
	wait     time.Duration // for one answer

	child *child
	asked int
	died  int
	off   string // why it is not asked any longer
}

const (
	helloWait  = 20 * time.Second // what TestMain does takes its time
	answerWait = 2 * time.Second
	endWait    = time.Second // to clean up behind the test
	diedMax    = 3
	messageLen = 16 << 20 // most bytes; more than all comparisons of a run
)

// know tells the engine where to find what the program compares its inputs with.
func (c *check) know(e *engine.Config) {
	if e.Strategy == nil {
		return
	}
	e.Literals = operand.NewLiterals(hook.Literals).Of
	if binary := c.job.Program.Operands; binary != "" {
		c.operands = &operands{binary: binary, args: os.Args[1:], property: c.name, world: c.world, wait: answerWait}
		e.Compare = c.operands.of
	}
}

// of gives what a run with t compares, or nothing.
func (o *operands) of(t term.Term) []operand.Compared {
	question := operand.AppendTerm(nil, t)
	if o.off != "" || len(question) > messageLen || o.child == nil && !o.start() {
		return nil
	}
	o.asked++
	answer, err := o.child.ask(question, o.wait)
	var cs []operand.Compared
	if err == nil {
		cs, err = operand.Parse(answer)
	}
	if err != nil {
		o.child.end(0)
		o.child = nil
		if o.died++; o.died > diedMax {
			o.off = fmt.Sprintf("their process died %d times, at last with: %v", o.died, err)
		}
	}
	return cs
}

// start brings the process up, or says why not, for good.
func (o *operands) start() bool {
	child, err := o.begin()
	if err != nil {
		o.off = err.Error()
		return false
	}
	hello, err := child.hear(helloWait)
	switch shape := binary.LittleEndian.AppendUint64(nil, operand.Shape(o.world)); {
	case err != nil:
		err = fmt.Errorf("their process did not come up: %w", err)
	case len(hello) == 0 || hello[0] != helloGood:
		err = fmt.Errorf("their process refused: %s", hello[min(1, len(hello)):])
	case string(hello[1:]) != string(shape):
		err = errors.New("their process sees other types in the input")
	default:
		o.child = child
		return true
	}
	child.end(0)
	o.off = err.Error()
	return false
}

// begin starts the process with a pipe each way, which it has as its files 3 and 4.
func (o *operands) begin() (*child, error) {
	theirs, questions, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	answers, back, err := os.Pipe()
	if err != nil {
		questions.Close()
		return nil, err
	}
	defer back.Close()
	cmd := exec.Command(o.binary, o.args...)
	cmd.Dir, cmd.ExtraFiles = home, []*os.File{theirs, back}
	work := job.Job{Mode: job.Operands, Property: o.property}
	// It must be able to see that we are gone while a run never ends.
	cmd.Env = append(job.Environ(), job.Variable+"="+work.Encode(), "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=0", ","))
	if err := cmd.Start(); err != nil {
		questions.Close()
		answers.Close()
		return nil, fmt.Errorf("start their process: %w", err)
	}
	return &child{cmd, questions, answers}, nil
}

// close ends the process, which finishes its test.
func (o *operands) close() {
	if o.child != nil {
		o.child.end(endWait)
		o.child = nil
	}
}

// told is what the command hears about it.
func (o *operands) told() *event.Operands {
	return &event.Operands{Asked: o.asked, Died: o.died, Off: o.off}
}

// child is the process, seen from here.
type child struct {
	cmd       *exec.Cmd
	questions *os.File
	answers   *os.File
}

func (c *child) ask(question []byte, wait time.Duration) (answer []byte, err error) {
	if err := c.questions.SetWriteDeadline(time.Now().Add(wait)); err != nil {
		return nil, err
	}
	if err := proc.Say(c.questions, question); err != nil {
		return nil, err
	}
	return c.hear(wait)
}

func (c *child) hear(wait time.Duration) ([]byte, error) {
	if err := c.answers.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return nil, err
	}
	return proc.Hear(c.answers)
}

// end lets the process go, and sees to it that it does.
func (c *child) end(wait time.Duration) {
	c.questions.Close()
	if wait > 0 && c.answers.SetReadDeadline(time.Now().Add(wait)) == nil {
		io.Copy(io.Discard, c.answers) // until it has ended, or the time is up
	}
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.answers.Close()
}
