package jet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	takeMax = 256     // leases of one call
	heldMax = 1 << 20 // leases of a queue that workers hold at a time
)

// PutJob adds a job to a queue, unless the queue has or had one with this id. Only a submitter may call it.
// The names of queues and jobs have at most 1 kB.
func (t *Transport) PutJob(ctx context.Context, queue, id string, data []byte) error {
	ctx, end := t.begin(ctx)
	defer end()
	if err := errors.Join(checkText("queue", queue), checkText("job", id)); err != nil {
		return err
	}
	if err := t.makeQueue(ctx, queue); err != nil {
		return err
	}
	c := claim{stream: Jobs, subject: jobSubject(queue, id), id: id}
	if err := t.attach(ctx, &c, data); err != nil {
		return err
	}
	return t.insist(ctx, "put job "+c.subject, func(ctx context.Context) error {
		_, err := t.leader(ctx, Done, request{LastFor: doneSubject(queue, id)})
		if !errors.Is(err, errNone) {
			return err // it is done, or nobody knows
		}
		taken, err := t.publish(ctx, c)
		if err == nil && taken {
			// It was put before. If it is not there, it is done by now, or was refused while it was on its
			// way to the other servers: the next try finds out.
			_, err = t.last(ctx, Jobs, c.subject)
		}
		return err
	})
}

// makeQueue makes the consumer of a queue.
func (t *Transport) makeQueue(ctx context.Context, queue string) error {
	t.mu.Lock()
	known := t.queues[queue]
	t.mu.Unlock()
	if known {
		return nil
	}
	js, err := jetstream.New(t.conn, jetstream.WithDefaultTimeout(callTime))
	if err != nil {
		return fmt.Errorf("jet: make queue: %w", err)
	}
	err = t.insist(ctx, "make queue "+token(queue), func(ctx context.Context) error {
		_, err := js.CreateOrUpdateConsumer(ctx, Jobs, jetstream.ConsumerConfig{
			Durable: token(queue), FilterSubject: "job." + token(queue) + ".*", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: t.opts.leaseTime(), MaxDeliver: -1, MaxAckPending: heldMax,
		})
		return err
	})
	if err == nil {
		t.mu.Lock()
		t.queues[queue] = true
		t.mu.Unlock()
	}
	return err
}

