//go:build go1.25

// Package child runs a test binary that answers the questions of another process of the
// same test: how does the run of this input end, and what is the input compared with?
//
//	p, err := child.Start(conf, shape)        // parent: start a child with the same types
//	answer, ok := p.Ask(question)
//
//	s, err := child.Greet(wires, shape, nil)  // child: I am ready
//	q, err := s.Next()                        // the next question
//	err = s.Answer(a)
//
// Both binaries are built from the same source, but perhaps in different ways. So the
// child first sends a hash of the type of its inputs, which package operand calls the
// shape, or the reason why it cannot answer questions.
package child

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
)

// The first byte of the greeting. The shape follows good, and an error message follows
// bad.
const (
	bad  = 0
	good = 1
)

// greetWait is how long a child may take to send its greeting: TestMain takes time.
const greetWait = 20 * time.Second

// ErrTypes is returned by Start if the inputs of the child have another type than those
// of the parent.
var ErrTypes = errors.New("has other input types")

// Error is returned by Start if a child does not start or cannot answer questions.
type Error struct {
	Refused string // the reason in its greeting; empty if there was no greeting
	Death   proc.Death
}

func (e *Error) Error() string {
	if e.Refused != "" {
		return "refused: " + e.Refused
	}
	return "did not start: " + e.Death.Text
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

// Server is the child's end of the connection. Its files stay open until the process
// exits, so that the parent notices the exit.
type Server struct{ from, to *os.File }

// Greet connects to the parent and sends the greeting. The greeting contains the shape of
// the inputs or, if trouble is not nil, the text of this error.
func Greet(w job.Wires, shape uint64, trouble error) (*Server, error) {
	s := &Server{}
	if s.from, s.to = proc.Asked(w); s.from == nil || s.to == nil {
		return nil, errors.New("the job has no pipes for questions and answers")
	}
	greeting := binary.LittleEndian.AppendUint64([]byte{good}, shape)
	if trouble != nil {
		greeting = append([]byte{bad}, fmt.Sprint(trouble)...)
	}
	return s, s.Answer(greeting)
}

// Next waits for a question. It returns an error when the parent has closed the
// connection.
func (s *Server) Next() ([]byte, error) { return proc.ReadMessage(s.from) }

// Answer sends an answer.
func (s *Server) Answer(a []byte) error { return proc.WriteMessage(s.to, a) }
