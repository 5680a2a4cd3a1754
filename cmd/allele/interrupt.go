package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
)

// company is processes that are asked to stop together: the first time each finishes
// its run and tells what it has found; the second time all end at once.
type company struct {
	mu    sync.Mutex
	times int // they were asked
	all   map[*proc.Process]bool
	hear  func(event.Event) // what they tell while they are under way; nil if nobody does
}

// ask asks the processes under way, and those that enter later.
func (c *company) ask() (times int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times++
	for p := range c.all {
		if c.times == 1 {
			p.Stop()
		} else {
			p.Kill()
		}
	}
	return c.times
}

// stop asks them if nobody has yet.
func (c *company) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times = max(1, c.times)
	for p := range c.all {
		p.Stop()
	}
}

// asked is how often they were.
func (c *company) asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times
}

// enter has a process asked with the others as long as it is under way.
func (c *company) enter(p *proc.Process) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[*proc.Process]bool{}
	}
	c.all[p] = true
	if c.times > 0 {
		p.Stop()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.all, p)
	}
}

// listen takes the signals of the terminal until free is called: somebody wants the
// campaign to end.
func (c *campaign) listen() (free func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		var last time.Time
		for {
			select {
			case <-signals:
				if time.Since(last) < sameSignal {
					continue
				}
				last = time.Now()
				if c.processes.ask() == 1 {
					fmt.Fprintln(c.stderr, "allele test: stopping after the present run; once more stops at once")
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// sameSignal is how soon after a signal another one is the same: go tool passes on to
// us what the terminal has sent to both.
const sameSignal = 300 * time.Millisecond

// stopped reports whether the campaign is to end, and killed whether at once.
func (c *campaign) stopped() bool { return c.processes.asked() > 0 }
func (c *campaign) killed() bool  { return c.processes.asked() > 1 }
