package cluster_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/allele-go/allele/fleet/conform"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// The transport does the same on three servers as on one.
func TestConform(t *testing.T) {
	if testing.Short() {
		t.Skip("needs three processes")
	}
	const lease = 4 * time.Second
	c, err := cluster.Start(t.Context(), cluster.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	o := jet.Options{Replicas: cluster.Nodes, LeaseTime: lease}
	conform.Run(t, func(t *testing.T) conform.Subject {
		conn, err := c.Connect()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			defer conn.Close()
			js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range jet.Streams(o) {
				if err := js.DeleteStream(context.Background(), s.Name); err != nil { // t.Context is done
					t.Fatal(err)
				}
			}
		})
		if err := jet.Create(t.Context(), conn, o); err != nil {
			t.Fatal(err)
		}
		return conform.Subject{
			Open: func(t *testing.T) conform.Transport {
				conn, err := c.Connect()
				if err != nil {
					t.Fatal(err)
				}
				x := jet.Open(conn, o)
				t.Cleanup(func() {
					x.Close()
					conn.Close()
				})
				return x
			},
			Expire: func() { time.Sleep(2 * lease) },
		}
	})
}
