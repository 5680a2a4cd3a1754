//go:build go1.25

package scoring

import (
	"testing"
	"time"
)

// A test with few steps that computes for long comes after those that take many steps in less time.
func TestClass(t *testing.T) {
	for _, c := range []struct {
		cpu  time.Duration
		want int
	}{{0, 0}, {124 * time.Millisecond, 0}, {125 * time.Millisecond, 1}, {time.Second, 2}, {7 * time.Second, 2}, {8 * time.Second, 3}} {
		if got := (&Original{CPU: int64(c.cpu)}).Class(); got != c.want {
			t.Errorf("%v: class %d, want %d", c.cpu, got, c.want)
		}
	}
}
