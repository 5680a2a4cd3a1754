package papers

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// powered is the way energy: FuzzChick's power schedule. Each kept term has an energy: how many
// times it will be changed at random. A term whose run was short and took many different
// edges gets more energy. The time of a run is measured as the length of its trace, so
// that the same seed always results in the same search.
type powered struct {
	chick   chick
	encoder bool // the world has an encoder, so that terms may be given bytes
	corpus  engine.Corpus
	queues  [2]queue.Queue[engine.Kept] // passed and discarded terms, the oldest first
	pushed  int
	energy  map[engine.Kept]int
	power   power
}

// queueMax is the maximum number of terms in a queue, as in the engine.
const queueMax = 1 << 13

func newPowered(c *engine.Config, corpus engine.Corpus) *powered {
	e := &powered{chick: newChick(c.World, c.Strategy.Search.Mutants.Size), encoder: c.Forger != nil, corpus: corpus}
	e.energy = map[engine.Kept]int{}
	for i := range e.queues {
		e.queues[i].Max = queueMax
	}
	return e
}

// push adds a term to a queue, behind all others.
func (e *powered) push(q *queue.Queue[engine.Kept], k engine.Kept) (dropped bool) {
	e.pushed++
	return q.Push(k, e.pushed)
}

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

// Change returns a random change of a kept term that has energy left, or nil if no term
// has energy left.
func (e *powered) Change(r *rng.Rand) (t term.Term, parent engine.Kept) {
	for i := range e.queues {
		q := &e.queues[i]
		for q.Len() > 0 {
			k := q.Top()
			if e.energy[k] == 0 {
				delete(e.energy, k)
				q.Drop()
				continue
			}
			e.energy[k]--
			e.power.freshs = 0
			return e.chick.change(k.Term(), r), k
		}
	}
	if e.power.freshs++; e.power.freshs >= generations {
		e.power.freshs = 0
		for _, k := range e.corpus() {
			e.energy[k] = 100
			e.push(&e.queues[0], k)
		}
	}
	return nil, engine.Kept{}
}

// Keep implements engine.Way.
func (e *powered) Keep(k engine.Kept, run trace.Run) (dropped bool) {
	energy := 0
	if !k.Given() {
		energy = e.power.of(run, k.Passed())
	}
	if e.encoder && k.Term()[0].C == schema.GivenBytes { // the way encoder changes them
		return false
	}
	e.energy[k] = energy
	q := &e.queues[0]
	if !k.Passed() {
		q = &e.queues[1]
	}
	return e.push(q, k)
}
