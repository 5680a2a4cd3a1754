// Package distil says which cases of a campaign are not needed, because others together reach all that
// they reach. A corpus only grows: cases are never deleted, because their subjects are what keeps others
// from being stored again. But an agent that starts need not run all of them.
//
// Finding out is a job for each property, which one agent does and none does twice. Its result lists the
// cases that are needed.
package distil

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// Queue is the queue of these jobs.
const Queue = "distil"

// A Job is a property whose cases are to be distilled.
type Job struct {
	Bundle   string `json:"bundle"`
	Package  string `json:"package"`
	Property string `json:"property"`
	Number   int    `json:"number"` // counts the jobs of a property
}

// ID returns what names the job.
func (j Job) ID() string {
	return fmt.Sprintf("%d %s %s %s", j.Number, j.Bundle, j.Package, j.Property)
}

// A Result is which cases of a property are needed.
type Result struct {
	Job
	Last   uint64   `json:"last"`   // sequence of the last case that was looked at
	Cases  int      `json:"cases"`  // of the property
	Needed []string `json:"needed"` // their keys, in hexadecimal
}

const (
	jobMax    = 16 << 10
	resultMax = 32 << 20
)

// ReadJob reads a job.
func ReadJob(data []byte) (j Job, err error) {
	if len(data) > jobMax {
		return j, errors.New("distil: a job that is too large")
	}
	return j, json.Unmarshal(data, &j)
}

// Results reads all results.
func Results(ctx context.Context, t *jet.Transport, fn func(Result)) error {
	return t.Results(ctx, Queue, 0, func(r jet.Result) error {
		var one Result
		if len(r.Data) <= resultMax && json.Unmarshal(r.Data, &one) == nil && one.ID() == r.ID {
			fn(one)
		}
		return nil
	})
}

// View is a transport whose followers do not get cases that are not needed.
type View struct{ *jet.Transport }

// Follow follows like the transport, but leaves out cases that were found not to be needed before the call.
func (v View) Follow(ctx context.Context, after uint64, fn func(transport.Accepted) error) error {
	skip, err := v.skip(ctx)
	if err != nil {
		return err
	}
	return v.Transport.Follow(ctx, after, func(a transport.Accepted) error {
		if skip(a) {
			return nil
		}
		return fn(a)
	})
}

// skip returns a function that reports whether a case is not needed.
func (v View) skip(ctx context.Context) (func(transport.Accepted) bool, error) {
	type newest struct {
		Result
		keys map[transport.Key]bool
	}
	of := map[uint64]*newest{} // by property
	err := Results(ctx, v.Transport, func(r Result) {
		scope := exchange.Scope(r.Package, r.Property)
		if old := of[scope]; old != nil && old.Last >= r.Last {
			return
		}
		n := &newest{Result: r, keys: map[transport.Key]bool{}}
		for _, text := range r.Needed {
			if key, err := hex.DecodeString(text); err == nil && len(key) == len(transport.Key{}) {
				n.keys[transport.Key(key)] = true
			}
		}
		of[scope] = n
	})
	return func(a transport.Accepted) bool {
		n := of[exchange.ScopeOf(a.Key)]
		return n != nil && a.Seq <= n.Last && !n.keys[a.Key]
	}, err
}
