//go:build go1.25

package exchange

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/proc/share"
)

// Hub connects the exchanges of this host with those of other hosts. A host sends a case once, however many workers it
// has, and only if the case is new on the host. It receives each case of the others once.
//
//	hub := exchange.NewHub(t, worker)
//	x := hub.Exchange("example.com/tree", "TestInsert", hash)
//
// The search never waits for the other hosts. While they cannot be reached, cases are kept here, up to a number, and sent
// later. What does not fit is dropped, the oldest first: another host may find such a case itself.
type Hub struct {
	transport transport.Transport
	worker    string
	cancel    context.CancelFunc
	ended     sync.WaitGroup

	mu      sync.Mutex
	rooms   map[uint64]Exchange // by property
	queue   []transport.Case    // to be sent, the oldest first
	more    chan struct{}       // has an element if the queue is not empty
	sending bool                // a case was taken from the queue and is not sent yet
	counts  HubCounts
}

// HubCounts says what a hub has done.
type HubCounts struct {
	Sent, Won, Received, Dropped int
	Waiting                      int    // cases that are not sent yet
	Errors                       int    // calls of the transport that failed and were repeated
	Trouble                      string // the last error
}

const (
	queueMax  = 1 << 12
	callMax   = 10 * time.Second // a call that takes longer is repeated
	pauseMin  = 50 * time.Millisecond
	pauseMax  = 5 * time.Second
	elsewhere = -1 // the worker of cases that come from other hosts
)

// NewHub returns a hub. The name of the worker must be new: no other process may ever have used it.
func NewHub(t transport.Transport, worker string) *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	h := &Hub{transport: t, worker: worker, cancel: cancel, rooms: map[uint64]Exchange{}, more: make(chan struct{}, 1)}
	h.ended.Go(func() { h.send(ctx) })
	h.ended.Go(func() { h.receive(ctx) })
	return h
}

// Close ends the connection. Cases that were not sent are lost; Counts says how many before that.
func (h *Hub) Close() {
	h.cancel()
	h.ended.Wait()
}

// Number returns a number that this host alone has, most likely, for its random inputs.
func (h *Hub) Number() uint64 { return hashOf(h.worker) }

// Counts returns what the hub has done.
func (h *Hub) Counts() HubCounts {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.counts
	c.Waiting = len(h.queue)
	if h.sending {
		c.Waiting++
	}
	return c
}

// Flush waits until all cases were sent, or the context is done.
func (h *Hub) Flush(ctx context.Context) {
	for h.Counts().Waiting > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pauseMin):
		}
	}
}

// Exchange returns the exchange of a property of a package. The version is that of the program. Hosts with other versions
// get its cases too, and run them again: a path of another version is another path, so a case that shows something new in
// each version is sent once for each.
func (h *Hub) Exchange(pkg, property, version string) Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	scope := Scope(pkg, property)
	return &room{h.local(scope), h, scope, hashOf(version)}
}

// room is the exchange of a property.
type room struct {
	Exchange       // between the workers of this host, with the cases of other hosts
	hub            *Hub
	scope, version uint64
}

// local returns the exchange between the workers of this host.
func (h *Hub) local(scope uint64) Exchange {
	x := h.rooms[scope]
	if x == nil {
		x = NewMemory()
		h.rooms[scope] = x
	}
	return x
}

func hashOf(text string) uint64 {
	f := fnv.New64a()
	f.Write([]byte(text))
	return f.Sum64()
}

// Offer gives a case to the other workers of this host, and to other hosts if it is new.
func (r *room) Offer(worker int, m share.Message) (won bool, err error) {
	m.Trace ^= r.version
	won, err = r.Exchange.Offer(worker, m)
	if won {
		if data, ok := m.ForHosts(); ok {
			r.hub.enqueue(transport.Case{Key: keyOf(r.scope, m.Trace), Worker: r.hub.worker, Data: data})
		}
	}
	return won, err
}

// Close does nothing: the next search of the property goes on with the same cases.
func (r *room) Close() error { return nil }

// Scope returns the number of a property, which begins the keys of its cases.
func Scope(pkg, property string) uint64 { return hashOf(pkg + " " + property) }

// ScopeOf returns the number of the property that a case belongs to.
func ScopeOf(k transport.Key) uint64 { return binary.BigEndian.Uint64(k[:8]) }

// keyOf makes the key of a case: its property, and its path in a version of the program.
func keyOf(scope, trace uint64) (k transport.Key) {
	binary.BigEndian.PutUint64(k[:8], scope)
	binary.BigEndian.PutUint64(k[8:], trace)
	return k
}

func (h *Hub) enqueue(c transport.Case) {
	h.mu.Lock()
	if len(h.queue) == queueMax {
		h.queue = h.queue[1:]
		h.counts.Dropped++
	}
	h.queue = append(h.queue, c)
	h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
}

func (h *Hub) send(ctx context.Context) {
	for {
		c, ok := h.first()
		if !ok {
			select {
			case <-h.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		var won bool
		h.insist(ctx, func(ctx context.Context) (err error) {
			won, err = h.transport.Offer(ctx, c)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		h.mu.Lock()
		h.sending = false
		h.counts.Sent++
		if won {
			h.counts.Won++
		}
		h.mu.Unlock()
	}
}

// first takes the oldest case from the queue.
func (h *Hub) first() (c transport.Case, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return c, false
	}
	c, h.queue, h.sending = h.queue[0], h.queue[1:], true
	return c, true
}

// insist repeats a call until it succeeds, with pauses.
func (h *Hub) insist(ctx context.Context, call func(context.Context) error) {
	for pause := pauseMin; ctx.Err() == nil; pause = min(2*pause, pauseMax) {
		short, cancel := context.WithTimeout(ctx, callMax)
		err := call(short)
		cancel()
		if err == nil {
			return
		}
		h.failed(ctx, err, pause)
	}
}

// failed counts a call that failed, and pauses.
func (h *Hub) failed(ctx context.Context, err error, pause time.Duration) {
	h.mu.Lock()
	h.counts.Errors++
	h.counts.Trouble = err.Error()
	h.mu.Unlock()
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}

func (h *Hub) receive(ctx context.Context) {
	after := uint64(0)
	for pause := pauseMin; ctx.Err() == nil; pause = min(2*pause, pauseMax) {
		err := h.transport.Follow(ctx, after, func(a transport.Accepted) error {
			after, pause = a.Seq, pauseMin
			if a.Worker != h.worker {
				h.accept(a)
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			h.failed(ctx, err, pause)
		}
	}
}

// accept gives a case of another host to the workers of this one.
func (h *Hub) accept(a transport.Accepted) {
	h.mu.Lock()
	x := h.local(ScopeOf(a.Key))
	h.counts.Received++
	// Hosts that begin together find the same easy cases. What another host has sent need not be sent.
	h.queue = slices.DeleteFunc(h.queue, func(c transport.Case) bool { return c.Key == a.Key })
	h.mu.Unlock()
	x.Offer(elsewhere, share.Message{Trace: binary.BigEndian.Uint64(a.Key[8:]), Data: a.Data}) // an exchange in memory has no errors
}
