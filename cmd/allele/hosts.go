//go:build go1.25

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/ops/transport"
)

// checkShare returns an error if -share does not go with the other flags. It makes the path
// of the folder absolute.
func (s *searchFlags) checkShare(dir string) (err error) {
	switch {
	case s.share == "":
		return nil
	case s.params.Seed != nil:
		return errors.New("-share: inputs of other hosts would change the runs, but -seed promises the same runs; " +
			"use only one of the two flags")
	case !s.keeps():
		return fmt.Errorf("-share: -strategy %s does not use the inputs of others; use only one of the two flags", s.strategy)
	}
	s.share, err = within(dir, s.share)
	return err
}

// together runs properties together with other hosts, if there are any.
func (t *tester) together(c campaign.Config, props []property) (failed bool, err error) {
	disconnect, err := t.connect(&c)
	if err != nil {
		return false, err
	}
	defer disconnect()
	return campaign.New(c).Run(props)
}

// connect opens the folder of -share. Close ends the exchange and reports it.
func (t *tester) connect(c *campaign.Config) (closeHub func(), err error) {
	if t.share == "" {
		return func() {}, nil
	}
	shared, err := transport.Dir(t.share)
	if err != nil {
		return nil, fmt.Errorf("-share: %w", err)
	}
	c.Hub = exchange.NewHub(shared, hostName())
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), shareLast)
		defer cancel()
		c.Hub.Flush(ctx)
		c.Hub.Close()
		n := c.Hub.Counts()
		text := fmt.Sprintf("shared in %s: sent %s, received %s", t.relative(t.share), count(n.Sent, "input"), count(n.Received, "input"))
		if lost := n.Dropped + n.Waiting; lost > 0 {
			text += fmt.Sprintf("; %s could not be sent", count(lost, "input"))
			if n.Trouble != "" {
				text += ": " + n.Trouble
			}
		}
		t.Report(property{}, event.Event{Kind: event.Note, Text: text})
		shared.Close()
	}, nil
}

// shareLast is how long the end of a campaign may take to send what is left.
const shareLast = 5 * time.Second

// hostName returns a name that no other process has ever had.
func hostName() string {
	host, _ := os.Hostname() // the random part is enough
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:12])
}
