//go:build go1.25

package property

import (
	"math/bits"
	"testing"
	"time"
)

// A run is examined if it takes longer than SlowMin and longer than SlowMedians times the
// median of the runs of its Check. Both matter: a second is nothing for a property that starts
// a server, and a thousand times a microsecond is nothing at all. Tests change SlowMin.
var SlowMin = time.Second

// See SlowMin.
const (
	SlowMedians = 1000
	// slowDoubled bounds how often SlowMin is doubled, see Allow.
	slowDoubled = 16
	// PaceMin is the number of runs of which the median is taken. Fewer say nothing: the first
	// inputs of a search are the smallest.
	PaceMin = 5
	// A run is examined after this share of the time before the test's deadline, if that is
	// earlier. Otherwise there would be no time left to examine it. But a run that takes less than
	// boundMedians medians is never examined for this reason.
	boundShare   = 8
	boundMedians = 10
)

// Pace is how long the runs of a Check take. Only the goroutine of the Check uses it.
//
// It counts runs by the power of two of their time, so Add is cheap, and the median is exact
// to a factor of two.
type Pace struct {
	powers [64]int
	runs   int
	ended  int           // see Allow
	bound  time.Duration // see Bound; 0 if there is none
}

// Add adds runs that took some time together. Each of them counts with the mean.
func (p *Pace) Add(runs int, together time.Duration) {
	if runs <= 0 {
		return
	}
	p.powers[bits.Len64(uint64(max(1, together))/uint64(runs))] += runs
	p.runs += runs
}

// Ended adds runs that have ended since the last look. The first of them had been running for
// some time before. The runs after it may be short.
func (p *Pace) Ended(runs int, before, since time.Duration) {
	if runs > 0 && before > 0 {
		p.Add(1, before+since)
		runs--
	}
	p.Add(runs, since)
}

// Bound sets how much time is left before the deadline of the test.
func (p *Pace) Bound(left time.Duration) { p.bound = left / boundShare }

// Median returns an upper bound of the median, which is at most twice the median. It reports
// false if there were too few runs.
func (p *Pace) Median() (time.Duration, bool) {
	rest := (p.runs + 1) / 2
	for power, n := range p.powers {
		if rest -= n; rest <= 0 && n > 0 {
			return time.Duration(1)<<min(power, 62) - 1, p.runs >= PaceMin
		}
	}
	return 0, false
}

// Runs returns how many runs were added.
func (p *Pace) Runs() int { return p.runs }

// Limit returns how long a run may take before it is examined.
func (p *Pace) Limit() time.Duration {
	limit, bound := SlowMin<<min(p.ended, slowDoubled), max(SlowMin, p.bound)
	if median, ok := p.Median(); ok {
		median = min(median, time.Hour)
		limit, bound = max(limit, SlowMedians*median), max(bound, boundMedians*median)
	}
	if p.bound > 0 {
		limit = min(limit, bound)
	}
	return limit
}

// within returns a function that calls another one and waits for it, for at most the limit if the
// test has a deadline. It reports whether the call has ended.
func within(t testing.TB, limit time.Duration) func(call func()) bool {
	bounded, ok := t.(interface{ Deadline() (time.Time, bool) })
	if ok {
		_, ok = bounded.Deadline()
	}
	if !ok {
		return func(call func()) bool { call(); return true } // without timers, the runtime notices a deadlock
	}
	return func(call func()) bool {
		done := make(chan struct{})
		go func() {
			defer close(done)
			call()
		}()
		late := time.NewTimer(limit)
		defer late.Stop()
		select {
		case <-done:
			return true
		case <-late.C:
			return false
		}
	}
}

// Allow records that a run has ended that was examined. Such runs may be common, so later ones get
// twice the time.
func (p *Pace) Allow() { p.ended++ }
