//go:build go1.25

package judge

import (
	"context"
	"sync"

	"github.com/allele-go/allele/internal/proc/scoring"
)

// Room bounds how many processes run at a time, so that together they do not use too much memory. How much a process may
// use does not change, because verdicts depend on it. The nil Room has no bound.
//
//	room := judge.NewRoom(4)
//	judge.Run(ctx, judge.Config{Room: room, ...})
//	room.Shrink()   // the processes use too much: the last one ends, and its faults are judged later
type Room struct {
	mu     sync.Mutex
	free   *sync.Cond
	most   int
	guests []*guest // in the order in which they came
}

// guest is a process that runs.
type guest struct{ gone chan struct{} } // closed if the process is to end

// goneFor returns the channel that ends a process. What the tests do without a fault is not interrupted.
func (g *guest) goneFor(r scoring.Request) <-chan struct{} {
	if r.Mode == scoring.Baseline {
		return nil
	}
	return g.gone
}

// NewRoom returns a room for so many processes.
func NewRoom(most int) *Room {
	r := &Room{most: max(1, most)}
	r.free = sync.NewCond(&r.mu)
	return r
}

// Shrink ends the process that came last, and lets one less run from now on. It returns how many may run then, and false if
// only one runs already.
func (r *Room) Shrink() (most int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	running := len(r.guests)
	if running < 2 {
		return r.most, false
	}
	r.most = running - 1
	last := r.guests[running-1]
	r.guests = r.guests[:running-1]
	close(last.gone)
	return r.most, true
}

// enter waits until there is room for another process. It returns nil if the context ends before.
func (r *Room) enter(ctx context.Context) *guest {
	if r == nil {
		return &guest{}
	}
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.free.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.guests) >= r.most && ctx.Err() == nil {
		r.free.Wait()
	}
	if ctx.Err() != nil {
		return nil
	}
	g := &guest{gone: make(chan struct{})}
	r.guests = append(r.guests, g)
	return g
}

// leave makes room for another process.
func (r *Room) leave(g *guest) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.guests {
		if other == g {
			r.guests = append(r.guests[:i:i], r.guests[i+1:]...)
		}
	}
	r.free.Broadcast()
}
