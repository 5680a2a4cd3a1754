//go:build go1.25

// Package transport connects the hosts of a campaign.
//
// A host tells the others what its workers have kept. There are four calls:
//
//	won, err := t.Offer(ctx, c)          // I have kept this case
//	err := t.Follow(ctx, after, fn)      // what have all hosts kept?
//	first, err := t.Report(ctx, f)       // I have found this failure
//	err := t.Close()
//
// One call claims, stores and announces a case: the first one with its key wins, and only
// winners are announced. So no host has to repair what another one has begun. A failure is
// stored once for each fingerprint.
//
// Memory connects goroutines, and Dir processes that share a folder. Module fleet connects
// hosts over NATS, and has jobs in addition. Package conform has one suite of tests for all of them.
package transport

import (
	"context"
	"errors"
)

// Key identifies a case by what it has reached, or a failure by its fingerprint.
type Key [16]byte

// Case is an input that a worker has kept.
type Case struct {
	Key    Key
	Worker string // the process that has kept it, and no other one ever
	Data   []byte
}

// Accepted is a case that has won. Seq counts them from 1.
type Accepted struct {
	Case
	Seq uint64
}

// Failure is an input that fails.
type Failure struct {
	Key    Key // fingerprint
	Worker string
	Data   []byte
}

// Transport connects the hosts of one campaign. Its methods may be called from any goroutine.
// An error means that nobody knows whether the call has had an effect; it can be repeated.
type Transport interface {
	// Offer gives a case to all hosts, unless one with the same key was offered before. The
	// worker that has won may repeat the call, and wins again.
	Offer(ctx context.Context, c Case) (won bool, err error)
	// Follow calls fn with all accepted cases whose Seq is larger than after, in order and
	// without gaps, and goes on with new ones until ctx is done or fn returns an error. It
	// returns that error.
	Follow(ctx context.Context, after uint64, fn func(Accepted) error) error
	// Report stores a failure, unless one with the same key was stored before. The worker
	// that was first may repeat the call.
	Report(ctx context.Context, f Failure) (first bool, err error)
	Close() error
}

// ErrClosed means that a transport was closed.
var ErrClosed = errors.New("transport: closed")
