//go:build go1.25

package worker

import (
	"os"
	"time"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/term"
)

// supervisor is the process that watches this process through a slot, a file that both
// share. This process writes each input to the slot before the run, and after the run it
// reads the supervisor's requests from the slot.
type supervisor struct {
	slot *proc.Slot // nil if there is no supervisor
	pid  int        // the process ID of the supervisor
}

// supervised prepares this process for inputs that may end it.
func supervised(p *property.Property) (*supervisor, bool) {
	p.TB.Helper()
	plain.Confine(p)
	s := &supervisor{}
	if file := p.Job.Wires.Slot; file != "" {
		slot, err := proc.OpenSlot(file)
		if err != nil {
			p.TB.Errorf("allele: %v", err)
			return nil, false
		}
		s.slot, s.pid = slot, os.Getppid()
	}
	return s, true
}

// gone reports whether the supervisor has exited.
func (s *supervisor) gone() bool { return s.pid != 0 && os.Getppid() != s.pid }

// restLooks is how often a paused process checks whether it may go on. It is not shorter
// because many processes may be paused at a time.
const restLooks = 20 * time.Millisecond

// rest waits while the supervisor has paused this process.
func (s *supervisor) rest() {
	s.slot.Rest(true)
	for s.slot.Paused() && !s.slot.Stopped() && !s.gone() {
		time.Sleep(restLooks)
	}
	s.slot.Rest(false)
}

// obtain waits until the command has built a file. It calls request once, if the file is not there
// yet. It returns false if the command refuses, or is gone. The time does not count as a run, so
// the search goes on as if the file had been there.
func (s *supervisor) obtain(file string, request func()) bool {
	there := func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	}
	if there(file) || s.slot == nil {
		return there(file)
	}
	request()
	s.slot.Rest(true)
	defer s.slot.Rest(false)
	for !there(file) {
		if there(file+job.Refused) || s.slot.Stopped() || s.gone() {
			return false
		}
		time.Sleep(restLooks)
	}
	return true
}

// waitForStop waits until the supervisor stops this process or exits.
func (s *supervisor) waitForStop() {
	for !s.slot.Stopped() && !s.gone() {
		s.slot.Rest(s.slot.Paused())
		time.Sleep(restLooks)
	}
}

// noted is a runner that stores each term in the slot before the run.
type noted struct {
	property.Runner
	slot *proc.Slot
}

func (n noted) One(x term.Term, detail bool) property.Outcome {
	n.slot.Begin(x.Memory())
	o := n.Runner.One(x, detail)
	if !o.Hung {
		n.slot.End(n.slot.Look().Seen)
	}
	return o
}
