package allele

import "time"

// A Check must be back before the test's deadline, to say what it was doing,
// even if a run never ends. It stops searching a twentieth of the time before
// that, and gives up on a run that is still going half-way from there.
const (
	graceShare = 20
	graceMin   = 200 * time.Millisecond
	graceMax   = 10 * time.Second
)

// limit sets the timers. If the time is up already it says so and reports false.
func (c *check) limit() bool {
	c.t.Helper()
	if c.config.budget > 0 && c.runner.slot == nil { // or it is told by that
		c.timers = append(c.timers, time.AfterFunc(c.config.budget, c.engine.Stop))
	}
	d, ok := c.t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return true
	}
	if end, ok := d.Deadline(); ok {
		left := time.Until(end)
		grace := min(max(left/graceShare, graceMin), graceMax)
		if left <= grace {
			c.t.Error("allele: there is no time left before the deadline of the test; give go test a longer -timeout")
			return false
		}
		c.timers = append(c.timers,
			time.AfterFunc(left-grace, c.engine.Stop),
			time.AfterFunc(left-grace/2, func() { close(c.stop) }))
	}
	return true
}

func (c *check) unlimit() {
	for _, t := range c.timers {
		t.Stop()
	}
}

func (c *check) stopped() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}
