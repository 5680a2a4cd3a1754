package worker

import (
	"os"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/term"
)

// supervisor is the process that watches this one, through a slot: each input is there
// before it is run, and what the supervisor wants is there after it.
type supervisor struct {
	slot *proc.Slot // nil if nobody looks
	pid  int        // of the process
}

// supervised prepares this process for inputs that may end it.
func supervised(p *property.Property) (*supervisor, bool) {
	p.TB.Helper()
	confine(p)
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

// gone reports whether nobody waits for this process any more.
func (s *supervisor) gone() bool { return s.pid != 0 && os.Getppid() != s.pid }

// restLooks is how often a process that rests looks whether it may go on: many may
// rest at a time.
const restLooks = 20 * time.Millisecond

// rest waits while the time of the machine is for others.
func (s *supervisor) rest() {
	s.slot.Rest(true)
	for s.slot.Paused() && !s.slot.Stopped() && !s.gone() {
		time.Sleep(restLooks)
	}
	s.slot.Rest(false)
}

// waitForStop waits until this process is asked to end.
func (s *supervisor) waitForStop() {
	for !s.slot.Stopped() && !s.gone() {
		s.slot.Rest(s.slot.Paused())
		time.Sleep(restLooks)
	}
}

// noted is a runner that notes each term in the slot before it is run.
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
