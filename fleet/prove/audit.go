package prove

import (
	"context"
	"errors"
	"fmt"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// audit compares what is stored with what the workers were told.
func (r *run) audit(ctx context.Context, c *Counts) error {
	x, err := r.open()
	if err != nil {
		return err
	}
	defer x.Close()
	c.Offers, c.Keys, c.Won = int(r.offers.Load()), len(r.told), int(r.won.Load())
	c.Errors, c.Redelivered, c.TwoWinners = int(r.errors.Load()), int(r.redelivered.Load()), int(r.twoWinners.Load())
	err = errors.Join(r.auditCases(ctx, x, c), r.auditFailures(ctx, x, c), r.auditJobs(ctx, x, c))
	c.Damaged = int(r.damaged.Load())
	return err
}

func (r *run) auditCases(ctx context.Context, x *jet.Transport, c *Counts) error {
	owners := map[int]string{}
	// One more case marks the end.
	end := transport.Case{Key: keyOf(len(r.told)), Worker: "audit"}
	if err := r.insist(ctx, func(ctx context.Context) error { _, err := x.Offer(ctx, end); return err }); err != nil {
		return err
	}
	err := x.Follow(ctx, 0, func(a transport.Accepted) error {
		n := numberOf(a.Key)
		if a.Key == end.Key {
			return errAll
		}
		if _, known := owners[n]; known {
			c.Doubled++
		}
		owners[n] = a.Worker
		return nil
	})
	if !errors.Is(err, errAll) {
		return err
	}
	for n := range r.told {
		owner, stored := owners[n]
		switch told := int(r.told[n].Load()) - 1; {
		case told < 0:
			c.NoWinner++
		case !stored:
			c.Lost++
		case owner != nameOf(told):
			c.WrongOwner++
		}
	}
	return nil
}

func (r *run) auditFailures(ctx context.Context, x *jet.Transport, c *Counts) error {
	seen := map[int]int{}
	for last := uint64(0); ; { // a replica may be late
		before := last
		var err error
		if last, err = x.Failures(ctx, last, func(f transport.Failure) error {
			seen[numberOf(f.Key)]++
			return nil
		}); err != nil {
			return err
		}
		if want := (len(r.told) + failEvery - 1) / failEvery; len(seen) >= want {
			break
		}
		if last == before {
			if err := pause(ctx); err != nil {
				return fmt.Errorf("%d failures are stored: %w", len(seen), err)
			}
		}
	}
	for n := 0; n < len(r.told); n += failEvery {
		told := int(r.failed[n].Load())
		c.Failures += told
		if seen[n] != 1 || told != 1 {
			c.FailuresWrong++
		}
	}
	return nil
}

func (r *run) auditJobs(ctx context.Context, x *jet.Transport, c *Counts) error {
	for {
		results := map[string]int{}
		err := x.Results(ctx, queue, 0, func(res jet.Result) error {
			results[res.ID]++
			return nil
		})
		if err != nil {
			return err
		}
		if len(results) < r.Jobs { // a replica may be late
			if err := pause(ctx); err != nil {
				return fmt.Errorf("%d results are stored: %w", len(results), err)
			}
			continue
		}
		for i := range r.judged {
			told := int(r.judged[i].Load())
			c.Jobs += told
			if told != 1 || results[jobName(i)] != 1 {
				c.JobsWrong++
			}
		}
		return nil
	}
}
