package agent

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/fleet/distil"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/proc/share"
	"github.com/allele-go/allele/internal/store/corpus"
)

// work takes jobs and does them until the context is done. A job that an agent cannot do, because it has
// not got the bundle, is left to others: its lease ends.
func (a *Agent) work(ctx context.Context) {
	for ctx.Err() == nil {
		call, cancel := context.WithTimeout(ctx, a.config.Look)
		leases, err := a.fleet.TakeJobs(call, distil.Queue, 1)
		cancel()
		if err != nil || len(leases) == 0 { // an outage is reported elsewhere
			wait(ctx, a.config.Look)
		}
		for _, l := range leases {
			a.Metrics.JobsTaken.Add(1)
			if err := a.do(ctx, l); err != nil {
				a.Metrics.JobsLost.Add(1)
				a.config.Log.Warn("a job was not done; another agent gets it", "job", l.ID, "error", err)
				wait(ctx, a.config.Look)
			}
		}
	}
}

// do does a job, and stores its result.
func (a *Agent) do(ctx context.Context, l jet.Lease) error {
	j, err := distil.ReadJob(l.Data)
	if err != nil {
		return fmt.Errorf("this is no job: %w", err)
	}
	if j.ID() != l.ID {
		return fmt.Errorf("this is no job: its ID is %s, not %s", j.ID(), l.ID)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // hold the lease
		for ; ctx.Err() == nil; wait(ctx, jet.LeaseTime/3) {
			if err := l.Extend(ctx); errors.Is(err, jet.ErrLost) {
				cancel(err)
			}
		}
	}()
	r, err := a.distil(ctx, j)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	first, err := l.Done(ctx, text)
	if first {
		a.Metrics.JobsDone.Add(1)
		a.config.Log.Info("distilled", "property", j.Property, "cases", r.Cases, "needed", len(r.Needed))
	}
	return err
}

// distil runs all cases of a property, and returns which are needed.
func (a *Agent) distil(ctx context.Context, j distil.Job) (r distil.Result, err error) {
	r.Job = j
	a.mu.Lock()
	ordered := a.now.Bundle // the order is signed, and a job is not
	a.mu.Unlock()
	if j.Bundle != ordered || ordered == "" {
		return r, errors.New("the job is for another bundle than the one that this agent was ordered to run")
	}
	dir := filepath.Join(a.config.Dir, "bundles", j.Bundle)
	m, err := readManifest(dir)
	if err != nil {
		return r, err
	}
	all := m.In(dir)
	i := slices.IndexFunc(all, func(p launch.Property) bool { return p.Package == j.Package && p.Name == j.Property })
	if i < 0 {
		return r, errors.New("the bundle has no such property")
	}
	temp, err := os.MkdirTemp(a.config.Dir, "work-*")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(temp)
	keys, err := a.gather(ctx, all[i], temp, &r)
	if err != nil {
		return r, err
	}
	l := &launch.Launcher{Temp: temp}
	limits := a.config.Limits
	limits.Temp = temp
	s := &campaign.Supervisor{Runner: l, Program: &programs{dir, m}, Processes: &l.All, Limits: limits}
	ended := context.AfterFunc(ctx, func() { l.All.Ask() })
	defer ended()
	events, _, err := s.Reduce(all[i], job.Reduce, campaign.Reduction{Folder: filepath.Join(temp, "corpus")})
	if err != nil {
		return r, errors.Join(err, context.Cause(ctx))
	}
	for _, e := range events {
		if b, ok := e.Body.(event.Dropped); ok {
			delete(keys, b.Case)
		}
	}
	for _, of := range keys {
		r.Needed = append(r.Needed, hex.EncodeToString(of[:]))
	}
	slices.Sort(r.Needed)
	return r, nil
}

// gather writes the cases of a property to a folder, and returns their keys by the name that each has
// there. Cases with the same input are one.
func (a *Agent) gather(ctx context.Context, p launch.Property, temp string, r *distil.Result) (keys map[string]transport.Key, err error) {
	folder := filepath.Join(temp, "corpus")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	w, err := corpus.Create(folder, p.Package, p.Name)
	if err != nil {
		return nil, err
	}
	keys = map[string]transport.Key{}
	scope := exchange.Scope(p.Package, p.Name)
	r.Last, err = a.fleet.Cases(ctx, 0, func(c transport.Accepted) error {
		if exchange.ScopeOf(c.Key) != scope {
			return nil
		}
		m, _ := share.Open(c.Data)
		one, ok := m.Decode()
		if r.Cases++; !ok || one.Text == "" {
			return nil
		}
		e := corpus.Entry{Input: one.Text, Verdict: event.Passed, Trace: one.Trace}
		if _, known := keys[e.ID()]; known {
			return nil
		}
		keys[e.ID()] = c.Key
		return w.Add(e)
	})
	return keys, errors.Join(err, w.Close())
}
