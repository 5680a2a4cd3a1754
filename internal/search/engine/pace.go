//go:build go1.25

package engine

import (
	"math/bits"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
)

// pace is how many steps the runs of fresh terms take: how many runs took about so many. Their median says what a run
// costs. The mean does not: a few terms with nested loops raise it so far that no term is slow.
type pace struct {
	runs  int
	about [4 * 64]int
}

const (
	slowTimes = 16      // a slow run takes more than so many times the steps of a fresh term, by the median,
	slowMin   = 1 << 14 // and more than so many: fewer take about as long as a search needs for a run

	dearTimes = 8 // the same for a term whose changes are dear
	dearMin   = 1 << 12
)

// paceOf returns the index of a number of steps: numbers with the same index differ by at most a quarter.
func paceOf(steps int64) int {
	n := bits.Len64(uint64(steps))
	if n < 3 {
		return int(steps)
	}
	return 4*(n-2) + int(steps>>(n-3))&3
}

// mostOf returns the largest number of steps with an index.
func mostOf(i int) int64 {
	if i < 4 {
		return int64(i)
	}
	return int64(5+i&3)<<(i/4-1) - 1
}

func (p *pace) add(run trace.Run) {
	p.runs++
	p.about[paceOf(run.Hits)]++
}

// median returns how many steps half of the runs do not exceed.
func (p *pace) median() int64 {
	sum := 0
	for i, n := range p.about {
		if sum += n; 2*sum >= p.runs {
			return mostOf(i)
		}
	}
	return 0
}

// stepsOf returns the number of steps of a run, and 0 for a set of sites: goroutines are not counted exactly, and the same
// seed must give the same search.
func stepsOf(run trace.Run) int64 {
	if run.Set {
		return 0
	}
	return run.Hits
}

// dear returns how many times the run of a term took as many steps as changes of it may take for the search to make as
// many as of other terms. It is 1 if the run took fewer.
func (p *pace) dear(steps int64) int64 {
	if p.runs == 0 || steps <= dearMin {
		return 1
	}
	return max(1, steps/max(dearMin, dearTimes*p.median()))
}

// refuses reports whether a term is not changed this time, because its changes are dear: a term that takes twice as
// long is changed half as often, so both take the same share of the time.
func (p *pace) refuses(steps int64, r *rng.Rand) bool {
	times := p.dear(steps)
	return times > 1 && r.Below(int(min(times, 1<<20))) > 0
}

// slow reports whether a run took far more steps than those of fresh terms.
func (p *pace) slow(run trace.Run) bool {
	return p.runs > 0 && run.Hits > slowMin && run.Hits > slowTimes*p.median()
}
