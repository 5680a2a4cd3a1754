// Package prove runs a campaign on a cluster of servers while servers are killed or cut off, and
// counts what was lost.
//
//	counts, err := prove.Run(ctx, c, prove.Config{Offers: 20000, Kills: 2, KillAlls: 1})
//	problems := counts.Problems()
//
// Nothing depends on time: disturbances come when some number of offers is done, and all calls
// are repeated until they succeed.
package prove

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// Config says how large a run is. Each key is offered by two workers.
type Config struct {
	Offers   int // in all
	Jobs     int
	Kills    int // of the leader of the corpus
	KillAlls int // of all servers at once
	Cuts     int // of the leader from everybody else; it needs a cluster with proxies
}

const (
	workers   = 4
	inFlight  = 8  // offers of a worker at a time
	failEvery = 50 // every such key is also reported as a failure
	dropEvery = 10 // the first lease of every such job is not done
	largeEach = 500
	leaseTime = 5 * time.Second
	callMax   = 10 * time.Second // as in package exchange
	queue     = "prove"
)

// Counts is what has happened. A run is sound if Problems returns nothing.
type Counts struct {
	Offers, Keys, Won     int // offers that were answered, keys, offers that were told that they have won
	Errors                int // calls that failed and were repeated
	Kills, KillAlls, Cuts int
	// Open is how many offers the workers still had to make until their next stop, at the disturbance where it was least.
	// It shows that servers were killed in the middle of the work.
	Open              int
	Failures          int // that were told to be the first
	Jobs, Redelivered int // jobs that were told to have the first result; leases after the first one
	problems
}

// problems must all be 0.
type problems struct {
	Lost, Doubled        int // cases that have won and are not stored; keys that are stored more than once
	TwoWinners, NoWinner int // keys
	WrongOwner           int // keys that are stored for another worker than the one that was told
	Missed, Disorder     int // by the follower: cases that it never got, cases out of order
	FailuresWrong        int // failures that are not stored, or not once
	JobsWrong            int // jobs without a result, or with two that were told to be the first
	Damaged              int // stored data that cannot be used
}

// Problems describes what is wrong, or returns nothing.
func (c Counts) Problems() string {
	if c.problems == (problems{}) {
		return ""
	}
	return fmt.Sprintf("%+v", c.problems)
}

// run is a run in progress.
type run struct {
	Config
	cluster *cluster.Cluster
	opts    jet.Options
	told    []atomic.Int32 // by key: 1 + the worker that was told that it has won
	failed  []atomic.Int32 // by key: how many were told that they are the first
	judged  []atomic.Int32 // by job: how many were told that they are the first

	begun, allowed, offers                        atomic.Int64 // offers: begun, that may begin, answered
	won, errors, redelivered, twoWinners, damaged atomic.Int64

	mu    sync.Mutex
	conns []*nats.Conn
}

// Run makes a campaign on a cluster, and returns what has happened. The cluster must have no campaign.
func Run(ctx context.Context, c *cluster.Cluster, o Config) (Counts, error) {
	keys := max(1, o.Offers/2)
	r := &run{Config: o, cluster: c, told: make([]atomic.Int32, keys), failed: make([]atomic.Int32, keys),
		judged: make([]atomic.Int32, o.Jobs)}
	r.opts = jet.Options{Replicas: cluster.Nodes, LeaseTime: leaseTime, Damaged: func(error) { r.damaged.Add(1) }}
	defer r.disconnect()
	counts, err := r.all(ctx)
	if err != nil {
		return counts, err
	}
	return counts, r.audit(ctx, &counts)
}

// all runs the campaign.
func (r *run) all(ctx context.Context) (counts Counts, err error) {
	first, err := r.open()
	if err != nil {
		return counts, err
	}
	conn, err := r.cluster.Connect()
	if err != nil {
		return counts, err
	}
	defer conn.Close()
	if err := jet.Create(ctx, conn, r.opts); err != nil {
		return counts, err
	}
	var g group
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	follower := &follower{seen: map[transport.Key]int{}}
	g.run(cancel, func() error { return r.putJobs(ctx, first) })
	for w := range workers {
		x, err := r.open()
		if err != nil {
			return counts, err
		}
		for lane := range inFlight {
			g.run(cancel, func() error { return r.offer(ctx, x, w, lane) })
		}
		g.run(cancel, func() error { return r.judge(ctx, x) })
	}
	g.run(cancel, func() error { return r.disturb(ctx, &counts) })
	x, err := r.open()
	if err != nil {
		return counts, err
	}
	g.run(cancel, func() error { return follower.follow(ctx, r, x) })
	err = g.wait()
	counts.Missed, counts.Disorder = len(r.told)-len(follower.seen), follower.disorder
	return counts, err
}

