//go:build go1.25

package gen

import (
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/steps"
)

// Half of the lists of calls use a random subset of the operations, which is called swarm testing (Groce et al.,
// 2012). With all of them, a list of Push, Pop, Peek and Clear practically never fills a queue: each Clear begins
// again. It is only half of the lists, because bugs that need several operations become rarer.

// callCells is the largest budget of the parameters of one call. The size counts calls and not their parameters.
const callCells = 6

// swarm is what is needed to draw subsets of the operations of a machine.
type swarm struct {
	ops     []*steps.Op
	sources [][]int     // by type of results: the operations that return one
	needs   [][]int     // by operation: the indexes in sources of what it needs
	odds    [][]float64 // of the call schema, for operations alone; nil if they are even
	on      []bool      // by operation: it is in the current subset
	of      []int       // those that are

	// The arguments of the current list, by schema, and how many of 8 arguments are earlier ones again. A Read of a
	// file that was never written shows little.
	seen  map[*schema.Schema][]span
	again int
}

// span is a part of the current term.
type span struct{ from, to int }

// reuse are the values of swarm.again.
var reuse = [...]int{0, 3, 5, 6}

// arg appends an argument: an earlier one of the list, or a fresh one.
func (sw *swarm) arg(g *Gen, s *schema.Schema, n int) {
	if s.Kind == schema.Struct && s.Tag == nil && !s.Opaque() {
		at := g.open(s, 0, 0)
		for _, f := range s.Ctors[0].Fields {
			sw.arg(g, f.S, n)
		}
		g.seal(at)
		return
	}
	if old := sw.seen[s]; len(old) > 0 && g.r.Below(8) < sw.again {
		x := old[g.r.Below(len(old))]
		g.out = append(g.out, g.out[x.from:x.to]...)
		return
	}
	from := len(g.out)
	g.term(s, s.MinCells+g.r.Below(1+n))
	if s.Type != refType {
		sw.seen[s] = append(sw.seen[s], span{from, len(g.out)})
	}
}

// A reference is drawn for each call.
var refType = reflect.TypeFor[steps.Ref]()

// appendCalls appends a list of calls. Its length does not depend on the size of the term, because a list of a few calls
// reaches few states, whatever the search has seen.
func appendCalls(g *Gen, s *schema.Schema, n int) {
	sw := swarmOf(g, s)
	length := 1 + g.r.Below(max(1, g.world.CallsMax))
	if n <= 0 || g.r.OneIn(64) {
		length = g.r.Below(2)
	}
	some := length > 0 && len(sw.ops) > 1 && swarming(g, n)
	if some {
		sw.draw(&g.r)
	}
	clear(sw.seen)
	sw.again = reuse[g.r.Below(len(reuse))]
	at := g.open(s, 1, uint64(length))
	call := s.Elem
	for range length {
		c := call.First() + g.r.Below(len(sw.ops))
		switch {
		case some && call.Odds == nil:
			c = call.First() + sw.of[g.r.Below(len(sw.of))]
		case call.Odds != nil:
			c = weighed(g, call, sw, some)
		}
		if g.tally != nil {
			g.tally[call.ID][c]++
		}
		at := g.open(call, c, 0)
		for i := range call.Ctors[c].Fields {
			sw.arg(g, call.Ctors[c].Fields[i].S, min(max(n, 0), callCells))
		}
		g.seal(at)
	}
	g.seal(at)
}

// swarming reports whether a list uses only some operations.
func swarming(g *Gen, n int) bool {
	if g.reach >= 8 {
		return n > g.reach/2
	}
	return g.r.OneIn(2)
}

// weighed chooses an operation by its odds.
func weighed(g *Gen, call *schema.Schema, sw *swarm, some bool) int {
	sum := 0.0
	for i := range sw.ops {
		if !some || sw.on[i] {
			sum += max(0, call.Odds[call.First()+i])
		}
	}
	if sum == 0 {
		return call.First() + g.r.Below(len(sw.ops))
	}
	at := sum * float64(g.r.Uint64()>>11) / (1 << 53)
	last := 0
	for i := range sw.ops {
		if p := call.Odds[call.First()+i]; p > 0 && (!some || sw.on[i]) {
			if last = i; at < p {
				break
			}
			at -= p
		}
	}
	return call.First() + last
}

// swarmOf returns the subsets for a list of calls.
func swarmOf(g *Gen, s *schema.Schema) *swarm {
	if sw := g.swarms[s]; sw != nil {
		return sw
	}
	sw := &swarm{seen: map[*schema.Schema][]span{}}
	call := s.Elem
	var types []reflect.Type
	for c := call.First(); c < len(call.Ctors); c++ {
		sw.ops = append(sw.ops, call.Op(c))
	}
	sw.on, sw.needs = make([]bool, len(sw.ops)), make([][]int, len(sw.ops))
	for i, op := range sw.ops {
		for _, t := range s.Machine().Needs(op) {
			at := slices.Index(types, t)
			if at < 0 {
				at = len(types)
				types = append(types, t)
				sw.sources = append(sw.sources, nil)
				for k, from := range sw.ops {
					if slices.Contains(from.Results, t) {
						sw.sources[at] = append(sw.sources[at], k)
					}
				}
			}
			sw.needs[i] = append(sw.needs[i], at)
		}
	}
	if g.swarms == nil {
		g.swarms = map[*schema.Schema]*swarm{}
	}
	g.swarms[s] = sw
	return sw
}

// draw draws a subset: each operation with a probability of one half, and for each result that they need an
// operation that returns it.
func (sw *swarm) draw(r *rng.Rand) {
	for i := range sw.on {
		sw.on[i] = r.OneIn(2)
	}
	sw.on[r.Below(len(sw.on))] = true
	for changed := true; changed; {
		changed = false
		for i, needs := range sw.needs {
			for _, t := range needs {
				from := sw.sources[t]
				if sw.on[i] && !slices.ContainsFunc(from, func(k int) bool { return sw.on[k] }) {
					sw.on[from[r.Below(len(from))]], changed = true, true
				}
			}
		}
	}
	sw.of = sw.of[:0]
	for i, on := range sw.on {
		if on {
			sw.of = append(sw.of, i)
		}
	}
}
