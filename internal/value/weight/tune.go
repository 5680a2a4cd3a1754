package weight

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// Report is the result of Tune.
type Report struct {
	Cost     float64 // of the odds that were found
	Before   float64 // of even odds
	Passes   int     // number of passes through the process
	Expected *Expected
}

// Tune sets the odds of w to those that bring terms of depth levels closest to
// the goal. If the goal cannot be reached, for example because a binary tree
// always has one leaf more than nodes, the odds are a compromise.
//
// The odds depend only on the world, the depth and the goal. Tune makes some
// hundred passes through the types, which is a millisecond of CPU time for ten
// constructors and a tenth of a second for 500, so nothing is cached between
// calls. A wanted size takes ten times as long. A cost function is called twice
// for each constructor in each pass.
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

// search searches for logits. The odds of a way are exp of its logit, so odds are
// never negative and steps of any length are allowed.
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
	ways []int // indexes within the node
	from int   // index of the first logit

	last []int     // ways that may be chosen at level 0
	soft []float64 // probability of each of ways, before the floor
	ends []int     // if last is empty: all ways that can end a term, which are then equally likely
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

// ridge pulls logits together, by so little that it changes no printed digit. It
// makes the odds that the goal leaves free even, instead of whatever the search
// happened to find.
const ridge = 1e-6

// floor is the share of all choices that is distributed evenly. Without it a
// compromise gives up some constructors: of 500 constructors in 100 types, a
// dozen were generated less than once in 1000 terms, and a constructor that is
// never generated is not tested. With a floor three times as large none is that
// rare. But a floor makes smaller probabilities impossible, so goals that drive a
// constructor out are missed by more, the larger the floor is.
const floor = 0.003

// set turns logits into probabilities.
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

// value returns the cost of logits.
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

// eval returns the function to minimise and sets its gradient. It is asinh of the
// cost: about the cost where that is small and its logarithm where it is large.
// Otherwise trees that grow without bound would cause steps of any length.
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

// down turns derivatives by probabilities into derivatives by logits, times by.
// Probabilities at level 0 are q = p / P, with P the sum of p over the ways that
// may be chosen there, so they add (dq_k - sum of q dq) / P to the derivative by
// p_k. With p from softmax(x), the derivative by x_k is (1 - floor) soft_k (dp_k
// - sum of soft dp).
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

// start returns initial logits. They are even for a bias of 0; otherwise each
// placeholder of its own component lowers the logit of a way by the bias.
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

// biases are the starting points of searches. Even odds alone may give trees of
// 10^20 nodes, where no direction is better than another.
var biases = []float64{0, 0.5, 2}

// A search makes a few steps from each starting point and continues from the
// best.
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
	scaleNear  = 1e-3 // relative error of the size that is accepted
	pushes     = 5    // attempts, each with ten times the weight of the one before
)

// scale finds the size in the cost that gives terms of the wanted number of
// cells. The more of each constructor is wanted, the larger are terms, so
// bisection finds it. Bisection fails for example if nil pointers are wanted as
// well, since they have no cells; then the size in cells becomes a part of the
// cost.
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
			break // the size has no effect any more
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

// cells returns the expected size for logits.
func (s *search) cells(logits []float64) float64 {
	s.value(logits)
	s.m.zeros()
	return s.m.cells()
}

// write stores the odds in the schemas.
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
