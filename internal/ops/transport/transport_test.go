//go:build go1.25

package transport_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/transport"
	"github.com/allele-go/allele/internal/ops/transport/conform"
)

// clock is a clock that can be set.
type clock struct{ passed atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.passed.Load())) }
func (c *clock) expire()        { c.passed.Add(int64(transport.LeaseTime + time.Second)) }

func TestMemory(t *testing.T) {
	conform.Run(t, func(t *testing.T) conform.Subject {
		c := &clock{}
		open := transport.Memory()
		return conform.Subject{
			Open:   func(t *testing.T) transport.Transport { return transport.WithClock(open(), c.now) },
			Expire: c.expire,
		}
	})
}

func TestDir(t *testing.T) {
	conform.Run(t, func(t *testing.T) conform.Subject {
		c, folder := &clock{}, t.TempDir()
		return conform.Subject{
			Open: func(t *testing.T) transport.Transport {
				x, err := transport.Dir(folder)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { x.Close() })
				return transport.WithClock(x, c.now)
			},
			Expire: c.expire,
			Lasts:  true,
		}
	})
}