// open opens an end of the campaign with a connection of its own.
func (r *run) open() (*jet.Transport, error) {
	conn, err := r.cluster.Connect()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns = append(r.conns, conn)
	return jet.Open(conn, r.opts), nil
}

func (r *run) disconnect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
}

// group is goroutines that end together.
type group struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func (g *group) run(cancel func(), do func() error) {
	g.wg.Go(func() {
		if err := do(); err != nil {
			cancel()
			g.mu.Lock()
			defer g.mu.Unlock()
			g.errs = append(g.errs, err)
		}
	})
}

// wait returns the first error: the others follow from it.
func (g *group) wait() error {
	g.wg.Wait()
	if len(g.errs) > 0 {
		return g.errs[0]
	}
	return nil
}

// insist repeats a call as package exchange does.
func (r *run) insist(ctx context.Context, call func(context.Context) error) error {
	for {
		short, cancel := context.WithTimeout(ctx, callMax)
		err := call(short)
		cancel()
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		r.errors.Add(1)
	}
}

func keyOf(n int) (k transport.Key) {
	binary.BigEndian.PutUint64(k[8:], uint64(n)*0x9e3779b97f4a7c15) // odd, so that different numbers make different keys
	binary.BigEndian.PutUint64(k[:8], uint64(n))
	return k
}

func numberOf(k transport.Key) int { return int(binary.BigEndian.Uint64(k[:8])) }

func nameOf(worker int) string { return fmt.Sprint("worker ", worker) }

// dataOf is the data of a case. Some of it is too large for a message.
func dataOf(n, worker int) []byte {
	size := 200
	if n%largeEach == 0 {
		size = 300 << 10
	}
	return append(fmt.Appendf(nil, "%d of %d ", n, worker), make([]byte, size)...)
}

// offer offers the keys of a worker. Key n belongs to workers n and n+1, modulo their number.
func (r *run) offer(ctx context.Context, x *jet.Transport, w, lane int) error {
	for n := lane; n < len(r.told); n += inFlight {
		if d := (w - n%workers + workers) % workers; d > 1 {
			continue
		}
		for ticket := r.begun.Add(1); ticket > r.allowed.Load(); {
			if err := pause(ctx); err != nil {
				return err
			}
		}
		var won bool
		err := r.insist(ctx, func(ctx context.Context) (err error) {
			won, err = x.Offer(ctx, transport.Case{Key: keyOf(n), Worker: nameOf(w), Data: dataOf(n, w)})
			return err
		})
		if err != nil {
			return err
		}
		if won {
			r.won.Add(1)
			if !r.told[n].CompareAndSwap(0, int32(w+1)) {
				r.twoWinners.Add(1)
			}
		}
		if n%failEvery == 0 {
			if err := r.report(ctx, x, w, n); err != nil {
				return err
			}
		}
		r.offers.Add(1)
	}
	return nil
}

func (r *run) report(ctx context.Context, x *jet.Transport, w, n int) error {
	var first bool
	err := r.insist(ctx, func(ctx context.Context) (err error) {
		first, err = x.Report(ctx, transport.Failure{Key: keyOf(n), Worker: nameOf(w), Data: dataOf(n, w)})
		return err
	})
	if first {
		r.failed[n].Add(1)
	}
	return err
}

// follower is a worker that only follows.
type follower struct {
	seen     map[transport.Key]int
	after    uint64
	disorder int
}

var errAll = errors.New("all cases were seen")

// follow follows until all keys were seen.
func (f *follower) follow(ctx context.Context, r *run, x *jet.Transport) error {
	for len(f.seen) < len(r.told) {
		err := x.Follow(ctx, f.after, func(a transport.Accepted) error {
			if a.Seq != f.after+1 {
				f.disorder++
			}
			f.after = a.Seq
			if f.seen[a.Key]++; len(f.seen) == len(r.told) {
				return errAll
			}
			return nil
		})
		if ctx.Err() != nil {
			return fmt.Errorf("the follower saw %d of %d cases: %w", len(f.seen), len(r.told), ctx.Err())
		}
		if !errors.Is(err, errAll) {
			r.errors.Add(1)
		}
	}
	return nil
}
