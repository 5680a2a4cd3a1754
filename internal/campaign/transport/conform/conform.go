//go:build go1.25

// Package conform tests that a transport does what package transport promises.
package conform

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Subject is a transport under test.
type Subject struct {
	// Open opens one end of a campaign. All ends that are opened by one Subject belong to the same campaign.
	Open func(t *testing.T) transport.Transport
	// Lasts is true if a campaign outlives the ends that were opened.
	Lasts bool
}

// Run runs the tests. fresh returns a new campaign.
func Run(t *testing.T, fresh func(t *testing.T) Subject) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Subject)
	}{
		{"one winner", oneWinner},
		{"repeated offer", repeated},
		{"follow", follow},
		{"failures", failures},
		{"contexts", contexts},
		{"sizes", sizes},
		{"lasts", lasts},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}

func key(n int) (k transport.Key) {
	binary.BigEndian.PutUint64(k[8:], uint64(n))
	return k
}

func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return c
}

var errEnough = errors.New("enough")

// collect follows until n cases were accepted.
func collect(t *testing.T, x transport.Transport, after uint64, n int) (all []transport.Accepted) {
	t.Helper()
	if n == 0 {
		return nil
	}
	err := x.Follow(ctx(t), after, func(a transport.Accepted) error {
		if all = append(all, a); len(all) == n {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatalf("followed %d of %d cases: %v", len(all), n, err)
	}
	return all
}

// Of many workers that offer the same keys at the same time, one wins each. A follower gets the winners, each once, in an
// order without gaps.
func oneWinner(t *testing.T, s Subject) {
	const workers, keys = 8, 100
	var wg sync.WaitGroup
	var winners [keys]atomic.Int64
	var won atomic.Int64
	for w := range workers {
		x := s.Open(t)
		wg.Go(func() {
			for i := range keys {
				k := (i*7 + w*13) % keys
				ok, err := x.Offer(ctx(t), transport.Case{Key: key(k), Worker: fmt.Sprint(w), Data: fmt.Appendf(nil, "%d of %d", k, w)})
				if err != nil {
					t.Error(err)
					return
				}
				if ok {
					won.Add(1)
					winners[k].Store(int64(w))
				}
			}
		})
	}
	got := collect(t, s.Open(t), 0, keys)
	wg.Wait()
	if won.Load() != keys {
		t.Errorf("%d offers won, want %d", won.Load(), keys)
	}
	seen := map[transport.Key]bool{}
	for i, a := range got {
		k := int(binary.BigEndian.Uint64(a.Key[8:]))
		w := winners[k].Load()
		if a.Seq != uint64(i+1) || seen[a.Key] || a.Worker != fmt.Sprint(w) || string(a.Data) != fmt.Sprintf("%d of %d", k, w) {
			t.Errorf("case %d: seq %d, key %d of worker %s: %q; worker %d has won it", i, a.Seq, k, a.Worker, a.Data, w)
		}
		seen[a.Key] = true
	}
}

// The winner may repeat its offer. The first data stays.
func repeated(t *testing.T, s Subject) {
	x, y := s.Open(t), s.Open(t)
	for i, c := range []struct {
		x    transport.Transport
		data transport.Case
		want bool
	}{
		{x, transport.Case{Key: key(1), Worker: "a", Data: []byte("1")}, true},
		{y, transport.Case{Key: key(1), Worker: "b", Data: []byte("2")}, false},
		{x, transport.Case{Key: key(1), Worker: "a", Data: []byte("1")}, true},
		{y, transport.Case{Key: key(1), Worker: "b", Data: []byte("2")}, false},
		{y, transport.Case{Key: key(2), Worker: "b", Data: []byte("3")}, true},
	} {
		if won, err := c.x.Offer(ctx(t), c.data); won != c.want || err != nil {
			t.Errorf("offer %d: won %v, %v, want %v", i, won, err, c.want)
		}
	}
	var texts []string
	for _, a := range collect(t, x, 0, 2) {
		texts = append(texts, string(a.Data))
	}
	if got := strings.Join(texts, " "); got != "1 3" {
		t.Errorf("accepted %s, want 1 3", got)
	}
}

// A follower can begin anywhere, and gets what is accepted while it follows.
func follow(t *testing.T, s Subject) {
	const before, during = 300, 300
	x := s.Open(t)
	offer := func(from, n int) {
		for i := range n {
			if won, err := x.Offer(ctx(t), transport.Case{Key: key(from + i), Worker: "a"}); !won || err != nil {
				t.Errorf("offer %d: %v, %v", from+i, won, err)
				return
			}
		}
	}
	offer(0, before)
	var wg sync.WaitGroup
	wg.Go(func() { offer(before, during) })
	const after = 250
	for i, a := range collect(t, s.Open(t), after, before+during-after) {
		if a.Seq != uint64(after+i+1) || a.Key != key(after+i) {
			t.Fatalf("case %d: seq %d, key %x", i, a.Seq, a.Key)
		}
	}
	wg.Wait()
}

// A failure is stored once, and the worker that was first may repeat it.
func failures(t *testing.T, s Subject) {
	const workers = 8
	var first atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		x := s.Open(t)
		wg.Go(func() {
			f := transport.Failure{Key: key(1), Worker: fmt.Sprint(w), Data: []byte("failure")}
			one, err := x.Report(ctx(t), f)
			again, err2 := x.Report(ctx(t), f)
			if err != nil || err2 != nil || one != again {
				t.Errorf("worker %d: first %v, %v; again %v, %v", w, one, err, again, err2)
			}
			if one {
				first.Add(1)
			}
		})
	}
	wg.Wait()
	if first.Load() != 1 {
		t.Errorf("%d workers were first, want 1", first.Load())
	}
	// The keys of failures and of cases have nothing to do with each other.
	if won, err := s.Open(t).Offer(ctx(t), transport.Case{Key: key(1), Worker: "case"}); !won || err != nil {
		t.Errorf("a case with the key of a failure: won %v, %v", won, err)
	}
}

// Calls end when their context does, and after Close.
func contexts(t *testing.T, s Subject) {
	x := s.Open(t)
	c, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- x.Follow(c, 0, func(transport.Accepted) error { return nil }) }()
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Follow: %v, want context.Canceled", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Follow does not end with its context")
	}
	if _, err := x.Offer(c, transport.Case{Key: key(1), Worker: "a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Offer: %v, want context.Canceled", err)
	}
	y := s.Open(t)
	go func() { ended <- y.Follow(t.Context(), 0, func(transport.Accepted) error { return nil }) }()
	time.Sleep(20 * time.Millisecond)
	if err := y.Close(); err != nil {
		t.Error(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("Follow ends without an error after Close")
		}
	case <-time.After(time.Minute):
		t.Fatal("Follow does not end with its transport")
	}
	if _, err := y.Offer(ctx(t), transport.Case{Key: key(1), Worker: "a"}); err == nil {
		t.Error("Offer after Close has no error")
	}
}

