package jet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Offer implements transport.Transport.
func (t *Transport) Offer(ctx context.Context, c transport.Case) (won bool, err error) {
	return t.give(ctx, claim{stream: Corpus, subject: corpusSubject(c.Key), owner: c.Worker}, c.Data)
}

// Report implements transport.Transport.
func (t *Transport) Report(ctx context.Context, f transport.Failure) (first bool, err error) {
	return t.give(ctx, claim{stream: Fail, subject: failSubject(f.Key), owner: f.Worker}, f.Data)
}

// Failures calls fn with the stored failures after a sequence, once through. It returns the last sequence it has read: a
// later call can go on there. A failure that was stored a moment ago may be missing.
func (t *Transport) Failures(ctx context.Context, after uint64, fn func(transport.Failure) error) (last uint64, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	last = after
	err = t.scan(ctx, Fail, everything, after+1, func(m message) error {
		f, err := t.failure(ctx, m)
		switch {
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			t.damaged(fmt.Errorf("jet: failure %d: %w", m.seq, err))
		default:
			if err := fn(f); err != nil {
				return err
			}
		}
		last = m.seq
		return nil
	})
	return last, err
}

func (t *Transport) failure(ctx context.Context, m message) (f transport.Failure, err error) {
	if f.Key, err = failKey(m.subject); err != nil {
		return f, err
	}
	if f.Worker, err = text(m.header, headOwner); err != nil {
		return f, err
	}
	f.Data, err = t.dataOf(ctx, m)
	return f, err
}

// claim is a message that wants to be the first of its subject.
type claim struct {
	stream, subject string
	owner           string
	id              string // of a job or agent, or ""
	header          nats.Header
	data            []byte
}

// give stores data for a claim, and then makes the claim.
func (t *Transport) give(ctx context.Context, c claim, data []byte) (first bool, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	if err := checkText("worker", c.owner); err != nil {
		return false, err
	}
	if err := t.attach(ctx, &c, data); err != nil {
		return false, err
	}
	return t.claim(ctx, c)
}

// claim stores a message unless its subject has one, and reports whether the stored one has the same owner.
//
// Whatever happens to a try, the next one finds out: if the first message was stored, the second is refused, and the
// owner of the stored one is read. A leader also refuses a message while an earlier one is on its way to the other
// servers, where it may get lost. So a claim is decided only when the stored message was read.
func (t *Transport) claim(ctx context.Context, c claim) (first bool, err error) {
	err = t.insist(ctx, "claim "+c.subject, func(ctx context.Context) error {
		taken, err := t.publish(ctx, c)
		if err != nil {
			return err
		}
		if !taken {
			first = true
			return nil
		}
		m, err := t.last(ctx, c.stream, c.subject)
		if err != nil {
			return err
		}
		owner, err := text(m.header, headOwner)
		first = err == nil && owner == c.owner
		return nil
	})
	return first && err == nil, err
}

// publish sends a claim once. It reports that the subject is taken if it has a message, or may have one.
func (t *Transport) publish(ctx context.Context, c claim) (taken bool, err error) {
	a, err := t.send(ctx, c)
	if e := (*apiError)(nil); errors.As(err, &e) && e.ErrCode == codeStoreFailed {
		return true, nil
	}
	return a.Duplicate, err
}

// send sends a message to a stream once, and waits until it is stored.
func (t *Transport) send(ctx context.Context, c claim) (ack, error) {
	m := &nats.Msg{Subject: c.subject, Header: nats.Header{}, Data: c.data}
	for name, values := range c.header {
		m.Header[name] = values
	}
	if c.owner != "" {
		m.Header.Set(headOwner, escape(c.owner))
	}
	if c.id != "" {
		m.Header.Set(headID, escape(c.id))
	}
	reply, err := t.conn.RequestMsgWithContext(ctx, m)
	if err != nil {
		return ack{}, err
	}
	return readAck(c.stream, reply.Data)
}
