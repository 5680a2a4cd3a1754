// Package conform tests that a transport of a fleet does what the packages transport and jet promise:
// the suite of package transport, and one for jobs.
package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/campaign/transport/conform"
)

// Transport is a transport with jobs.
type Transport interface {
	transport.Transport
	// PutJob adds a job to a queue, unless the queue has or had one with this id.
	PutJob(ctx context.Context, queue, id string, data []byte) error
	// TakeJobs leases at most n jobs of a queue that nobody else has. There may be none.
	TakeJobs(ctx context.Context, queue string, n int) ([]jet.Lease, error)
}

// Subject is a transport under test. Its campaigns outlive the ends that were opened.
type Subject struct {
	// Open opens one end of a campaign. All ends that are opened by one Subject belong to the same campaign.
	Open func(t *testing.T) Transport
	// Expire makes the leases that are held end. It may wait.
	Expire func()
}

// Run runs the tests. fresh returns a new campaign.
func Run(t *testing.T, fresh func(t *testing.T) Subject) {
	conform.Run(t, func(t *testing.T) conform.Subject {
		s := fresh(t)
		return conform.Subject{Open: func(t *testing.T) transport.Transport { return s.Open(t) }, Lasts: true}
	})
	for _, c := range []struct {
		name string
		test func(*testing.T, Subject)
	}{
		{"jobs", jobs},
		{"leases", leases},
		{"sizes of jobs", sizes},
		{"jobs last", lasts},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}

func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return c
}

// take takes jobs, at most n at a time, until it has want of them. Some may come late: a server needs
// a moment to notice that a lease has ended, and a replica to hear of a job.
func take(t *testing.T, x Transport, n, want int) []jet.Lease {
	t.Helper()
	var ls []jet.Lease
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		more, err := x.TakeJobs(ctx(t), "q", n)
		if ls = append(ls, more...); err != nil || len(ls) > want || time.Now().After(end) {
			t.Fatalf("%d leases, %v, want %d", len(ls), err, want)
		}
		if len(ls) == want {
			return ls
		}
	}
}

// attempts tests how often the jobs have been taken.
func attempts(t *testing.T, ls []jet.Lease, want int) {
	t.Helper()
	for _, l := range ls {
		if l.Attempt != want {
			t.Fatalf("job %s: attempt %d, want %d", l.ID, l.Attempt, want)
		}
	}
}

// Each job is done once, by whoever takes it. The same job can be put twice.
func jobs(t *testing.T, s Subject) {
	const count, workers = 100, 6
	x := s.Open(t)
	for range 2 {
		for i := range count {
			if err := x.PutJob(ctx(t), "q", fmt.Sprint(i), fmt.Appendf(nil, "job %d", i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if other, err := x.TakeJobs(ctx(t), "other", 5); len(other) != 0 || err != nil {
		t.Errorf("another queue has %d jobs, %v", len(other), err)
	}
	var done [count]atomic.Int64
	var all atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		x := s.Open(t)
		wg.Go(func() {
			for all.Load() < count && ctx(t).Err() == nil {
				leases, err := x.TakeJobs(ctx(t), "q", 7)
				if err != nil {
					t.Error(err)
					return
				}
				for _, l := range leases {
					var i int
					if _, err := fmt.Sscanf(string(l.Data), "job %d", &i); err != nil || fmt.Sprint(i) != l.ID || l.Attempt != 1 {
						t.Errorf("job %s: data %q, attempt %d", l.ID, l.Data, l.Attempt)
						return
					}
					first, err := l.Done(ctx(t), fmt.Append(nil, w))
					if !first || err != nil {
						t.Errorf("job %s: first %v, %v", l.ID, first, err)
					}
					done[i].Add(1)
					all.Add(1)
				}
			}
		})
	}
	wg.Wait()
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("job %d was done %d times", i, n)
		}
	}
	if err := x.PutJob(ctx(t), "q", "7", []byte("again")); err != nil {
		t.Fatal(err)
	}
	if left, err := x.TakeJobs(ctx(t), "q", 5); len(left) != 0 || err != nil {
		t.Errorf("%d jobs are left, %v", len(left), err)
	}
}

// A lease that ends is given to another worker. The first result counts, whoever has it.
func leases(t *testing.T, s Subject) {
	x, y := s.Open(t), s.Open(t)
	for _, id := range []string{"a", "b"} {
		if err := x.PutJob(ctx(t), "q", id, []byte(id)); err != nil {
			t.Fatal(err)
		}
	}
	old := take(t, x, 5, 2)
	attempts(t, old, 1)
	take(t, y, 5, 0)
	if err := old[0].Extend(ctx(t)); err != nil {
		t.Errorf("extend: %v", err)
	}
	s.Expire()
	fresh := take(t, y, 5, 2)
	attempts(t, fresh, 2)
	if err := old[0].Extend(ctx(t)); !errors.Is(err, jet.ErrLost) {
		t.Errorf("extend a lease that another worker has: %v, want ErrLost", err)
	}
	if first, err := fresh[0].Done(ctx(t), []byte("new")); !first || err != nil {
		t.Errorf("the second worker: first %v, %v", first, err)
	}
	for _, l := range old {
		if first, err := l.Done(ctx(t), []byte("late")); first != (l.ID != fresh[0].ID) || err != nil {
			t.Errorf("job %s: the first worker comes late: first %v, %v", l.ID, first, err)
		}
	}
	if first, err := fresh[1].Done(ctx(t), []byte("new")); first || err != nil {
		t.Errorf("a second result: first %v, %v", first, err)
	}
	s.Expire()
	take(t, x, 5, 0)
}

// Data may have any bytes, or none, and may be large.
func sizes(t *testing.T, s Subject) {
	x := s.Open(t)
	all := [][]byte{nil, {0}, []byte("\xff\n\x00\""), bytes.Repeat([]byte("0123456789abcdef"), 1<<15)}
	for i, data := range all {
		if err := x.PutJob(ctx(t), "q", fmt.Sprint(i), data); err != nil {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
	}
	for _, l := range take(t, s.Open(t), len(all), len(all)) {
		if i := int(l.ID[0] - '0'); !bytes.Equal(l.Data, all[i]) {
			t.Errorf("job %s has %d bytes, want %d", l.ID, len(l.Data), len(all[i]))
		}
	}
}

// A job outlives the process that put it.
func lasts(t *testing.T, s Subject) {
	x := s.Open(t)
	if err := x.PutJob(ctx(t), "q", "job", nil); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	take(t, s.Open(t), 5, 1)
}
