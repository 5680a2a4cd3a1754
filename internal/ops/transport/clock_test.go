//go:build go1.25

package transport

import "time"

// WithClock sets the clock of a transport.
func WithClock(t Transport, now func() time.Time) Transport {
	t.(*store).now = now
	return t
}
