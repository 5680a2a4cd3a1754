//go:build go1.25

package weight

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// Report is the result of Tune.
type Report struct {
	Cost     float64 // cost of the odds that were found
	Before   float64 // cost of even odds, for comparison
	Passes   int     // how often the distribution was computed
	Expected *Expected
}

// Tune sets the odds of w so that the distribution of terms of the given depth is as
// close to the goal as possible. Some goals cannot be reached: for example, a binary
// tree always has one leaf more than inner nodes. Then the odds are a compromise.
//
// The odds depend only on the world, the depth and the goal. Tune computes the
// distribution some hundred times. This takes a millisecond of CPU time for ten
// constructors and a tenth of a second for 500, so results are not cached. With a
// wanted size it takes ten times as long. A cost function is called twice for each
// constructor in each of these passes.
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

// search finds the best logits, one for each way. The odds of a way are the
// exponential of its logit, so any logit is valid: odds are never negative.
type search struct {
	m      *model
	t      *target
	slopes *slopes
	vars   []variable
	passes int
}

// variable is the choice at a schema, with all ways that are not excluded.
type variable struct {
	node int
	ways []int // indexes into the ways of the node
	from int   // index of the logit of its first way

	last []int     // ways that may be chosen at level 0
	soft []float64 // probability of each element of ways, before floor is applied
	ends []int     // only if last is empty: the excluded ways that can end a term; at level 0 they are equally likely
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

// ridge is the factor of a small addition to the cost, which pulls logits towards
// their mean. It makes odds equal where the goal does not determine them. It is so
// small that it changes no printed digit of the other odds.
const ridge = 1e-6

// floor is the share of all choices that is distributed evenly, so that no
// constructor becomes too rare. Without a floor, a compromise may give up some
// constructors: of 500 constructors in 100 types, a dozen were generated less than
// once in 1000 terms, and what is not generated is not tested. With a floor three
// times as large, no constructor was that rare. But a large floor also prevents
// goals that need very small probabilities.
const floor = 0.003

// set computes the probabilities of the model from logits.
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

// value returns the cost of the distribution that the logits lead to.
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

// eval returns the value to minimise and sets its gradient. The value is asinh of
// the cost (plus the ridge), which is about the cost itself where the cost is small
// and its logarithm where it is large. The cost itself is astronomical for trees
// that grow without bound, so with it the lengths of steps would be unpredictable.
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

// down sets grad to the derivatives with respect to logits, multiplied by the factor
// by. It computes them from the derivatives with respect to probabilities, dp and
// dq. The probabilities at level 0 are q = p / P, with P the sum of p over the ways
// that may be chosen at level 0. So dq adds (dq_k - sum of q dq) / P to dp_k. Since
// p is a softmax of the logits x, the derivative with respect to x_k is then (1 -
// floor) soft_k (dp_k - sum of soft dp).
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

// start returns initial logits. A positive bias makes recursion less likely: it is
// subtracted from the logit of a way once for each field whose type is in the same
// component (see Plan). With a bias of 0 all logits are equal.
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

// biases are the biases of the starting points that best tries. With even odds
// alone, trees may have 10^20 nodes on average, and there no direction is better
// than another.
var biases = []float64{0, 0.5, 2}

// A search makes lookSteps steps from each starting point, and continues from the
// best result for at most stepsMax steps.
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

// Parameters of scale, the search for a wanted size.
const (
	scaleSteps = 40
	scaleNear  = 1e-3 // accepted relative error of the size
	pushes     = 5    // attempts with target.push, which is ten times as large in each
)

// scale finds the factor target.size that leads to terms with the wanted number of
// cells. It uses bisection, since terms become larger if more of each constructor is
// wanted. Bisection can fail, for example if nil pointers are wanted as well: they
// have no cells. In that case the error of the size becomes a part of the cost.
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
			break // changing target.size has no effect any more
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

// cells returns the mean number of cells of a term, for the given logits.
func (s *search) cells(logits []float64) float64 {
	s.value(logits)
	s.m.zeros()
	return s.m.cells()
}

// write computes the odds from the logits and stores them in the schemas.
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
