package allele

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/hook"
	"github.com/allele-go/allele/internal/search/operand"
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

// serve runs the property on one term after the other and answers with what it
// compared, until nobody asks any more.
func (c *check) serve() {
	server.from, server.to = os.NewFile(3, "questions"), os.NewFile(4, "answers")
	if server.from == nil || server.to == nil {
		return
	}
	rec := &operand.Recorder{}
	hook.Numbers, hook.Texts = rec.Number, rec.Text
	hello := binary.LittleEndian.AppendUint64([]byte{helloGood}, operand.Shape(c.world))
	if err := tryRecord(rec); err != nil {
		hello = append([]byte{helloBad}, err.Error()...)
	}
	if say(server.to, hello) != nil {
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
		if say(server.to, operand.Append(nil, cs)) != nil {
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
			question, err := hear(from)
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
