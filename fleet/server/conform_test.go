package server

import (
	"context"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/conform"
	"github.com/allele-go/allele/fleet/jet"
)

// end is a transport as a host has it: a worker does all, but for jobs, which a submitter puts.
type end struct {
	*jet.Transport
	submitter *jet.Transport
}

func (e end) PutJob(ctx context.Context, queue, id string, data []byte) error {
	return e.submitter.PutJob(ctx, queue, id, data)
}

func (e end) Close() error {
	e.submitter.Close()
	return e.Transport.Close()
}

// The permissions of workers and submitters are enough for all that a transport promises.
func TestConform(t *testing.T) {
	const lease = 3 * time.Second
	conform.Run(t, func(t *testing.T) conform.Subject {
		a, dir := newAuthority(t)
		url := start(t, single(dir)).URL("127.0.0.1")
		o := jet.Options{LeaseTime: lease}
		if err := jet.Create(t.Context(), dial(t, grant(t, a, "one", access.Submitter, url)).Conn, o); err != nil {
			t.Fatal(err)
		}
		as := func(t *testing.T, r access.Role) *jet.Transport {
			c := dial(t, grant(t, a, "one", r, url))
			o := o
			o.API = c.cred.API()
			return jet.Open(c.Conn, o)
		}
		return conform.Subject{
			Open:   func(t *testing.T) conform.Transport { return end{as(t, access.Worker), as(t, access.Submitter)} },
			Expire: func() { time.Sleep(2 * lease) },
		}
	})
}
