//go:build go1.25

package property

import (
	"testing"
	"time"
)

// A Check must return before the test's deadline, to report what it was doing, even if a
// run never ends. So it stops searching some time before the deadline. This margin is one
// twentieth of the time that was left when the Check started, but at least marginMin, or half
// of that time if it is shorter. When half of the margin is over, the Check abandons a run
// that is still going. A finite run must have ended by then, also on a machine that is busy
// with something else for a second.
const (
	marginShare = 20
	marginMin   = 2 * time.Second
	marginMax   = 10 * time.Second
	leftMin     = 200 * time.Millisecond // a Check with less time than this does not start
)

// Deadline ends a search in time.
type Deadline struct {
	stop   chan struct{} // closed when the current run must be abandoned
	at     *time.Time    // when stop is closed; the zero time if the test has no deadline
	timers []*time.Timer
}

func newDeadline() Deadline { return Deadline{stop: make(chan struct{}), at: new(time.Time)} }

// Limit starts the timers. They call end when the search has to end: when the budget, if
// there is one, is spent, or shortly before the deadline of the test. If no time is left
// at all, Limit fails the test and returns false.
func (d *Deadline) Limit(t testing.TB, budget time.Duration, end func()) bool {
	t.Helper()
	if budget > 0 {
		d.timers = append(d.timers, time.AfterFunc(budget, end))
	}
	bounded, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return true
	}
	if at, ok := bounded.Deadline(); ok {
		left := time.Until(at)
		margin := min(max(left/marginShare, min(marginMin, left/2)), marginMax)
		if left <= leftMin {
			t.Error("allele: there is no time left before the test's deadline; run go test with a longer -timeout")
			return false
		}
		*d.at = time.Now().Add(left - margin/2)
		d.timers = append(d.timers, time.AfterFunc(left-margin, end), time.AfterFunc(left-margin/2, func() { close(d.stop) }))
	}
	return true
}

// Unlimit stops the timers.
func (d *Deadline) Unlimit() {
	for _, t := range d.timers {
		t.Stop()
	}
}

// Stop returns a channel that is closed when the current run must be abandoned.
func (d *Deadline) Stop() <-chan struct{} { return d.stop }

// Left returns how long runs may still take. It reports false if the test has no deadline.
func (d *Deadline) Left() (time.Duration, bool) { return time.Until(*d.at), !d.at.IsZero() }

// Stopped reports whether the channel of Stop is closed.
func (d *Deadline) Stopped() bool {
	select {
	case <-d.stop:
		return true
	default:
		return false
	}
}
