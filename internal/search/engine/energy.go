//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// This file implements FuzzChick's power schedule. Each kept term has an energy: how many
// times it will be changed at random. A term whose run was short and took many different
// edges gets more energy. The time of a run is measured as the length of its trace, so
// that the same seed always results in the same search.

// power holds the totals from which the average run is computed.
type power struct {
	runs, hits    int // number of runs whose terms were kept, and the sum of the lengths of these runs
	edges, freshs int // sum of the edges of these runs; number of consecutive fresh terms
}

// generations is the number of consecutive fresh terms after which the kept terms get
// new energy.
const generations = 1000

// of adds to the totals a run whose term will be kept. It returns the energy of that term.
func (p *power) of(run trace.Run, passed bool) int {
	seen := map[[2]uint32]bool{}
	for i := 1; i < len(run.Symbols); i++ {
		seen[[2]uint32{run.Symbols[i-1], run.Symbols[i]}] = true
	}
	t, b := len(run.Symbols), len(seen)
	p.runs, p.hits, p.edges = p.runs+1, p.hits+t, p.edges+b
	e := 100 * timeFactor(float64(t), float64(p.hits)/float64(p.runs)) * edgeFactor(float64(b), float64(p.edges)/float64(p.runs))
	if !passed {
		e *= 0.33
	}
	return 10 * int(min(max(e, 5), 1600))
}

func timeFactor(t, mean float64) float64 {
	switch {
	case t > 10*mean:
		return 0.1
	case t > 4*mean:
		return 0.25
	case t > 2*mean:
		return 0.5
	case 3*t > 4*mean:
		return 0.75
	case 4*t < mean:
		return 3
	case 3*t < mean:
		return 2
	case 2*t < mean:
		return 1.5
	}
	return 1
}

func edgeFactor(b, mean float64) float64 {
	switch {
	case 3*b > 10*mean:
		return 3
	case b > 2*mean:
		return 2
	case 3*b > 4*mean:
		return 1.5
	case 3*b < mean:
		return 0.25
	case 2*b < mean:
		return 0.5
	case 3*b < 2*mean:
		return 0.75
	}
	return 1
}

// energetic returns a random change of a kept term that has energy left, or nil if no term
// has energy left.
func (l *line) energetic(r *rng.Rand) term.Term {
	for q := range l.queues[:lateQueue] {
		for l.queues[q].Len() > 0 {
			k := l.queues[q].Top()
			if k.energy == 0 {
				l.queues[q].Drop()
				continue
			}
			k.energy--
			l.power.freshs = 0
			l.from = origin{how: havoc, parent: k}
			return l.dice.FuzzChick(k.batch.Parent(), r)
		}
	}
	if l.power.freshs++; l.power.freshs >= generations {
		l.power.freshs = 0
		for _, k := range l.corpus {
			if k.passed {
				k.energy = 100
				l.queues[passedQueue].Push(k, k.prio)
			}
		}
	}
	return nil
}
