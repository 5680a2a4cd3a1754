// Package child is a test binary that another process of the same test starts and asks
// questions: how does this input end, what is it compared with?
//
//	p, err := child.Start(conf, shape)        // parent: it came up and has the same types
//	answer, ok := p.Ask(question)
//
//	s, err := child.Greet(wires, shape, nil)  // child: here I am
//	q, err := s.Next()                        // what is asked?
//	err = s.Answer(a)
//
// Both ends are built from one source, perhaps in two ways. So the child first says
// what its inputs look like, by a hash that package operand calls their shape, or why
// it cannot serve.
package child

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// The first byte of the greeting: the shape follows, or why the child cannot serve.
const (
	bad  = 0
	good = 1
)

// greetWait is how long a child may take to come up: what TestMain does takes time.
const greetWait = 20 * time.Second

// ErrTypes is in the error for a child that sees other types in the input.
var ErrTypes = errors.New("sees other types in the input")

// Error is a child that did not come up.
type Error struct {
	Refused string // what it said; empty if it did not come to that
	Death   proc.Death
}

func (e *Error) Error() string {
	if e.Refused != "" {
		return "refused: " + e.Refused
	}
	return "did not come up: " + e.Death.Text
}

// Start starts a child and waits for its greeting.
func Start(c proc.Config, shape uint64) (*proc.Process, error) {
	c.Asked = true
	p, err := proc.Start(c)
	if err != nil {
		return nil, err
	}
	greeting, ok := p.Listen(greetWait)
	switch {
	case !ok || len(greeting) == 0:
		err = &Error{}
	case greeting[0] != good:
		err = &Error{Refused: string(greeting[1:])}
	case string(greeting[1:]) != string(binary.LittleEndian.AppendUint64(nil, shape)):
		err = ErrTypes
	default:
		return p, nil
	}
	p.Kill()
	d := p.Wait()
	if e, ok := err.(*Error); ok {
		e.Death = d
	}
	return nil, err
}

// Server is the child's end. Its files stay open until the process ends, so that the
// parent can see that it has.
type Server struct{ from, to *os.File }

// Greet opens the way to the parent and says whether terms mean the same here.
func Greet(w job.Wires, shape uint64, trouble error) (*Server, error) {
	s := &Server{}
	if s.from, s.to = proc.Asked(w); s.from == nil || s.to == nil {
		return nil, errors.New("nobody asks")
	}
	greeting := binary.LittleEndian.AppendUint64([]byte{good}, shape)
	if trouble != nil {
		greeting = append([]byte{bad}, fmt.Sprint(trouble)...)
	}
	return s, s.Answer(greeting)
}

// Next waits for a question. An error means that nobody asks any more.
func (s *Server) Next() ([]byte, error) { return proc.Hear(s.from) }

// Answer sends an answer.
func (s *Server) Answer(a []byte) error { return proc.Say(s.to, a) }
