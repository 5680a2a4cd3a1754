//go:build go1.25

package score

import (
	"testing"
	"time"
)

// What the command says while it runs: first what it does, then how far it is, and how long the rest will take as soon as
// the pace of some faults is known.
func TestPace(t *testing.T) {
	p := &Pace{}
	now := time.Unix(0, 0)
	p.Doing("builds the tests with faults")
	for _, c := range []struct {
		after time.Duration
		set   func(now time.Time)
		want  string
	}{
		{time.Second, func(time.Time) {}, "builds the tests with faults"},
		{time.Second, func(now time.Time) {
			p.Begin([]int{900, 100})
			p.Set(0, Progress{Total: 900, Member: "tests", Test: "TestA", Tested: 2, Tests: 80}, now)
		}, "runs the tests without a fault: test 3 of 80, TestA"},
		{time.Second, func(now time.Time) { p.Set(0, Progress{Total: 900, Member: "TestA", Test: "seed 1", Tested: 2}, now) },
			"runs the tests without a fault: input 3"},
		{time.Second, func(now time.Time) { p.Set(0, Progress{Total: 900, Member: "tests"}, now) }, "0 of 1,000 faults judged · 0 killed"},
		{time.Second, func(now time.Time) { p.Set(0, Progress{Total: 900, Judged: 9, Killed: 5}, now) }, "9 of 1,000 faults judged · 5 killed"},
		{9 * time.Second, func(now time.Time) { p.Set(0, Progress{Total: 900, Judged: 100, Killed: 50}, now) },
			"100 of 1,000 faults judged · 50 killed · about 90 s left at the pace of these 100 faults"},
		{0, func(now time.Time) {
			p.Set(1, Progress{Total: 100, Judged: 0, Member: "tests", Test: "TestB", Tests: 3}, now)
		}, "100 of 1,000 faults judged · 50 killed · about 90 s left at the pace of these 100 faults"},
		{10 * time.Minute, func(now time.Time) { p.Set(0, Progress{Total: 900, Judged: 500, Killed: 300}, now) },
			"500 of 1,000 faults judged · 300 killed · about 10 min left at the pace of these 500 faults"},
		{time.Second, func(now time.Time) {
			p.Set(0, Progress{Total: 900, Judged: 900, Killed: 300}, now)
			p.Set(1, Progress{Total: 100, Judged: 100, Killed: 300}, now)
		}, "1,000 of 1,000 faults judged · 600 killed"},
	} {
		now = now.Add(c.after)
		c.set(now)
		if got := p.Text(now); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
