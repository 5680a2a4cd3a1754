package jet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Options are the settings of a campaign. The zero value works for one server.
type Options struct {
	// Replicas is how many servers store each message: 1 or 3. 0 means 1.
	Replicas int
	// LeaseTime is how long a lease of a job lasts. It must be the same on all hosts of a
	// campaign. 0 means LeaseTime.
	LeaseTime time.Duration
	// API begins the subjects of requests to the leaders of streams and consumers. Roles that live in
	// accounts of their own have another one: see access.Credential.API. Empty means $JS.API.
	API string
	// Damaged is called with an error about stored data that cannot be used, such as a case
	// whose data is missing. Followers skip such a case: one bad worker must not stop all
	// others. It may be nil.
	Damaged func(error)
}

func (o Options) api() string {
	if o.API == "" {
		return "$JS.API"
	}
	return o.API
}

func (o Options) leaseTime() time.Duration {
	if o.LeaseTime == 0 {
		return LeaseTime
	}
	return o.LeaseTime
}

const (
	// callTime is how long the answer to one request may take. Requests vanish while the
	// servers elect a leader, so a short wait and another try is faster than a long wait.
	callTime = 2 * time.Second
	pauseMin = 20 * time.Millisecond
	pauseMax = time.Second
	// pingEvery bounds how long a connection that is cut without a word is taken for alive:
	// twice this time.
	pingEvery = 5 * time.Second
)

// ConnOptions returns the options that a connection to the servers should have. Replies to
// requests are sent to subjects that begin with inbox. Only this user should be allowed to listen there.
func ConnOptions(inbox string) []nats.Option {
	return []nats.Option{
		nats.CustomInboxPrefix(inbox),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond),
		// A request that waits in a buffer until the servers are back takes leases that
		// nobody waits for any more.
		nats.ReconnectBufSize(-1),
		nats.PingInterval(pingEvery),
		nats.MaxPingsOutstanding(2),
		nats.Timeout(callTime),
	}
}

// Transport is one end of a campaign. It implements transport.Transport.
//
// All requests have a deadline of their own and are repeated until the context of the call is
// done: repeating them is safe. So callers should give contexts with deadlines.
type Transport struct {
	conn  *nats.Conn
	opts  Options
	life  context.Context // ends with Close
	close context.CancelCauseFunc

	mu     sync.Mutex
	queues map[string]bool   // queues that are known to have a consumer
	states map[string]uint64 // the last sequence that was seen of each state
}

var _ transport.Transport = (*Transport)(nil)

// Open returns one end of a campaign, whose streams Create has made. The connection belongs to
// the caller: Close does not close it, and several transports may share it. Open sends nothing.
func Open(conn *nats.Conn, o Options) *Transport {
	life, cancel := context.WithCancelCause(context.Background())
	return &Transport{conn: conn, opts: o, life: life, close: cancel, queues: map[string]bool{}, states: map[string]uint64{}}
}

// Close ends all calls. It leaves the connection open.
func (t *Transport) Close() error {
	if t.life.Err() != nil {
		return transport.ErrClosed
	}
	t.close(transport.ErrClosed)
	return nil
}

// begin returns a context that ends with ctx, and when the transport is closed.
func (t *Transport) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(t.life, func() { cancel(transport.ErrClosed) })
	if t.life.Err() != nil {
		cancel(transport.ErrClosed) // AfterFunc needs a moment
	}
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// final is an error that another try cannot cure.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// insist repeats a call until it succeeds, ctx is done, or the error is final. Each try has its own deadline.
func (t *Transport) insist(ctx context.Context, what string, try func(context.Context) error) error {
	var last error
	for pause := pauseMin; ; pause = min(2*pause, pauseMax) {
		if ctx.Err() != nil {
			return ended(ctx, what, last)
		}
		short, cancel := context.WithTimeout(ctx, callTime)
		err := try(short)
		cancel()
		if err == nil {
			return nil
		}
		if f := (final{}); errors.As(err, &f) {
			return fmt.Errorf("jet: %s: %w", what, f.error)
		}
		if ctx.Err() == nil {
			last = err
		}
		sleep(ctx, pause)
	}
}

// ended is the error of a call whose context is done.
func ended(ctx context.Context, what string, last error) error {
	if last == nil {
		return fmt.Errorf("jet: %s: %w", what, context.Cause(ctx))
	}
	return fmt.Errorf("jet: %s: %w; the last try: %v", what, context.Cause(ctx), last)
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// damaged reports stored data that cannot be used.
func (t *Transport) damaged(err error) {
	if t.opts.Damaged != nil {
		t.opts.Damaged(err)
	}
}
