package jet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/internal/campaign/transport"
)

const (
	// silence is how long a follower waits for a message before it asks for more. The last message before a
	// pause may be lost, and nothing shows a gap then.
	silence    = 5 * time.Second
	silenceMax = 20 * time.Second
	// The messages that wait for a follower. What does not fit is dropped by the client, which is a gap.
	liveMessages = 1 << 14
	liveBytes    = 32 << 20
)

// Follow implements transport.Transport. Seq is the sequence of the stream. A case that cannot be used, such as one
// whose data is missing, is skipped and given to Options.Damaged.
//
// Servers publish a stored case again for all followers, and keep nothing for any of them. Such a message may be lost. A
// follower that sees a gap in the sequence reads the stored messages.
func (t *Transport) Follow(ctx context.Context, after uint64, fn func(transport.Accepted) error) error {
	ctx, end := t.begin(ctx)
	defer end()
	sub, err := t.conn.SubscribeSync("live.corpus.>") // first: what comes while we read the past must not be missed
	if err != nil {
		return fmt.Errorf("jet: follow: %w", err)
	}
	defer sub.Unsubscribe() // fails if the connection is closed, and then it has no effect
	if err := sub.SetPendingLimits(liveMessages, liveBytes); err != nil {
		return fmt.Errorf("jet: follow: %w", err)
	}
	f := &follower{t: t, next: after + 1, fn: fn, silence: silence}
	if err := f.read(ctx); err != nil {
		return err
	}
	for {
		m, err := f.live(ctx, sub)
		switch {
		case ctx.Err() != nil:
			return ended(ctx, "follow", nil)
		case errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrBadSubscription):
			return fmt.Errorf("jet: follow: %w", err)
		case err != nil: // silence, or a message that tells nothing
			f.silence = min(2*f.silence, silenceMax)
			err = f.read(ctx)
		case m.seq == f.next:
			err = f.take(ctx, m)
		case m.seq > f.next:
			err = f.readTo(ctx, m.seq)
		}
		if err != nil {
			return err
		}
	}
}

// follower gives the cases of a stream to a function, in order.
type follower struct {
	t    *Transport
	next uint64 // sequence
	fn   func(transport.Accepted) error
	// silence is how long the follower waits for a live message before it asks, at most. It grows while
	// nothing comes: otherwise thousands of silent followers are the whole load of the servers.
	silence time.Duration
}

// live waits for a message that was published again.
func (f *follower) live(ctx context.Context, sub *nats.Subscription) (m message, err error) {
	// All followers have got the last message at the same time. They do not ask at the same time.
	ctx, cancel := context.WithTimeout(ctx, f.silence/2+rand.N(f.silence/2))
	defer cancel()
	reply, err := sub.NextMsgWithContext(ctx)
	if err != nil {
		return m, err
	}
	m, err = stored(reply.Header, reply.Data)
	if err == nil && (m.stream != Corpus || "live."+m.subject != reply.Subject) {
		err = errUnreadable // it is not from the stream
	}
	return m, err
}

// readTo reads stored messages up to a sequence, which exists. A replica may not have it yet.
func (f *follower) readTo(ctx context.Context, seq uint64) error {
	for pause := pauseMin; ; pause = min(2*pause, pauseMax) {
		if err := f.read(ctx); err != nil || f.next > seq {
			return err
		}
		sleep(ctx, pause)
		if ctx.Err() != nil {
			return ended(ctx, "follow", nil)
		}
	}
}

// read reads stored messages up to the end that some replica knows of.
func (f *follower) read(ctx context.Context) error {
	for {
		var b batch
		err := f.t.insist(ctx, "follow", func(ctx context.Context) (err error) {
			b, err = f.t.batch(ctx, Corpus, everything, f.next)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range b.messages {
			if err := f.fill(ctx, m.seq); err != nil {
				return err
			}
			if m.seq == f.next {
				if err := f.take(ctx, m); err != nil {
					return err
				}
			}
		}
		if err := f.fill(ctx, b.end+1); err != nil { // messages at the end may have damaged headers
			return err
		}
		if b.all || len(b.messages) == 0 {
			return nil
		}
	}
}

// fill reads the messages before a sequence that are missing from an answer. No message of the stream is ever
// deleted, so either its headers are damaged, or the replica is: the leader decides.
func (f *follower) fill(ctx context.Context, seq uint64) error {
	for f.next < seq {
		var m message
		err := f.t.insist(ctx, "follow", func(ctx context.Context) (err error) {
			m, err = f.t.leader(ctx, Corpus, request{Seq: f.next, NextFor: everything})
			if errors.Is(err, errNone) {
				m, err = message{seq: seq}, nil
			}
			return err
		})
		if err != nil {
			return err
		}
		if f.next = max(f.next, min(m.seq, seq)); m.seq >= seq {
			return nil
		}
		if err := f.take(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// take gives a case to the function.
func (f *follower) take(ctx context.Context, m message) error {
	c, err := f.t.caseOf(ctx, m)
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		f.t.damaged(fmt.Errorf("jet: case %d, %.80q: %w", m.seq, m.subject, err))
	default:
		if err := f.fn(transport.Accepted{Case: c, Seq: m.seq}); err != nil {
			return err
		}
	}
	f.next, f.silence = m.seq+1, silence
	return nil
}

func (t *Transport) caseOf(ctx context.Context, m message) (c transport.Case, err error) {
	if c.Key, err = corpusKey(m.subject); err != nil {
		return c, err
	}
	if c.Worker, err = text(m.header, headOwner); err != nil {
		return c, err
	}
	c.Data, err = t.dataOf(ctx, m)
	return c, err
}
