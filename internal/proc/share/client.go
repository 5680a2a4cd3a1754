//go:build go1.25

package share

import "github.com/allele-go/allele/internal/proc"

// Client is a worker's end. A nil Client shares nothing.
type Client struct {
	out, in  *proc.Box
	received int
	sent     int
	broken   bool
}

// Dial opens the boxes that the job names. It returns nil if there are none or if they
// cannot be opened.
func Dial(inbox, outbox string) *Client {
	if inbox == "" || outbox == "" {
		return nil
	}
	in, err := proc.OpenBox(inbox)
	if err != nil {
		return nil
	}
	out, err := proc.OpenBox(outbox)
	if err != nil {
		return nil
	}
	return &Client{in: in, out: out}
}

// Send offers a case to the other workers.
func (c *Client) Send(k Case) {
	if c == nil || c.broken || len(k.Path) > PathMax {
		return
	}
	ok, err := c.out.Put(k.Encode().Data)
	if c.broken = err != nil; ok {
		c.sent++
	}
}

// Waiting reports whether there are unread messages, given how many were delivered so far.
func (c *Client) Waiting(delivered int) bool { return c != nil && delivered > c.received }

// Receive returns the new cases of other workers. A delivered message that cannot be read
// counts as received; otherwise Waiting would return true forever.
func (c *Client) Receive(delivered int) (cases []Case) {
	for _, data := range c.in.Next() {
		c.received++
		m, _ := Open(data)
		if k, ok := m.Decode(); ok {
			cases = append(cases, k)
		}
	}
	c.received = max(c.received, delivered)
	return cases
}

// Counts returns how many cases were sent and received.
func (c *Client) Counts() (sent, received int) {
	if c == nil {
		return 0, 0
	}
	return c.sent, c.received
}
