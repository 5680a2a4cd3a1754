package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

const (
	// severalTries is how often an input is run on several processors: what goes
	// wrong between goroutines goes well most of the time.
	severalTries = 100
	// severalShare of the time of a search is added for it, within bounds.
	severalShare = 10
	severalLeast = 3 * time.Second
	severalMost  = time.Minute
)

// several runs the kept inputs of a property that start goroutines again: on
// several processors, in a program without probes. What the race detector, if asked
// for, or the runtime finds there is a finding like any other.
func (k *crew) several(r *result) error {
	p := k.property
	binary, err := k.plainBinary(p)
	if err != nil {
		k.note(p, "inputs that start goroutines were not run again on several processors: %v", err)
		return nil
	}
	time0 := time.Now()
	budget := min(max(time.Duration(r.Seconds*float64(time.Second))/severalShare, severalLeast), severalMost)
	slot, err := k.slot(k.folder)
	if err != nil {
		return err
	}
	slot.Multicore()
	j := k.severalJob(job.Multicore, p)
	j.Corpus = k.folder
	d, events, err := k.process(p, proc.Config{Path: binary, Slot: slot, Job: j, Env: onSeveral(), Stop: time0.Add(budget)})
	if err != nil {
		return err
	}
	switch {
	case len(events) > 0:
		slot.Remove()
		if r.failed = d.Code != 0; r.failed {
			r.Verdict, r.Text = events[0].Verdict, d.Out+d.Err+d.Stack
		}
		k.tell(p, events[0])
	case !d.Running:
		slot.Remove()
		k.note(p, "inputs that start goroutines were not run again on several processors: %s", d.Text)
	default:
		k.tell(p, died(1, slot.Look().Run, d))
		slot.Close()
		k.settle(slot.Path(), r)
	}
	return nil
}

// severalJob is what a process is to do that runs on several processors.
func (c *campaign) severalJob(mode job.Mode, p property) *job.Job {
	j := c.workJob(mode, p)
	j.Program, j.Repeat.Tries = job.Program{}, severalTries
	return j
}

// onSeveral is the environment of such a process.
func onSeveral() []string {
	return []string{"GOMAXPROCS=" + strconv.Itoa(proc.Several()), haltOnRace()}
}

// plainBinary is the program without probes, built when it is first asked for.
func (c *campaign) plainBinary(p property) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if binary := c.plain[p.Package]; binary != "" {
		return binary, nil
	}
	binary := strings.TrimSuffix(c.binary(p.Package), ".test") + ".plain"
	defer announce(c.stderr, fmt.Sprintf("building %s once more, for several processors", p.Package))()
	if err := c.overlay.Plain(p.Package, binary); err != nil {
		return "", err
	}
	if c.plain == nil {
		c.plain = map[string]string{}
	}
	c.plain[p.Package] = binary
	return binary, nil
}
