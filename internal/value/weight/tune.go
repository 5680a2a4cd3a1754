package weight

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// Report is how a search for odds ended.
type Report struct {
	Cost     float64 // of the odds that were found
	Before   float64 // of even odds
	Passes   int     // how often the process was worked out
	Expected *Expected
}

// Tune sets the odds of w to those that bring terms of depth levels closest to the
// goal. Where that is not possible, as with a tree that must have one leaf more
// than nodes, it is a compromise.
//
// The odds depend on nothing but the world, the depth and the goal. It takes some
// hundred passes through the types, which is a millisecond of CPU time for ten
// constructors and a tenth of a second for 500, so nothing is kept between two
// calls. A wanted size takes ten times that; a cost function is called twice for
// each constructor in each pass.
func Tune(w *schema.World, depth int, g Goal) (*Report, error) {
	m := newModel(NewPlan(w), max(1, depth))
	t, err := m.target(g)
	if err != nil {
		return nil, err
	}
	s := m.newSearch(t)
	best := s.best()
	if g.Cells > 0 {
		best = s.scale(best)
	}
	t.push = 0
	r := &Report{Before: s.value(s.start(0)), Cost: s.value(best), Passes: s.passes}
	s.write(best)
	r.Expected = Predict(w, depth)
	return r, nil
}

// search looks for logits: the odds of a way are exp of one, so that none is
// negative and steps of any length are allowed.
type search struct {
	m      *model
	t      *target
	slopes *slopes
	vars   []variable
	passes int
}

// variable is the ways of a schema that can be chosen.
type variable struct {
	node int
	ways []int // within the node
	from int   // of the first among the logits

	last []int     // those that may be chosen at level 0
	soft []float64 // of each of ways: its chance before the floor
	ends []int     // all that end a term, if none of them can be chosen: then they are even
}

func (m *model) newSearch(t *target) *search {
	s := &search{m: m, t: t, slopes: m.newSlopes()}
	n := 0
	for i := range m.plan.nodes {
		v := variable{node: i, from: n}
		for k := range m.plan.nodes[i].ways {
			if m.plan.nodes[i].ways[k].open && !t.shut[m.off[i]+k] {
				v.ways = append(v.ways, k)
			}
		}
		s.vars = append(s.vars, v.lasts(&m.plan.nodes[i]))
		n += len(v.ways)
	}
	return s
}

func (v variable) lasts(n *node) variable {
	v.soft = make([]float64, len(v.ways))
	for _, k := range v.ways {
		if n.ways[k].last {
			v.last = append(v.last, k)
		}
	}
	for k := range n.ways {
		if len(v.last) == 0 && n.ways[k].last {
			v.ends = append(v.ends, k)
		}
	}
	return v
}

func (s *search) size() int {
	last := s.vars[len(s.vars)-1]
	return last.from + len(last.ways)
}

// ridge pulls logits together, so little that it shows in no digit that is
// printed: what the goal leaves free is even instead of wherever the search
// happened to go.
const ridge = 1e-6

// floor is the share of all choices that is even. Without it a compromise gives up
// some constructors: of 500 in 100 types a dozen came out less than once in 1000
// terms, and what never comes out is not tested. With three times as much nothing
// does; but weights that would need a way less often than this cannot be had, and
// goals that drive one out end up further from where they would.
const floor = 0.003

// set turns logits into chances.
func (s *search) set(logits []float64) {
	m := s.m
	clear(m.p)
	clear(m.q)
	for _, v := range s.vars {
		p, q := m.p[m.off[v.node]:], m.q[m.off[v.node]:]
		softmax(v.soft, logits[v.from:])
		for j, k := range v.ways {
			p[k] = floor/float64(len(v.ways)) + (1-floor)*v.soft[j]
		}
		sum := 0.0
		for _, k := range v.last {
			sum += p[k]
		}
		for _, k := range v.last {
			q[k] = p[k] / sum
		}
		for _, k := range v.ends {
			q[k] = 1 / float64(len(v.ends))
		}
	}
}

func softmax(out, logits []float64) {
	top, sum := math.Inf(-1), 0.0
	for j := range out {
		top = max(top, logits[j])
	}
	for j := range out {
		out[j] = math.Exp(logits[j] - top)
		sum += out[j]
	}
	scaleBy(out, 1/sum)
}

// value is the cost of some logits.
func (s *search) value(logits []float64) float64 {
	s.passes++
	s.set(logits)
	s.m.forward()
	cost := s.t.cost(s.m.counts(), s.slopes)
	if s.t.push > 0 {
		s.m.zeros()
		want := s.t.goal.Cells
		off := s.m.cells() - want
		cost += s.t.push * off * off / want
		s.slopes.cells = 2 * s.t.push * off / want
	}
	return cost
}

