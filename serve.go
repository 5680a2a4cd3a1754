package allele

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
)

// The first byte of the first message from a process that serves: the shape of
// its types follows, or why it cannot do it.
const (
	helloBad  = 0
	helloGood = 1
)

// lingers is how long a test may take to end when nobody is left who asks.
const lingers = 10 * time.Second

// server is the Check that serves. There is one in a process, and its files stay
// open until that ends: so who asks can see that it has.
var server struct {
	from, to *os.File
	running  atomic.Bool
}

// greet opens the way to who asks and says whether terms mean the same here.
func (c *check) greet(trouble error) bool {
	server.from, server.to = proc.Asked(c.job.Wires)
	if server.from == nil || server.to == nil {
		return false
	}
	hello := binary.LittleEndian.AppendUint64([]byte{helloGood}, operand.Shape(c.world))
	if trouble != nil {
		hello = append([]byte{helloBad}, trouble.Error()...)
	}
	return proc.Say(server.to, hello) == nil
}

// serveOperands runs the property on one term after the other and answers with
// what it compared, until nobody asks any more.
func (c *check) serveOperands() {
	rec := &operand.Recorder{}
	hook.Numbers, hook.Texts = rec.Number, rec.Text
	if !c.greet(tryRecord(rec)) {
		return
	}
	for question := range questions(server.from) {
		x, err := operand.ParseTerm(c.world, question)
		if err != nil {
			return
		}
		server.running.Store(true)
		rec.Begin()
		c.runner.alone(x, nil)
		cs := rec.End()
		server.running.Store(false)
		if proc.Say(server.to, operand.Append(nil, cs)) != nil {
			return
		}
	}
}

// questions reads beside the runs, so that a run that never ends does not outlive
// who asked for it.
func questions(from *os.File) <-chan []byte {
	all := make(chan []byte)
	go func() {
		for {
			question, err := proc.Hear(from)
			if err != nil && server.running.Load() {
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
		if !slices.ContainsFunc(rec.End(), func(c operand.Compared) bool { return c.A == hook.Tried && c.B == 1 || c.A == 1 && c.B == hook.Tried }) {
			missing++
		}
	}
	if missing > 0 {
		return fmt.Errorf("%d of %d packages do not record their comparisons; this version of Go may do it in another way", missing, len(hook.Tries))
	}
	return nil
}

// serveCases runs the property on one term after the other and answers how that
// ended, if it comes to answer: what ends the process is the answer as well.
//
// Nothing is read while a run is under way. The runtime could not tell that all
// goroutines wait for each other if one of them waited for a file.
func (c *check) serveCases() {
	c.confine()
	tries := c.job.Repeat.Tries
	c.runner.detail = true
	mirrored := c.mirror()
	if !c.greet(nil) {
		return
	}
	for {
		question, err := proc.Hear(server.from)
		if err != nil {
			time.AfterFunc(lingers, func() { os.Exit(1) })
			return
		}
		x, err := operand.ParseTerm(c.world, question)
		if err != nil {
			return
		}
		if mirrored {
			clear(hook.Buf[:])
		}
		answer, err := json.Marshal(c.repeat(x, tries))
		if err != nil || proc.Say(server.to, answer) != nil {
			return
		}
	}
}

// repeat runs a term until it fails, or so many times.
func (c *check) repeat(x term.Term, tries int) told {
	for {
		o := c.runner.alone(x, nil)
		if tries--; tries <= 0 || o.verdict() != engine.Passed {
			return c.answer(o)
		}
	}
}

// told is an outcome on its way from one process to another.
type told struct {
	State    uint32
	Rejected string `json:",omitempty"` // by whom
	Logs     []logLine
	Panicked *panicked
	At       string
	Cut      string
	Loop     string
	Overflow string
	Outer    string
	Helpers  []string `json:",omitempty"` // functions
}

func (c *check) answer(o outcome) told {
	t := told{State: o.T.state.Load()}
	if o.verdict() == engine.Discarded {
		t.Rejected = c.rejected(reject{c.runner.refused, o.given})
	}
	if x := o.more; x != nil {
		t.Logs, t.Panicked, t.At, t.Cut, t.Loop, t.Overflow, t.Outer = x.logs, x.panicked, x.at, x.cut, x.loop, x.overflow, x.outer
	}
	c.runner.words.Lock()
	defer c.runner.words.Unlock()
	t.Helpers = slices.Sorted(maps.Keys(c.runner.helpers))
	return t
}

// heard makes an outcome of it again.
func (c *check) heard(t told) outcome {
	o := outcome{T: &T{tb: c.runner}, rejected: t.Rejected}
	o.state.Store(t.State)
	o.more = &extra{logs: t.Logs, panicked: t.Panicked, at: t.At, cut: t.Cut, loop: t.Loop, overflow: t.Overflow, outer: t.Outer}
	c.runner.words.Lock()
	defer c.runner.words.Unlock()
	c.runner.learn(t.Helpers...)
	return o
}
