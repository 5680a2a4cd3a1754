//go:build go1.25

package campaign

import (
	"math"
	"testing"
)

// simulate divides time among properties that find features at the given rates.
func simulate(seconds float64, cpus int, finds ...func(used float64) float64) []*account {
	var all []*account
	for range finds {
		all = append(all, &account{ready: true})
	}
	const tick, turn = 0.05, 1.
	cpusMax := func(int) int { return cpus }
	for now := 0.; now < seconds; now += tick {
		for range cpus {
			if i := next(all, turn, cpusMax); i >= 0 {
				all[i].cpus++
			}
		}
		interval{seconds: tick, turn: turn, cpus: cpus}.pass(all)
		for i, a := range all {
			a.gain += tick * float64(a.cpus) * finds[i](a.used)
			if a.cpus > 0 && math.Mod(a.used, turn) < tick {
				a.fade()
			}
			a.cpus = 0
		}
	}
	return all
}

// A property that finds more gets more time.
func TestShares(t *testing.T) {
	steady := func(rate float64) func(float64) float64 { return func(float64) float64 { return rate } }
	dies := func(used float64) float64 { return 1000 * math.Exp(-used) }
	all := simulate(120, 2, dies, dies, dies, dies, steady(50), dies)
	for i, a := range all {
		if i != 4 && all[4].used < 3*a.used {
			t.Errorf("number 4, which finds features all the time, had %.1fs; number %d, which stopped finding them, had %.1fs", all[4].used, i, a.used)
		}
	}
}

// No property gets less than a quarter of an equal share, whatever the others find.
func TestStarvation(t *testing.T) {
	for _, n := range []int{2, 5, 12, 40} {
		finds := []func(float64) float64{}
		for i := range n {
			finds = append(finds, func(float64) float64 { return float64(i%2) * math.Pow(10, float64(i%7)) })
		}
		const seconds, cpus = 600, 2
		for i, a := range simulate(seconds, cpus, finds...) {
			if fair := seconds * float64(min(cpus, n)) / float64(n); a.used < 0.9*evenShare*fair {
				t.Errorf("%d properties: number %d had %.1fs of %.1fs", n, i, a.used, fair)
			}
		}
	}
}

// A property that is over gets no cpu, and no cpu is free while a property can use it.
func TestNextCPU(t *testing.T) {
	all := []*account{{over: true, credit: 9}, {cpus: 1}, {credit: -0.5}}
	cpusMax := func(int) int { return 2 }
	if i := next(all, 1, cpusMax); i != 2 {
		t.Errorf("%d, want 2, which has no cpu", i)
	}
	all[1].credit = 3
	if i := next(all, 1, cpusMax); i != 2 {
		t.Errorf("%d, want 2, which has no cpu: 1 has not used its first one for a turn", i)
	}
	all[1].used = 2
	if i := next(all, 1, cpusMax); i != 1 {
		t.Errorf("%d, want 1, which has far more credit", i)
	}
	all[1].spent, all[2].cpus, all[2].spent = 1, 1, 1
	if i := next(all, 1, cpusMax); i != 1 && i != 2 {
		t.Errorf("%d, want 1 or 2, which can use another cpu", i)
	}
	all[1].cpus, all[2].cpus = 2, 2
	if i := next(all, 1, cpusMax); i != -1 {
		t.Errorf("%d, want none", i)
	}
}
