package property

import (
	"testing"
	"time"
)

// A Check must be back before the test's deadline, to say what it was doing,
// even if a run never ends. It stops searching a twentieth of the time before
// that, and gives up on a run that is still going half-way from there.
const (
	graceShare = 20
	graceMin   = 200 * time.Millisecond
	graceMax   = 10 * time.Second
)

// Deadline ends a search in time.
type Deadline struct {
	stop   chan struct{} // closed when no run may be waited for any longer
	timers []*time.Timer
}

// Limit sets the timers: end is called when the search has to end, because the budget
// is spent, if there is one, or because the deadline of the test comes near. If the
// time is up already it says so and reports false.
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
		grace := min(max(left/graceShare, graceMin), graceMax)
		if left <= grace {
			t.Error("allele: there is no time left before the deadline of the test; give go test a longer -timeout")
			return false
		}
		d.timers = append(d.timers, time.AfterFunc(left-grace, end), time.AfterFunc(left-grace/2, func() { close(d.stop) }))
	}
	return true
}

// Unlimit stops the timers.
func (d *Deadline) Unlimit() {
	for _, t := range d.timers {
		t.Stop()
	}
}

// Stop is closed when no run may be waited for any longer.
func (d *Deadline) Stop() <-chan struct{} { return d.stop }

// Stopped reports whether it is.
func (d *Deadline) Stopped() bool {
	select {
	case <-d.stop:
		return true
	default:
		return false
	}
}
