package main

import "math"

// How the time of a campaign is shared out.
//
// A quarter of it goes to all properties alike, so that none starves. The rest goes to
// each in proportion to what it found of late: features of runs that were new, for
// each second that it had. What a property is due adds up as credit while it waits and
// is spent while it runs; whoever has the most gets the next free lane. A property
// that has failed counts less: it has told something already.

// account is the time of one property, in seconds of a lane.
type account struct {
	used   float64
	credit float64
	gain   float64 // features that were new of late,
	spent  float64 // and the time they took; both fade
	ready  bool    // it searches: to begin takes time in which nothing can be found
	told   bool    // it has failed
	over   bool
	lanes  int // that it holds
}

const (
	evenShare = 0.25
	// fading is what is left after a turn of what was found before.
	fading = 0.7
	// toldShare is how much less one counts that has failed.
	toldShare = 0.1
	// creditMost bounds what somebody may save up, in turns: who has waited for long
	// does not shut out the others for as long.
	creditMost = 5
	// soonest is after how long a search somebody may have a second lane.
	soonest = 0.25
)

// rate is what a property finds in a second. One that never ran is taken to find as
// much as the best.
func (a *account) rate(best float64) float64 {
	r := best
	if a.spent > 0 {
		r = math.Sqrt(a.gain / a.spent)
	}
	if a.told {
		r *= toldShare
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

// pass lets time go by: credit grows by what each is due of all lanes, and is spent by
// those that hold some.
func pass(all []*account, seconds, turn float64, lanes int, even bool) {
	for i, share := range shares(all, even) {
		a := all[i]
		took := seconds * float64(a.lanes)
		a.used += took
		if a.ready {
			a.spent += took
		}
		a.credit = min(a.credit+share*seconds*float64(lanes)-took, creditMost*turn)
		a.credit = max(a.credit, -creditMost*turn)
	}
}

// fade ends a turn: what was found before counts less from now on.
func (a *account) fade() { a.gain, a.spent = fading*a.gain, fading*a.spent }

// claim is how much somebody wants another lane: what is due to him, less what those
// that he holds will take.
func (a *account) claim(turn float64) float64 { return a.credit - turn*float64(a.lanes) }

// next is who gets a free lane, or -1 if nobody can use it. As long as others wait,
// nobody gets a second one before it is known what he does with the first. A bug that
// one process finds at once is not found sooner by two, which both have to begin.
func next(all []*account, turn float64, most func(i int) int) int {
	foremost := func(may func(*account) bool) int {
		best := -1
		for i, a := range all {
			if !a.over && a.lanes < most(i) && may(a) && (best < 0 || a.claim(turn) > all[best].claim(turn)) {
				best = i
			}
		}
		return best
	}
	if i := foremost(func(a *account) bool { return a.lanes == 0 || a.used >= turn }); i >= 0 {
		return i
	}
	return foremost(func(a *account) bool { return a.spent >= soonest })
}
