//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/rng"

// arms is the settings for generating fresh terms, as in a multi-armed bandit. Those whose fresh
// terms passed more often are chosen more often.
type arms struct {
	all     []arm
	weights []int
}

// arm is a setting: how far from zero numbers may be, and how many terms in 64 have two equal
// halves.
type arm struct {
	reach, twins int
	did          tally
}

// newArms returns all combinations of settings.
func newArms(reaches, twins []int) *arms {
	a := &arms{}
	for _, reach := range reaches {
		for _, t := range twins {
			a.all = append(a.all, arm{reach: reach, twins: t})
		}
	}
	return a
}

// choose picks an arm at random. Arms whose fresh terms passed more often are more
// likely.
func (a *arms) choose(r *rng.Rand) int {
	if len(a.all) == 1 {
		return 0
	}
	a.weights = a.weights[:0]
	sum := 0
	for i := range a.all {
		t := &a.all[i].did
		w := 1 + 64*(t.good+1)/(t.tries+2)
		a.weights = append(a.weights, w*w)
		sum += w * w
	}
	at := r.Below(sum)
	i := 0
	for ; at >= a.weights[i]; i++ {
		at -= a.weights[i]
	}
	return i
}

// reach returns the largest distance from zero of the numbers that a change inserts.
func (a *arms) reach(r *rng.Rand) int { return a.all[a.choose(r)].reach }
