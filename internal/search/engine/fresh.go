//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// redraws is how many times at most a fresh term is replaced by another one because it was
// run before. Each time the size grows by one, because there are few small terms.
const redraws = 8

func (l *line) fresh(r *rng.Rand) term.Term {
	l.from = origin{how: fresh}
	size := 1 + r.Below(l.size)
	l.arm = l.choose(r)
	a := &l.arms[l.arm]
	l.gen.Reach = a.reach
	for try := 0; ; try++ {
		t := l.retext(l.guide.fresh(l.gen, r.Split(), size+try, r.Below(64) < a.twins), r)
		if !l.Once || l.ran.Add(term.Hash(t)) || try == redraws {
			return t
		}
	}
}

// arm is a setting for generating fresh terms, as in a multi-armed bandit: how far from
// zero numbers may be, and how many terms in 64 have two equal halves.
type arm struct {
	reach, twins int
	did          tally
}

// arms returns all combinations of settings that a line can choose from.
func (g *guide) arms(c Line) (all []arm) {
	twins := []int{g.strategy.Twins}
	if g.strategy.LearnTwins && g.half != nil {
		twins = []int{0, 64}
	}
	for _, reach := range c.Reach {
		for _, t := range twins {
			all = append(all, arm{reach: reach, twins: t})
		}
	}
	return all
}

// choose picks an arm at random. Arms whose fresh terms passed more often are more
// likely.
func (l *line) choose(r *rng.Rand) int {
	if len(l.arms) == 1 {
		return 0
	}
	l.weights = l.weights[:0]
	sum := 0
	for i := range l.arms {
		t := &l.arms[i].did
		w := 1 + 64*(t.good+1)/(t.tries+2)
		l.weights = append(l.weights, w*w)
		sum += w * w
	}
	at := r.Below(sum)
	i := 0
	for ; at >= l.weights[i]; i++ {
		at -= l.weights[i]
	}
	return i
}

// reach returns the largest distance from zero of the numbers that a change inserts.
func (l *line) reach(r *rng.Rand) int { return l.arms[l.choose(r)].reach }
