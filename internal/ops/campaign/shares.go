package campaign

import "math"

// How the time of a campaign is shared out.
//
// A quarter of it goes to all properties alike, so that none starves. The rest goes to
// each in proportion to what it found of late: new features of runs, for each second
// that it had. What a property is due adds up as credit while it waits and is spent
// while it runs; the property with the most gets the next free cpu. A property that
// has failed counts less: it has reported something already.

// account is the time of one property, in seconds of a cpu.
type account struct {
	used   float64
	credit float64
	gain   float64 // features that were new of late,
	spent  float64 // and the time they took; both fade
	ready  bool    // it searches: in the time that it takes to begin nothing can be found
	failed bool
	over   bool
	cpus   int // that it holds
}

const (
	evenShare = 0.25
	// fading is what is left after a turn of what was found before.
	fading = 0.7
	// failedShare is how much less a property counts that has failed.
	failedShare = 0.1
	// creditMax bounds what a property may save up, in turns: one that has waited for
	// long does not shut out the others for as long.
	creditMax = 5
	// soonest is after how many seconds of search a property may have a second cpu.
	soonest = 0.25
)

// rate is what a property finds in a second. One that never ran is taken to find as
// much as the best.
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

// shares is how much of the time each is due; they add up to 1, unless all are over.
func shares(all []*account, even bool) []float64 {
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
		case even || sum == 0:
			rates[i] = 1 / float64(left)
		default:
			rates[i] = evenShare/float64(left) + (1-evenShare)*rates[i]/sum
		}
	}
	return rates
}

// interval is time that goes by.
type interval struct {
	seconds float64
	turn    float64 // seconds of one
	cpus    int     // there are
	even    bool    // all are due the same
}

// pass lets time go by: credit grows by what each is due of all cpus, and is spent by
// those that hold some.
func (t interval) pass(all []*account) {
	for i, share := range shares(all, t.even) {
		a := all[i]
		took := t.seconds * float64(a.cpus)
		a.used += took
		if a.ready {
			a.spent += took
		}
		a.credit = min(a.credit+share*t.seconds*float64(t.cpus)-took, creditMax*t.turn)
		a.credit = max(a.credit, -creditMax*t.turn)
	}
}

// fade ends a turn: what was found before counts less from now on.
func (a *account) fade() { a.gain, a.spent = fading*a.gain, fading*a.spent }

// claim is how much a property wants another cpu: what it is due, less what the cpus
// that it holds will take.
func (a *account) claim(turn float64) float64 { return a.credit - turn*float64(a.cpus) }

// next is which property gets a free cpu, or -1 if none can use it. As long as others
// wait, none gets a second cpu before it is known what it does with the first. A bug
// that one process finds at once is not found sooner by two, which both have to begin.
func next(all []*account, turn float64, cpusMax func(i int) int) int {
	foremost := func(may func(*account) bool) int {
		best := -1
		for i, a := range all {
			if !a.over && a.cpus < cpusMax(i) && may(a) && (best < 0 || a.claim(turn) > all[best].claim(turn)) {
				best = i
			}
		}
		return best
	}
	if i := foremost(func(a *account) bool { return a.cpus == 0 || a.used >= turn }); i >= 0 {
		return i
	}
	return foremost(func(a *account) bool { return a.spent >= soonest })
}