// TakeJobs leases at most n jobs of a queue that nobody else has. There may be none.
func (t *Transport) TakeJobs(ctx context.Context, queue string, n int) (leases []Lease, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	if err := checkText("queue", queue); err != nil {
		return nil, err
	}
	if n = min(n, takeMax); n <= 0 {
		return nil, nil
	}
	var jobs []*nats.Msg
	var from time.Time
	err = t.insist(ctx, "take jobs", func(ctx context.Context) (err error) {
		from = time.Now() // before the servers count
		jobs, err = t.pull(ctx, token(queue), n)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, m := range jobs {
		l, jobErr := t.lease(ctx, queue, m, from)
		if jobErr != nil {
			err = jobErr
			t.damaged(err)
		} else if l != nil {
			leases = append(leases, Lease{ID: l.id, Data: l.data, Attempt: l.attempt, Extend: l.extend, Done: l.done})
		}
	}
	if len(leases) > 0 {
		return leases, nil // the lease of a job that is damaged ends by itself
	}
	return nil, err
}

// pull asks for the jobs of a queue that nobody has.
func (t *Transport) pull(ctx context.Context, consumer string, n int) (jobs []*nats.Msg, err error) {
	replies := make(chan *nats.Msg, n+8)
	inbox := t.conn.NewInbox()
	sub, err := t.conn.ChanSubscribe(inbox, replies)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe() // fails if the connection is closed, and then it has no effect
	ask := fmt.Appendf(nil, `{"batch":%d,"no_wait":true}`, n)
	if err := t.conn.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+Jobs+"."+consumer, inbox, ask); err != nil {
		return nil, err
	}
	for len(jobs) < n {
		select {
		case m := <-replies:
			if m.Reply != "" {
				jobs = append(jobs, m)
				continue
			}
			if len(jobs) == 0 && added(m.Header, "Status") == "503" {
				return nil, t.noConsumer(ctx, consumer)
			}
			return jobs, nil // there are no more, or a replica cannot say: the caller asks again
		case <-ctx.Done():
			if len(jobs) > 0 {
				return jobs, nil
			}
			return nil, ctx.Err()
		}
	}
	return jobs, nil
}

// noConsumer returns nil if a queue does not exist. Otherwise its servers are electing a leader, and one can try again.
func (t *Transport) noConsumer(ctx context.Context, consumer string) error {
	reply, err := t.conn.RequestWithContext(ctx, t.opts.api()+".CONSUMER.INFO."+Jobs+"."+consumer, nil)
	if err != nil {
		return err
	}
	var info struct {
		Error *apiError `json:"error"`
	}
	switch err := json.Unmarshal(reply.Data, &info); {
	case err != nil:
		return errUnreadable
	case info.Error != nil && info.Error.ErrCode == codeNoConsumer:
		return nil
	case info.Error != nil:
		return info.Error
	}
	return nats.ErrNoResponders
}

// lease is a job that this process has.
type lease struct {
	t         *Transport
	queue, id string
	data      []byte
	attempt   int
	ack       string // subject
	name      string // of this lease, and no other one ever
	until     time.Time
	over      bool // the result is known
}

// lease makes a lease of a message. It returns nil if the job is done.
func (t *Transport) lease(ctx context.Context, queue string, m *nats.Msg, from time.Time) (*lease, error) {
	id, err := text(m.Header, headID)
	if err != nil || jobSubject(queue, id) != m.Subject {
		return nil, fmt.Errorf("jet: job %.80q has no readable id", m.Subject)
	}
	meta, err := m.Metadata()
	if err != nil {
		return nil, fmt.Errorf("jet: job %.80q: %w", m.Subject, err)
	}
	l := &lease{t: t, queue: queue, id: id, attempt: int(min(meta.NumDelivered, 1<<30)), ack: m.Reply, name: rand.Text(),
		until: from.Add(t.opts.leaseTime())}
	if done, err := l.known(ctx); err != nil {
		return nil, err
	} else if done {
		l.release(ctx)
		return nil, nil
	}
	if l.data, err = t.dataOf(ctx, message{header: m.Header, data: m.Data}); err != nil {
		return nil, fmt.Errorf("jet: job %.80q: %w", m.Subject, err)
	}
	return l, nil
}

// known reports whether the result of the job is known. A replica may not have it yet.
func (l *lease) known(ctx context.Context) (yes bool, err error) {
	subject := doneSubject(l.queue, l.id)
	err = l.t.insist(ctx, "look for "+subject, func(ctx context.Context) error {
		_, err := l.t.last(ctx, Done, subject)
		yes = err == nil
		if errors.Is(err, errNone) {
			return nil
		}
		return err
	})
	return yes, err
}

// release tells the servers that nobody has to do the job any more. If that fails, it is leased again, and then its result is
// found.
func (l *lease) release(ctx context.Context) {
	for range 2 {
		short, cancel := context.WithTimeout(ctx, callTime)
		_, err := l.t.conn.RequestWithContext(short, l.ack, []byte("+ACK"))
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
	}
}

// extend implements Lease. A server extends the lease of whoever has the job, so that a process must know
// itself when its lease has ended: it counts from before its last request that succeeded, and the servers from after it.
func (l *lease) extend(ctx context.Context) error {
	ctx, end := l.t.begin(ctx)
	defer end()
	var lost bool
	err := l.t.insist(ctx, "extend lease", func(ctx context.Context) error {
		l.t.mu.Lock()
		lost = l.over || time.Now().After(l.until)
		l.t.mu.Unlock()
		if lost {
			return nil
		}
		from := time.Now()
		if _, err := l.t.conn.RequestWithContext(ctx, l.ack, []byte("+WPI")); err != nil {
			return err
		}
		l.t.mu.Lock()
		defer l.t.mu.Unlock()
		if until := from.Add(l.t.opts.leaseTime()); until.After(l.until) {
			l.until = until
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !lost {
		lost, err = l.known(ctx)
	}
	if err == nil && lost {
		err = ErrLost
	}
	return err
}

// done implements Lease.
func (l *lease) done(ctx context.Context, result []byte) (first bool, err error) {
	ctx, end := l.t.begin(ctx)
	defer end()
	c := claim{stream: Done, subject: doneSubject(l.queue, l.id), owner: l.name, id: l.id}
	if err := l.t.attach(ctx, &c, result); err != nil {
		return false, err
	}
	if first, err = l.t.claim(ctx, c); err != nil {
		return false, err
	}
	l.t.mu.Lock()
	l.over = true
	l.t.mu.Unlock()
	l.release(ctx)
	return first, nil
}

// Result is the result of a job.
type Result struct {
	ID   string
	Data []byte
	Seq  uint64
}

// Results calls fn with the results of a queue that were stored after a sequence, once through. A result that was stored a
// moment ago may be missing.
func (t *Transport) Results(ctx context.Context, queue string, after uint64, fn func(Result) error) error {
	ctx, end := t.begin(ctx)
	defer end()
	return t.scan(ctx, Done, "done."+token(queue)+".*", after+1, func(m message) error {
		r := Result{Seq: m.seq}
		var err error
		if r.ID, err = text(m.header, headID); err == nil && doneSubject(queue, r.ID) != m.subject {
			err = errUnreadable
		}
		if err == nil {
			r.Data, err = t.dataOf(ctx, m)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			t.damaged(fmt.Errorf("jet: result %d: %w", m.seq, err))
			return nil
		}
		return fn(r)
	})
}
