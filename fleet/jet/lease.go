package jet

import (
	"context"
	"errors"
	"time"
)

// Lease is a job that a worker has to do. If it is neither done nor extended in time, another
// worker gets the job.
type Lease struct {
	ID      string
	Data    []byte
	Attempt int // how often the job was leased, with this lease
	// Extend makes the lease last as long as a new one. It returns ErrLost if another worker
	// has the job, or its result is known.
	Extend func(ctx context.Context) error
	// Done stores the result. It reports false if the job has a result already.
	Done func(ctx context.Context, result []byte) (first bool, err error)
}

// LeaseTime is how long a lease lasts.
const LeaseTime = 30 * time.Second

// ErrLost means that a lease is not held any more.
var ErrLost = errors.New("transport: the lease is lost: another worker has the job, or it is done")
