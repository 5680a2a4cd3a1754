//go:build go1.25

package launch

import "sync"

// Process is a running process that can be asked to stop.
type Process interface {
	Stop() // after its current run
	Kill() // at once
}

// Group is a set of processes that are asked to stop together. After the first request
// each process finishes its current run and reports what it has found. The second
// request kills all of them.
// The zero value is an empty group.
type Group struct {
	mu       sync.Mutex
	requests int
	members  map[Process]bool
}

// Ask makes one more request: to the running processes, and also to processes that enter
// later. It returns the number of requests so far.
func (g *Group) Ask() (requests int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
	for p := range g.members {
		if g.requests == 1 {
			p.Stop()
		} else {
			p.Kill()
		}
	}
	return g.requests
}

// Stop makes the first request, unless it was already made.
func (g *Group) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests = max(1, g.requests)
	for p := range g.members {
		p.Stop()
	}
}

// Stopped reports whether the processes were asked to stop.
func (g *Group) Stopped() bool { return g.count() > 0 }

// Killed reports whether the processes were asked to exit at once.
func (g *Group) Killed() bool { return g.count() > 1 }

func (g *Group) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.requests
}

// Enter adds a process until leave is called.
func (g *Group) Enter(p Process) (leave func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.members == nil {
		g.members = map[Process]bool{}
	}
	g.members[p] = true
	if g.requests > 0 {
		p.Stop()
	}
	if g.requests > 1 {
		p.Kill()
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.members, p)
	}
}
