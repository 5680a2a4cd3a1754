//go:build go1.25

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/words"
)

// connect opens the folder of -share. Disconnect ends the exchange, and returns a line about it that
// names the folder.
func connect(c *campaign.Config, folder string) (disconnect func(name string) string, err error) {
	shared, err := transport.Dir(folder)
	if err != nil {
		return nil, fmt.Errorf("-share: %w", err)
	}
	c.Hub = exchange.NewHub(shared, hostName())
	return func(name string) string {
		defer shared.Close()
		ctx, cancel := context.WithTimeout(context.Background(), shareLast)
		defer cancel()
		c.Hub.Flush(ctx)
		c.Hub.Close()
		n := c.Hub.Counts()
		text := fmt.Sprintf("shared in %s: sent %s, received %s", name, words.Count(n.Sent, "input"), words.Count(n.Received, "input"))
		if lost := n.Dropped + n.Waiting; lost > 0 {
			text += fmt.Sprintf("; %s could not be sent", words.Count(lost, "input"))
			if n.Trouble != "" {
				text += ": " + n.Trouble
			}
		}
		return text
	}, nil
}

// shareLast is how long the end of a campaign may take to send what is left.
const shareLast = 5 * time.Second

// hostName returns a name that no other process has ever had.
func hostName() string {
	host, _ := os.Hostname() // the random part is enough
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:12])
}
