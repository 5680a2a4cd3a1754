//go:build go1.25

package campaign

import "math"

// How the time of a campaign is divided among its properties.
//
// A quarter of the time is divided equally, so that no property starves. The rest is
// divided in proportion to what each property found recently: new features of runs per
// second of its time. A property earns credit all the time and spends it while it runs;
// the property with the most credit gets the next free cpu. A property that has failed
// gets a smaller share, because it has reported something already.

// account records the time that one property has used and may still use, in cpu seconds.
type account struct {
	used   float64
	ran    float64 // seconds in which it held at least one cpu
	credit float64
	gain   float64 // new features that were found recently; fades
	spent  float64 // cpu seconds of the recent search; fades
	ready  bool    // it has started to search; before that it can find nothing
	failed bool
	over   bool
	cpus   int // how many cpus it holds
}

const (
	// evenShare is the share of the time that is divided equally.
	evenShare = 0.25
	// After each turn of a property, its gain and spent are multiplied by fading.
	fading = 0.7
	// The rate of a property that has failed is multiplied by failedShare.
	failedShare = 0.1
	// creditMax bounds the credit of a property, in turns. Without it, a property that
	// has waited for a long time would block the others for as long.
	creditMax = 5
	// A property may get a second cpu after it has searched for soonest seconds.
	soonest = 0.25
)

// rate returns how well a property searches: the square root of its new features per
// second. A property that never ran gets best, the highest rate of all properties.
func (a *account) rate(best float64) float64 {
	r := best
	if a.spent > 0 {
		r = math.Sqrt(a.gain / a.spent)
	}
	if a.failed {
		r *= failedShare
	}
	return r
}

// shares returns the share of the time that each property is due. The shares add up to
// 1, unless all properties are over.
func shares(all []*account) []float64 {
	left, best, sum := 0, 0., 0.
	for _, a := range all {
		if !a.over {
			left++
			if a.spent > 0 {
				best = max(best, a.rate(0))
			}
		}
	}
	rates := make([]float64, len(all))
	for i, a := range all {
		if !a.over {
			rates[i] = a.rate(max(best, 1e-9))
			sum += rates[i]
		}
	}
	for i, a := range all {
		switch {
		case a.over:
			rates[i] = 0
		case sum == 0:
			rates[i] = 1 / float64(left)
		default:
			rates[i] = evenShare/float64(left) + (1-evenShare)*rates[i]/sum
		}
	}
	return rates
}

// interval is a period of time.
type interval struct {
	seconds float64
	turn    float64 // length of a turn in seconds
	cpus    int     // number of cpus of the campaign
}

// pass updates all accounts after an interval: each property earns its share of the
// time of all cpus, and pays for the cpus that it holds.
func (t interval) pass(all []*account) {
	for i, share := range shares(all) {
		a := all[i]
		took := t.seconds * float64(a.cpus)
		a.used += took
		if a.cpus > 0 {
			a.ran += t.seconds
		}
		if a.ready {
			a.spent += took
		}
		a.credit = min(a.credit+share*t.seconds*float64(t.cpus)-took, creditMax*t.turn)
		a.credit = max(a.credit, -creditMax*t.turn)
	}
}

// fade ends a turn: earlier gain counts less from now on.
func (a *account) fade() { a.gain, a.spent = fading*a.gain, fading*a.spent }

// claim returns the priority of a property for another cpu: its credit, less what the
// cpus that it holds will cost in this turn.
func (a *account) claim(turn float64) float64 { return a.credit - turn*float64(a.cpus) }

// next returns which property gets a free cpu, or -1 if none can use it. While other
// properties wait, no property gets a second cpu before it has used the first for a
// turn: two processes do not find a shallow bug sooner than one, since both have to
// start.
func next(all []*account, turn float64, cpusMax func(i int) int) int {
	highest := func(may func(*account) bool) int {
		best := -1
		for i, a := range all {
			if !a.over && a.cpus < cpusMax(i) && may(a) && (best < 0 || a.claim(turn) > all[best].claim(turn)) {
				best = i
			}
		}
		return best
	}
	if i := highest(func(a *account) bool { return a.cpus == 0 || a.used >= turn }); i >= 0 {
		return i
	}
	return highest(func(a *account) bool { return a.spent >= soonest })
}
