package observe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Health collects the reasons why a program cannot do its work. Without reasons it is healthy.
//
// A server that cannot be reached is a reason, but not one to restart the agent for: the agent
// goes on testing. So the page is for readiness and alerts, not for liveness.
type Health struct {
	mu     sync.Mutex
	checks []*check
}

// A check has at most one call at a time, which all requests share. So a check that hangs costs
// one goroutine, however often the page is opened.
type check struct {
	name string
	call func(context.Context) error

	mu      sync.Mutex
	current *attempt
}

type attempt struct {
	ended chan struct{}
	err   error // set before ended is closed
}

const (
	// checkMax is how long the page waits for checks. The probes of the manifests wait longer.
	checkMax = 3 * time.Second
	// reasonMax bounds the bytes of one reason.
	reasonMax = 200
)

var errHangs = errors.New("the check does not return")

// NewHealth returns a Health without checks.
func NewHealth() *Health { return &Health{} }

// Check adds a check, which is called when the page is opened. Its error is shown to everybody
// who can open the page.
func (h *Health) Check(name string, call func(context.Context) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.checks = append(h.checks, &check{name: name, call: call})
}

// Reasons runs all checks at the same time and returns a line for each that failed or did not
// return before the context ended, in the order in which they were added.
func (h *Health) Reasons(ctx context.Context) []string {
	h.mu.Lock()
	checks := h.checks[:len(h.checks):len(h.checks)]
	h.mu.Unlock()

	attempts := make([]*attempt, len(checks))
	for i, c := range checks {
		attempts[i] = c.start()
	}
	var reasons []string
	for i, a := range attempts {
		if err := a.wait(ctx); err != nil {
			reasons = append(reasons, reason(checks[i].name, err))
		}
	}
	return reasons
}

// start returns the current call of the check, or a new one.
func (c *check) start() *attempt {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		c.current = &attempt{ended: make(chan struct{})}
		go c.run(c.current)
	}
	return c.current
}

func (c *check) run(a *attempt) {
	// The call belongs to several requests, so none of their contexts may end it.
	ctx, cancel := context.WithTimeout(context.Background(), checkMax)
	defer cancel()
	a.err = c.call(ctx)
	c.mu.Lock()
	c.current = nil
	c.mu.Unlock()
	close(a.ended)
}

func (a *attempt) wait(ctx context.Context) error {
	select {
	case <-a.ended:
		return a.err
	case <-ctx.Done():
		return errHangs
	}
}

func reason(name string, err error) string {
	text := hide(fmt.Sprintf("%s: %v", name, err))
	return strings.ToValidUTF8(text[:min(len(text), reasonMax)], "")
}
