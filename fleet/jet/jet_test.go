package jet_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/conform"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// embedded starts a server in this process, and returns its address.
func embedded(t *testing.T, change func(*server.Options)) string {
	t.Helper()
	s, stop, err := cluster.Embedded(t.TempDir(), change)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return s.ClientURL()
}

func connect(t *testing.T, url string, more ...nats.Option) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect(url, append(jet.ConnOptions("_INBOX_test"), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// campaign makes a campaign on a server.
func campaign(t *testing.T, url string, o jet.Options) (open func(t *testing.T) *jet.Transport) {
	t.Helper()
	if err := jet.Create(t.Context(), connect(t, url), o); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T) *jet.Transport {
		x := jet.Open(connect(t, url), o)
		t.Cleanup(func() { x.Close() })
		return x
	}
}

func TestConform(t *testing.T) {
	const lease = 3 * time.Second
	conform.Run(t, func(t *testing.T) conform.Subject {
		open := campaign(t, embedded(t, nil), jet.Options{LeaseTime: lease})
		return conform.Subject{
			Open:   func(t *testing.T) conform.Transport { return open(t) },
			Expire: func() { time.Sleep(2 * lease) },
		}
	})
}