// Data may have any bytes, or none, and may be large.
func sizes(t *testing.T, s Subject) {
	x := s.Open(t)
	all := [][]byte{nil, {0}, []byte("\xff\n\x00\""), bytes.Repeat([]byte("0123456789abcdef"), 1<<15)}
	for i, data := range all {
		if won, err := x.Offer(ctx(t), transport.Case{Key: key(i), Worker: "worker \"of\" any name", Data: data}); !won || err != nil {
			t.Fatalf("%d bytes: won %v, %v", len(data), won, err)
		}
	}
	for i, a := range collect(t, s.Open(t), 0, len(all)) {
		if !bytes.Equal(a.Data, all[i]) {
			t.Errorf("case %d has %d bytes, want %d", i, len(a.Data), len(all[i]))
		}
	}
}

// A campaign outlives its processes.
func lasts(t *testing.T, s Subject) {
	if !s.Lasts {
		t.Skip("this transport does not outlive its process")
	}
	x := s.Open(t)
	if won, err := x.Offer(ctx(t), transport.Case{Key: key(1), Worker: "a", Data: []byte("case")}); !won || err != nil {
		t.Fatal(won, err)
	}
	if first, err := x.Report(ctx(t), transport.Failure{Key: key(2), Worker: "a"}); !first || err != nil {
		t.Fatal(first, err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	y := s.Open(t)
	if won, err := y.Offer(ctx(t), transport.Case{Key: key(1), Worker: "b"}); won || err != nil {
		t.Errorf("a case of an earlier process: won %v, %v", won, err)
	}
	if first, err := y.Report(ctx(t), transport.Failure{Key: key(2), Worker: "b"}); first || err != nil {
		t.Errorf("a failure of an earlier process: first %v, %v", first, err)
	}
	if a := collect(t, y, 0, 1)[0]; string(a.Data) != "case" || a.Worker != "a" {
		t.Errorf("the case of an earlier process: %+v", a)
	}
}