// eval is what is made least, and its gradient: asinh of the cost, which is the
// cost where it is small and its logarithm where it is large. Trees that grow
// without end would give steps without measure otherwise.
func (s *search) eval(logits, grad []float64) float64 {
	cost := s.value(logits)
	s.m.backward(s.slopes)
	s.down(1/math.Sqrt(1+cost*cost), grad)
	f := math.Asinh(cost)
	for _, v := range s.vars {
		mean := 0.0
		for j := range v.ways {
			mean += logits[v.from+j] / float64(len(v.ways))
		}
		for j := range v.ways {
			away := logits[v.from+j] - mean
			f += ridge * away * away
			grad[v.from+j] += 2 * ridge * away
		}
	}
	return f
}

// down turns slopes by chances into slopes by logits, by times as steep. Chances at
// level 0 are q = p / P, with P the sum of p over what may be chosen there, so they
// add (dq_k - sum of q dq) / P to the slope by p_k; and with p from softmax(x), the
// slope by x_k is (1 - floor) soft_k (dp_k - sum of soft dp).
func (s *search) down(by float64, grad []float64) {
	for _, v := range s.vars {
		off := s.m.off[v.node]
		dp, q, dq := s.slopes.p[off:], s.m.q[off:], s.slopes.q[off:]
		mean, all := 0.0, 0.0
		for _, k := range v.last {
			mean += q[k] * dq[k]
			all += s.m.p[off+k]
		}
		for _, k := range v.last {
			dp[k] += (dq[k] - mean) / all
		}
		mean = 0
		for j, k := range v.ways {
			mean += v.soft[j] * dp[k]
		}
		for j, k := range v.ways {
			grad[v.from+j] = by * (1 - floor) * v.soft[j] * (dp[k] - mean)
		}
	}
}

// start gives logits to begin with: even for a bias of 0; else ways with more
// placeholders of their own component are rarer by so much.
func (s *search) start(bias float64) []float64 {
	logits := make([]float64, s.size())
	for _, v := range s.vars {
		for j, k := range v.ways {
			n := &s.m.plan.nodes[v.node]
			for _, e := range n.ways[k].edges {
				if s.m.plan.nodes[e.to].part == n.part {
					logits[v.from+j] -= bias * e.count
				}
			}
		}
	}
	return logits
}

// biases are where searches start. Even odds alone may lead to trees of 10^20
// nodes, where no direction is better than another.
var biases = []float64{0, 0.5, 2}

// A search looks around in a few steps from each start, and goes on from the best.
const (
	lookSteps = 40
	stepsMax  = 300 // most goals take thirty
)

func (s *search) best() []float64 {
	var best []float64
	least := math.Inf(1)
	for _, bias := range biases {
		x := s.start(bias)
		if f := lbfgs(x, lookSteps, s.eval); f < least-1e-9 || best == nil {
			best, least = x, f
		}
	}
	lbfgs(best, stepsMax, s.eval)
	return best
}

// Bounds of the search for a size.
const (
	scaleSteps = 40
	scaleNear  = 1e-3 // of the wanted size is near enough
	pushes     = 5    // each ten times as hard as the one before
)

// scale finds the size in the cost that gives terms of the wanted number of cells:
// the more is wanted of each constructor, the larger are terms, so it is found by
// halving an interval. Where that does not get there, as nil pointers are wanted
// as well and have no cells, the size itself becomes a part of the cost.
func (s *search) scale(x []float64) []float64 {
	want, first := s.t.goal.Cells, s.t.size
	near := func(got float64) bool { return math.Abs(got-want) <= scaleNear*want }
	low, high, last := 0.0, 0.0, 0.0
	for range scaleSteps {
		got := s.cells(x)
		if near(got) {
			return x
		}
		if got < want {
			low = s.t.size
		} else {
			high = s.t.size
		}
		if (low == 0 || high == 0) && math.Abs(got-last) <= scaleNear*got {
			break // it has no more effect
		}
		last = got
		switch {
		case high == 0:
			s.t.size *= 2
		case low == 0:
			s.t.size /= 2
		default:
			s.t.size = math.Sqrt(low * high)
		}
		lbfgs(x, stepsMax, s.eval)
	}
	s.t.size, s.t.push = first, 1
	for range pushes {
		lbfgs(x, stepsMax, s.eval)
		if near(s.cells(x)) {
			break
		}
		s.t.push *= 10
	}
	return x
}

// cells is the expected size with some logits.
func (s *search) cells(logits []float64) float64 {
	s.value(logits)
	s.m.zeros()
	return s.m.cells()
}

// write puts the odds into the schemas.
func (s *search) write(logits []float64) {
	s.set(logits)
	for _, v := range s.vars {
		n := &s.m.plan.nodes[v.node]
		if fixed(n.s) {
			continue
		}
		off := s.m.off[v.node]
		n.s.Odds = append([]float64(nil), s.m.p[off:off+len(n.ways)]...)
	}
}
