//go:build go1.25

package transport_test

import (
	"testing"

	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/campaign/transport/conform"
)

func TestMemory(t *testing.T) {
	conform.Run(t, func(t *testing.T) conform.Subject {
		open := transport.Memory()
		return conform.Subject{Open: func(t *testing.T) transport.Transport { return open() }}
	})
}

func TestDir(t *testing.T) {
	conform.Run(t, func(t *testing.T) conform.Subject {
		folder := t.TempDir()
		return conform.Subject{
			Open: func(t *testing.T) transport.Transport {
				x, err := transport.Dir(folder)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { x.Close() })
				return x
			},
			Lasts: true,
		}
	})
}
