//go:build go1.25

package property

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	type runs struct {
		n        int
		together time.Duration
	}
	for _, c := range []struct {
		what  string
		runs  []runs
		ended int // runs that ended although they were examined
		want  time.Duration
	}{
		{"nothing is known", nil, 0, time.Second},
		{"too few runs", []runs{{4, time.Hour}}, 0, time.Second},
		{"fast runs", []runs{{1000, time.Millisecond}}, 0, time.Second},
		{"runs of 10 ms get less than 20 s", []runs{{100, time.Second}}, 0, 16777215 * time.Microsecond},
		{"one long run does not matter", []runs{{1000, time.Millisecond}, {1, time.Minute}}, 0, time.Second},
		{"half of the runs are long", []runs{{5, time.Microsecond}, {6, 60 * time.Millisecond}}, 0, 16777215 * time.Microsecond},
		{"long runs that ended", []runs{{1000, time.Millisecond}}, 2, 4 * time.Second},
		{"very long runs", []runs{{10, 1000 * time.Hour}}, 0, 1000 * time.Hour},
	} {
		var p Pace
		for _, r := range c.runs {
			p.Add(r.n, r.together)
		}
		for range c.ended {
			p.Allow()
		}
		if got := p.Limit(); got != c.want {
			t.Errorf("%s: the limit is %v, want %v", c.what, got, c.want)
		}
	}
}

// A long run says nothing about the runs that follow it before the next look.
func TestPaceAfterLongRun(t *testing.T) {
	var p Pace
	p.Ended(2, 0, 4*time.Millisecond)
	p.Ended(4, 2*time.Second, 4*time.Millisecond)
	if got, _ := p.Median(); got > 4*time.Millisecond {
		t.Errorf("the median is %v", got)
	}
}

// A run is examined while there is time for it.
func TestPaceBound(t *testing.T) {
	for _, c := range []struct {
		run, left time.Duration
		want      time.Duration
	}{
		{time.Microsecond, time.Minute, time.Second},
		{30 * time.Millisecond, 0, 33554431 * time.Microsecond},
		{30 * time.Millisecond, 10 * time.Minute, 33554431 * time.Microsecond},
		{30 * time.Millisecond, 40 * time.Second, 5 * time.Second},
		{30 * time.Millisecond, 2 * time.Second, time.Second},
		{900 * time.Millisecond, 40 * time.Second, 10737418230},
	} {
		var p Pace
		p.Add(10, 10*c.run)
		if p.Bound(c.left); p.Limit() != c.want {
			t.Errorf("%v, and %v left: the limit is %v, want %v", c.run, c.left, p.Limit(), c.want)
		}
	}
}

// A test without a deadline has no timers, so calls are made at once.
func TestWithin(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	bounded := within(deadlined{t}, time.Millisecond)
	if bounded(func() { <-release }) {
		t.Error("a call that has not ended has ended")
	}
	called := false
	if !within(deadlined{t}, time.Hour)(func() { called = true }) || !called {
		t.Error("a call that has ended has not ended")
	}
	if called = false; !within(&testing.B{}, 0)(func() { called = true }) || !called {
		t.Error("without a deadline, the function was not called")
	}
}

type deadlined struct{ testing.TB }

func (deadlined) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }
