//go:build go1.25

package property

import (
	"cmp"
	"testing"
	"time"
)

// A Check must return before the test's deadline, to report what it was doing, even if a
// run never ends. So it stops searching some time before the deadline. This margin is one
// twentieth of the time that was left when the Check started, but at least marginMin, or half
// of that time if it is shorter. When half of the margin is over, the Check abandons a run
// that is still going. A finite run must have ended by then, also on a machine that is busy
// with something else for a second.
//
// A Check starts no run after half of the time that was left when it started. Otherwise one
// Check with slow runs would take all the time of the tests after it.
const (
	startShare  = 2
	lateShare   = 4 // of the time: what is left then is too little to examine a run
	marginShare = 20
	marginMin   = 2 * time.Second
	marginMax   = 10 * time.Second
	leftMin     = 200 * time.Millisecond // a Check with less time than this does not start
)

// Deadline ends a search in time.
type Deadline struct {
	stop   chan struct{} // closed when the current run must be abandoned
	half   chan struct{} // closed when no more runs are started
	at     *time.Time    // when stop is closed; the zero time if the test has no deadline
	late   *time.Time    // see Late
	timers []*time.Timer
	ticker
}

// ticker has a timer that looks at runs. It is started before the timers of the deadline, which
// are later: only a timer that is earlier than all others wakes a thread, which would take
// a twentieth of the time of a short Check.
type ticker struct {
	timer *time.Timer
	ticks chan struct{}
}

func newTicker(first time.Duration) ticker {
	ticks := make(chan struct{}, 1)
	return ticker{ticks: ticks, timer: time.AfterFunc(first, func() {
		select {
		case ticks <- struct{}{}:
		default:
		}
	})}
}

// tickFirst is when runs are looked at first.
const tickFirst = 5 * time.Millisecond

// Ticks returns a channel that gets a value tickFirst after Limit, and after each time that is
// passed to Tick. It is nil if the test has no deadline: without timers, the runtime notices a
// deadlock.
func (t *ticker) Ticks() <-chan struct{} { return t.ticks }

// Tick sets the time of the next tick.
func (t *ticker) Tick(after time.Duration) { t.timer.Reset(after) }

func newDeadline() Deadline {
	return Deadline{stop: make(chan struct{}), half: make(chan struct{}), at: new(time.Time), late: new(time.Time)}
}

const timeoutDefault = 10 * time.Second

// RunTimeout returns how long one run of a property may take before it counts as endless.
func RunTimeout(p *Property) time.Duration {
	if p.Job.Limits.Run > 0 {
		return p.Job.Limits.Run
	}
	return cmp.Or(p.Config.RunTimeout, timeoutDefault)
}

// Limit starts the timers. They call end when the search has to end: when the budget, if
// there is one, is spent, or when half of the time before the deadline of the test is. If no
// time is left at all, Limit fails the test and returns false.
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
		*d.at, *d.late = time.Now().Add(left-margin/2), time.Now().Add(left-left/lateShare)
		d.ticker = newTicker(tickFirst)
		d.timers = append(d.timers, d.timer, time.AfterFunc(left/startShare, func() { close(d.half); end() }),
			time.AfterFunc(left-margin/2, func() { close(d.stop) }))
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

// Half returns a channel that is closed when no more runs are started, because half of the time
// before the test's deadline is over.
func (d *Deadline) Half() <-chan struct{} { return d.half }

// Halved reports whether the channel of Half is closed.
func (d *Deadline) Halved() bool { return closed(d.half) }

// Late reports whether too little time is left to examine a run. A run that was started before
// half of the time was over can still be examined afterwards.
func (d *Deadline) Late() bool { return !d.late.IsZero() && time.Now().After(*d.late) }

// Left returns how long runs may still take. It reports false if the test has no deadline.
func (d *Deadline) Left() (time.Duration, bool) { return time.Until(*d.at), !d.at.IsZero() }

// Stopped reports whether the channel of Stop is closed.
func (d *Deadline) Stopped() bool { return closed(d.stop) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
