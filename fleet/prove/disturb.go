package prove

import (
	"context"
	"fmt"
	"time"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// lookEvery is how often a goroutine looks whether it has something to do.
const lookEvery = 10 * time.Millisecond

const (
	strikeAfter = 50  // offers after the workers have gone on: then servers are killed
	goOnFor     = 100 // offers that must be answered without the server that is away
	// stretchMin is how many offers there must be for each disturbance, so that it comes in the middle of them.
	stretchMin = 500
)

// step is a disturbance. It finds its victim while the workers wait, and strikes when they have gone on.
type step struct {
	leader bool // the victim is the leader of the corpus
	strike func(ctx context.Context, counts *Counts, victim int) error
}

func (r *run) steps() (steps []step) {
	for i := range max(r.Kills, r.KillAlls, r.Cuts) {
		if i < r.Kills {
			steps = append(steps, step{true, r.killLeader})
		}
		if i < r.Cuts {
			steps = append(steps, step{true, r.cutLeader})
		}
		if i < r.KillAlls {
			steps = append(steps, step{false, r.killAll})
		}
	}
	return steps
}

// disturb kills servers and cuts them off, evenly spread over the offers. The workers never get further than to the next
// disturbance, so each one happens while they offer cases.
func (r *run) disturb(ctx context.Context, counts *Counts) error {
	steps, total := r.steps(), 2*len(r.told)
	counts.Open = total
	stretch := total / (len(steps) + 1)
	if stretch < stretchMin && len(steps) > 0 {
		return fmt.Errorf("prove: %d offers are too few for %d disturbances", total, len(steps))
	}
	for i, s := range steps {
		at := int64(stretch * (i + 1))
		r.allowed.Store(at)
		if err := r.reach(ctx, at); err != nil {
			return err
		}
		victim := 0
		if s.leader {
			var err error
			if victim, err = r.cluster.Leader(ctx, jet.Corpus); err != nil {
				return err
			}
		}
		limit := at + int64(stretch)
		r.allowed.Store(limit)
		if err := r.reach(ctx, at+strikeAfter); err != nil {
			return err
		}
		counts.Open = min(counts.Open, int(limit-r.offers.Load()))
		if err := s.strike(ctx, counts, victim); err != nil {
			return err
		}
	}
	r.allowed.Store(int64(total))
	return nil
}

// reach waits until a number of offers were answered, or all that are allowed.
func (r *run) reach(ctx context.Context, offers int64) error {
	for r.offers.Load() < min(offers, r.allowed.Load()) {
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context) error {
	select {
	case <-time.After(lookEvery):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *run) killLeader(ctx context.Context, counts *Counts, n int) error {
	r.cluster.Kill(n)
	counts.Kills++
	if err := r.reach(ctx, r.offers.Load()+goOnFor); err != nil {
		return err
	}
	return r.cluster.Restart(ctx, n)
}

func (r *run) killAll(ctx context.Context, counts *Counts, _ int) error {
	r.cluster.KillAll()
	counts.KillAlls++
	var all []int
	for i := range cluster.Nodes {
		all = append(all, i)
	}
	return r.cluster.Restart(ctx, all...)
}

// cutLeader cuts the leader off. Every second time its connections stay open and are silent.
func (r *run) cutLeader(ctx context.Context, counts *Counts, n int) error {
	r.cluster.Isolate(n, counts.Cuts%2 == 1)
	counts.Cuts++
	err := r.reach(ctx, r.offers.Load()+goOnFor)
	r.cluster.Heal(n)
	if err != nil {
		return err
	}
	return r.cluster.Ready(ctx)
}

func jobName(i int) string { return fmt.Sprint("job ", i) }

func (r *run) putJobs(ctx context.Context, x *jet.Transport) error {
	for i := range r.Jobs {
		// The jobs are spread over the run, so that some are put, leased and judged while servers are away.
		for at := int64(i) * int64(len(r.told)) / int64(r.Jobs); r.offers.Load() < at; {
			if err := pause(ctx); err != nil {
				return err
			}
		}
		err := r.insist(ctx, func(ctx context.Context) error { return x.PutJob(ctx, queue, jobName(i), []byte(jobName(i))) })
		if err != nil {
			return err
		}
	}
	return nil
}

// judge takes jobs until all are judged.
func (r *run) judge(ctx context.Context, x *jet.Transport) error {
	for r.unjudged() > 0 {
		var leases []jet.Lease
		err := r.insist(ctx, func(ctx context.Context) (err error) {
			leases, err = x.TakeJobs(ctx, queue, 4)
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range leases {
			if err := r.judgeOne(ctx, l); err != nil {
				return err
			}
		}
		if len(leases) == 0 {
			if err := pause(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// unjudged is how many jobs have no result.
func (r *run) unjudged() (n int) {
	for i := range r.judged {
		if r.judged[i].Load() == 0 {
			n++
		}
	}
	return n
}

func (r *run) judgeOne(ctx context.Context, l jet.Lease) error {
	var i int
	if _, err := fmt.Sscanf(l.ID, "job %d", &i); err != nil || i < 0 || i >= r.Jobs || string(l.Data) != l.ID {
		return fmt.Errorf("job %q has data %q", l.ID, l.Data)
	}
	if l.Attempt > 1 {
		r.redelivered.Add(1)
	} else if i%dropEvery == 0 {
		return nil // this worker dies
	}
	var first bool
	err := r.insist(ctx, func(ctx context.Context) (err error) {
		first, err = l.Done(ctx, []byte("judged "+l.ID))
		return err
	})
	if first {
		r.judged[i].Add(1)
	}
	return err
}
