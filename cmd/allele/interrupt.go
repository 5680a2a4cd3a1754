package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/allele-go/allele/internal/ops/proc"
)

// interrupt is what happens when somebody wants a campaign to end: the first time
// the process under way finishes its run and tells what it has found; the second
// time everything ends at once.
type interrupt struct {
	mu      sync.Mutex
	asked   int
	current map[*proc.Process]bool
}

// listen takes the signals of the terminal until free is called.
func (c *campaign) listen() (free func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				c.ask()
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

// ask asks the processes under way to stop, or if they were asked, ends them.
func (c *campaign) ask() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked == 1 {
		fmt.Fprintln(c.stderr, "allele test: stopping after the present run; once more stops at once")
	}
	for p := range c.current {
		if c.asked == 1 {
			p.Stop()
		} else {
			p.Kill()
		}
	}
}

// stopped reports whether the campaign is to end.
func (c *campaign) stopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked > 0
}

// killed reports whether it was to end at once.
func (c *campaign) killed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked > 1
}

// watch has a process asked to stop as long as it is under way.
func (c *campaign) watch(p *proc.Process) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		c.current = map[*proc.Process]bool{}
	}
	c.current[p] = true
	if c.asked > 0 {
		p.Stop()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.current, p)
	}
}
