//go:build go1.25

package exchange

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/proc/share"
)

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after a minute", what)
		}
	}
}

// received returns how many cases a worker can get.
func received(x Exchange, worker int) int {
	all, _, err := x.Follow(worker, 0)
	if err != nil {
		return -1
	}
	return len(all)
}

// message returns a case as a worker sends it.
func message(trace uint64) share.Message {
	return share.Case{Trace: trace, Verdict: 1, Path: []uint32{1, 2, 3}, Text: fmt.Sprint(trace), Term: []byte{1}}.Encode()
}

// The workers of each host get the cases of all hosts, each once. A host sends what is new to it, once.
func TestHub(t *testing.T) {
	const hosts, workers, cases = 3, 4, 50
	open := transport.Memory()
	var hubs []*Hub
	var trees, lists []Exchange
	for i := range hosts {
		h := NewHub(open(), fmt.Sprint("host", i))
		defer h.Close()
		hubs, trees, lists = append(hubs, h), append(trees, h.Exchange("m", "tree", "v1")), append(lists, h.Exchange("m", "list", "v1"))
	}
	for c := range cases {
		for w := range workers {
			for i, x := range trees {
				trace := uint64(i*cases + c) // all workers of a host find the same cases
				if _, err := x.Offer(w, message(trace)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for i, x := range trees {
		// Worker 0 has offered all cases of its host first.
		eventually(t, fmt.Sprintf("host %d, worker 0", i), func() bool { return received(x, 0) == (hosts-1)*cases })
		eventually(t, fmt.Sprintf("host %d, worker 1", i), func() bool { return received(x, 1) == hosts*cases })
		if n := received(lists[i], 0); n != 0 {
			t.Errorf("host %d: another property has %d cases", i, n)
		}
	}
	for i, h := range hubs {
		if c := h.Counts(); c != (HubCounts{Sent: cases, Won: cases, Received: (hosts - 1) * cases}) {
			t.Errorf("host %d: %+v", i, c)
		}
	}
}

// A host that comes late gets all cases, and the same case of two hosts is announced once.
func TestHubLate(t *testing.T) {
	open := transport.Memory()
	a := NewHub(open(), "a")
	defer a.Close()
	for i := range 20 {
		a.Exchange("m", "p", "v1").Offer(0, message(uint64(i)))
	}
	eventually(t, "sent", func() bool { return a.Counts().Sent == 20 })
	b := NewHub(open(), "b")
	defer b.Close()
	// It wins here, unless the case of the other host was faster.
	if _, err := b.Exchange("m", "p", "v1").Offer(0, message(5)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "received", func() bool { return b.Counts().Received == 20 && b.Counts().Waiting == 0 })
	if won := b.Counts().Won; won != 0 {
		t.Errorf("the second host has won %d cases that the first one had", won)
	}
}

// Hosts with different versions of a program get each other's cases, even with equal paths. They get them without paths,
// so that they run them again.
func TestHubVersions(t *testing.T) {
	open := transport.Memory()
	a, b := NewHub(open(), "a"), NewHub(open(), "b")
	defer a.Close()
	defer b.Close()
	p, q := a.Exchange("m", "p", "v1"), b.Exchange("m", "p", "v2")
	for i := range 10 {
		p.Offer(0, message(uint64(i)))
		q.Offer(0, message(uint64(i)))
	}
	for name, x := range map[string]Exchange{"a": p, "b": q} {
		eventually(t, name, func() bool { return received(x, 0) == 10 })
		all, _, _ := x.Follow(0, 0)
		for i, m := range all {
			c, ok := m.Decode()
			if !ok || c.Verdict != share.Unrun || c.Path != nil || len(c.Term) > 0 || c.Text != fmt.Sprint(i) {
				t.Errorf("host %s, case %d: %+v, %v", name, i, c, ok)
			}
		}
	}
	if x, y := a.Counts().Won, b.Counts().Won; x != 10 || y != 10 {
		t.Errorf("won %d and %d, want 10 and 10", x, y)
	}
}

// broken is a transport whose calls fail while it is down.
type broken struct {
	transport.Transport
	down atomic.Bool
}

var errDown = errors.New("down")

func (b *broken) Offer(ctx context.Context, c transport.Case) (bool, error) {
	if b.down.Load() {
		return false, errDown
	}
	won, err := b.Transport.Offer(ctx, c)
	if b.down.Load() {
		return false, errDown // it is accepted, and nobody knows
	}
	return won, err
}

func (b *broken) Follow(ctx context.Context, after uint64, fn func(transport.Accepted) error) error {
	return b.Transport.Follow(ctx, after, func(a transport.Accepted) error {
		if b.down.Load() {
			return errDown
		}
		return fn(a)
	})
}

// An outage costs nothing but time: the workers go on, and afterwards all hosts have all cases.
func TestHubOutage(t *testing.T) {
	open := transport.Memory()
	x, y := &broken{Transport: open()}, &broken{Transport: open()}
	a, b := NewHub(x, "a"), NewHub(y, "b")
	defer a.Close()
	defer b.Close()
	p, q := a.Exchange("m", "p", "v1"), b.Exchange("m", "p", "v1")
	const rounds, cases = 6, 40
	for round := range rounds {
		x.down.Store(round%2 == 1)
		y.down.Store(round%3 == 1)
		for i := range cases {
			p.Offer(0, message(uint64(2*(round*cases+i))))
			q.Offer(0, message(uint64(2*(round*cases+i)+1)))
		}
		time.Sleep(20 * time.Millisecond)
	}
	x.down.Store(false)
	y.down.Store(false)
	for i, e := range []Exchange{p, q} {
		eventually(t, fmt.Sprint("host ", i), func() bool { return received(e, 1) == 2*rounds*cases })
	}
	if a.Counts().Errors == 0 {
		t.Error("no call has failed, so the outage was not tested")
	}
}

// During a long outage the queue does not grow without bounds. The newest cases are kept.
func TestHubBound(t *testing.T) {
	open := transport.Memory()
	x := &broken{Transport: open()}
	x.down.Store(true)
	h := NewHub(x, "a")
	defer h.Close()
	const extra = 100
	for i := range queueMax + extra {
		h.Exchange("m", "p", "v1").Offer(0, message(uint64(i)))
	}
	c := h.Counts()
	if c.Dropped < extra-1 || c.Dropped > extra { // one may be on its way
		t.Errorf("dropped %d, want %d", c.Dropped, extra)
	}
	x.down.Store(false)
	eventually(t, "sent", func() bool { return h.Counts().Sent == queueMax+extra-c.Dropped })
}

// gated is a transport whose offers wait for a gate.
type gated struct {
	transport.Transport
	gate chan struct{}
}

func (g *gated) Offer(ctx context.Context, c transport.Case) (bool, error) {
	select {
	case <-g.gate:
		return g.Transport.Offer(ctx, c)
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// A case that waits to be sent is not sent if another host was faster.
func TestHubFaster(t *testing.T) {
	open := transport.Memory()
	x := &gated{open(), make(chan struct{})}
	a, b := NewHub(x, "a"), NewHub(open(), "b")
	defer a.Close()
	defer b.Close()
	const cases = 50
	for i := range cases {
		a.Exchange("m", "p", "v1").Offer(0, message(uint64(i)))
	}
	for i := range cases {
		b.Exchange("m", "p", "v1").Offer(0, message(uint64(i)))
	}
	eventually(t, "received", func() bool { return a.Counts().Received == cases })
	close(x.gate)
	eventually(t, "nothing waits", func() bool { return a.Counts().Waiting == 0 })
	if n := a.Counts(); n.Sent > 1 || n.Won > 0 { // one was on its way
		t.Errorf("%+v: cases were sent that another host had sent", n)
	}
}
