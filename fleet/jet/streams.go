package jet

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// inlineMax is the size of data that is stored in the message itself.
	inlineMax = 64 << 10
	// partMax is the size of one part of larger data.
	partMax = 256 << 10
	// headMax is room for headers and subject.
	headMax = 16 << 10
	// stateMax is the size of one state of a campaign, and agentMax that of a heartbeat.
	stateMax = 512 << 10
	agentMax = 64 << 10
	// agentAge is how long a heartbeat is kept.
	agentAge = 2 * time.Minute
	// window is the time in which the servers remember message ids. This package uses none: the subject
	// is the claim, and it does not expire.
	window = 2 * time.Minute
)

// Create makes the streams of a campaign, or updates those that exist. It can be repeated. Only a
// submitter or an administrator may call it.
func Create(ctx context.Context, conn *nats.Conn, o Options) error {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(callTime))
	if err != nil {
		return fmt.Errorf("jet: create streams: %w", err)
	}
	t := Open(conn, o)
	defer t.Close()
	for _, c := range Streams(o) {
		err := t.insist(ctx, "create stream "+c.Name, func(ctx context.Context) error {
			_, err := js.CreateOrUpdateStream(ctx, c)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Streams returns the configuration of the streams of a campaign.
func Streams(o Options) []jetstream.StreamConfig {
	corpus := claims(Corpus, "corpus.*.*", inlineMax)
	corpus.RePublish = &jetstream.RePublish{Source: "corpus.>", Destination: "live.corpus.>"}
	jobs := claims(Jobs, "job.*.*", inlineMax)
	jobs.Retention = jetstream.WorkQueuePolicy
	jobs.DenyDelete, jobs.DenyPurge = false, false // an administrator may empty a queue
	camp := base(Camp, "camp.>", stateMax)
	camp.DenyDelete, camp.DenyPurge = true, true
	agents := base(Agents, "agent.*", agentMax)
	agents.MaxAge = agentAge // on disk: a server that runs alone forgets streams in memory when it restarts
	all := []jetstream.StreamConfig{
		corpus, claims(Fail, "fail.*", inlineMax), jobs, claims(Done, "done.*.*", inlineMax),
		camp, agents, claims(Blob, "blob.*.*", partMax), claims(Bin, "bin.*.*", partMax),
	}
	for i := range all {
		all[i].Replicas = max(1, o.Replicas)
	}
	return all
}

// base is a stream that keeps the last message of each subject.
func base(name, subject string, size int32) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Subjects: []string{subject}, Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1,
		MaxMsgSize: size + headMax, AllowDirect: true, Duplicates: window,
	}
}

// claims is a stream that keeps the first message of each subject, and refuses others.
func claims(name, subject string, size int32) jetstream.StreamConfig {
	c := base(name, subject, size)
	c.Discard, c.DiscardNewPerSubject = jetstream.DiscardNew, true
	c.DenyDelete, c.DenyPurge = true, true
	return c
}
