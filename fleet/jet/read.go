package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	batchMax   = 256     // messages in one answer
	batchBytes = 4 << 20 // bytes in one answer, and one message more
)

// everything is the filter for all messages of a stream. A server answers it from the sequence alone. For any other filter
// with a wildcard it also counts the messages that match, in each answer: with a million cases that takes it a second.
const everything = ">"

// request is a request for stored messages.
type request struct {
	Seq      uint64 `json:"seq,omitempty"`
	LastFor  string `json:"last_by_subj,omitempty"`
	NextFor  string `json:"next_by_subj,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
}

func (r request) json() []byte {
	data, _ := json.Marshal(r) // strings and numbers
	return data
}

// last reads the last message of a subject from any replica, which may not know it yet: then the error is errNone.
func (t *Transport) last(ctx context.Context, stream, subject string) (message, error) {
	reply, err := t.conn.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream+"."+subject, nil)
	if errors.Is(err, nats.ErrNoResponders) {
		// Either there is no replica, or the message has a header that makes it look so. The leader's answer
		// has the message inside, so it cannot be mistaken.
		return t.leader(ctx, stream, request{LastFor: subject})
	}
	if err != nil {
		return message{}, err
	}
	m, err := stored(reply.Header, reply.Data)
	switch {
	case err == nil && (m.stream != stream || m.subject != subject):
		return m, fmt.Errorf("%s %.80q was sent for %s %s", m.stream, m.subject, stream, subject)
	case err == nil:
		return m, nil
	case added(reply.Header, "Status") == "404":
		return m, errNone
	}
	return t.leader(ctx, stream, request{LastFor: subject})
}

// leader reads a message from the leader of a stream. If the error is errNone, there is no such message.
func (t *Transport) leader(ctx context.Context, stream string, r request) (message, error) {
	reply, err := t.conn.RequestWithContext(ctx, t.opts.api()+".STREAM.MSG.GET."+stream, r.json())
	if err != nil {
		return message{}, err
	}
	return readAnswer(stream, reply.Data)
}

// batch is a part of a stream.
type batch struct {
	messages []message
	end      uint64 // sequence of the last message that was sent, readable or not
	all      bool   // there were no more messages
}

// batch reads messages from any replica, from sequence seq on. There may be more than it knows of.
func (t *Transport) batch(ctx context.Context, stream, filter string, seq uint64) (b batch, err error) {
	replies := make(chan *nats.Msg, batchMax+8)
	inbox := t.conn.NewInbox()
	sub, err := t.conn.ChanSubscribe(inbox, replies)
	if err != nil {
		return b, err
	}
	defer sub.Unsubscribe() // fails if the connection is closed, and then it has no effect
	r := request{Seq: seq, NextFor: filter, Batch: batchMax, MaxBytes: batchBytes}
	if err := t.conn.PublishRequest("$JS.API.DIRECT.GET."+stream, inbox, r.json()); err != nil {
		return b, err
	}
	timer := time.NewTimer(callTime)
	defer timer.Stop()
	for range batchMax + 1 {
		select {
		case m := <-replies:
			timer.Reset(callTime)
			if end, err := b.add(stream, m); end || err != nil {
				return b, err
			}
		case <-timer.C:
			return b, b.partly(context.DeadlineExceeded)
		case <-ctx.Done():
			return b, b.partly(context.Cause(ctx))
		}
	}
	return b, nil
}

// partly is the error of an answer without an end. What has come is in order and can be used.
func (b *batch) partly(err error) error {
	if len(b.messages) > 0 {
		return nil
	}
	return err
}

// add adds a reply. It reports true at the end of an answer.
func (b *batch) add(stream string, reply *nats.Msg) (end bool, err error) {
	m, err := stored(reply.Header, reply.Data)
	if err == nil {
		if m.stream == stream && m.seq > b.end {
			b.messages, b.end = append(b.messages, m), m.seq
		}
		return false, nil
	}
	switch added(reply.Header, "Status") {
	case "204": // the end; its sequence is that of the last message, even if that has damaged headers
		last, err := strconv.ParseUint(added(reply.Header, headLast), 10, 64)
		if err == nil {
			b.end = max(b.end, last)
		}
		b.all = added(reply.Header, "Nats-Num-Pending") == "0"
		return true, nil
	case "404":
		b.all = true
		return true, nil
	case "":
		return false, nil // a message with damaged headers
	case "503":
		return true, nats.ErrNoResponders
	}
	return true, b.partly(fmt.Errorf("status %.80q", added(reply.Header, "Description")))
}

// scan calls fn with the messages of a stream from sequence seq on, up to the end that some replica knows of.
// It skips messages with damaged headers.
func (t *Transport) scan(ctx context.Context, stream, filter string, seq uint64, fn func(message) error) error {
	seq = max(1, seq)
	for {
		var b batch
		err := t.insist(ctx, "read stream "+stream, func(ctx context.Context) (err error) {
			b, err = t.batch(ctx, stream, filter, seq)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range b.messages {
			if err := fn(m); err != nil {
				return err
			}
		}
		if b.all || b.end < seq {
			return nil
		}
		seq = b.end + 1
	}
}
