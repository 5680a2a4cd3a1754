package weight

import "math"

// slopes are derivatives of a cost.
type slopes struct {
	counts []float64 // input: by the expected count of each way
	cells  float64   // input: by the expected size
	p, q   []float64 // result: by the probability of each way, above level 0 and at level 0

	v  []float64 // by the placeholders of each schema at each level
	wz []float64 // by the probability of no cell
}

func (m *model) newSlopes() *slopes {
	return &slopes{
		counts: make([]float64, m.total), p: make([]float64, m.total), q: make([]float64, m.total),
		v: make([]float64, len(m.x)), wz: make([]float64, len(m.z)),
	}
}

// backward turns derivatives by counts and size into derivatives by
// probabilities. The process is linear in the placeholders, so this is the
// forward pass in reverse. With g the derivative by a way's count,
//
//	v[s][n] = sum over ways k of p_k (g_k + sum over its edges of β v[to][n-step])
//
// is the cost of one more placeholder. The sum over levels of x[s][n] times the
// bracket is the derivative by p_k.
func (m *model) backward(d *slopes) {
	clear(d.p)
	clear(d.q)
	for level := range m.depth + 1 {
		order, odds := m.scene(level)
		out := d.p
		if level == 0 {
			out = d.q
		}
		v, x := m.at(d.v, level), m.at(m.x, level)
		for j := len(order) - 1; j >= 0; j-- {
			i := order[j]
			v[i] = 0
			for k := range m.plan.nodes[i].ways {
				w, at := &m.plan.nodes[i].ways[k], m.off[i]+k
				if !w.open {
					continue
				}
				worth := d.counts[at]
				if d.cells != 0 {
					worth += d.cells * m.own(w, level)
				}
				for _, e := range w.kids(level) {
					worth += e.count * m.at(d.v, e.below(level))[e.to]
				}
				v[i] += odds[at] * worth
				out[at] += x[i] * worth
			}
		}
	}
	if d.cells != 0 {
		m.backZeros(d)
	}
}

// backZeros adds the effect of the probabilities on the size through list
// elements that are empty. The first loop computes the derivatives by the
// probabilities of no cell that the size is computed from. The second loop goes
// from the top level down and propagates them to the probabilities that those
// depend on.
func (m *model) backZeros(d *slopes) {
	clear(d.wz)
	for level := range m.depth + 1 {
		_, odds := m.scene(level)
		x := m.at(m.x, level)
		for i := range m.plan.nodes {
			for k := range m.plan.nodes[i].ways {
				w := &m.plan.nodes[i].ways[k]
				by := d.cells * x[i] * odds[m.off[i]+k]
				if by == 0 {
					continue
				}
				if kids := w.kids(level); w.list && len(kids) > 0 {
					m.backProduct(d, single(kids), level, by*kids[0].count)
				}
				for _, holes := range w.bare {
					m.backProduct(d, holes, level, by)
				}
			}
		}
	}
	for level := m.depth; level >= 0; level-- {
		order, odds := m.scene(level)
		out := d.p
		if level == 0 {
			out = d.q
		}
		for _, i := range order {
			by := m.at(d.wz, level)[i]
			if by == 0 {
				continue
			}
			for k := range m.plan.nodes[i].ways {
				w, at := &m.plan.nodes[i].ways[k], m.off[i]+k
				if !w.open {
					continue
				}
				out[at] += by * m.zero(w, level)
				if !w.sure && !w.list {
					m.backProduct(d, w.edges, level, by*odds[at])
				}
			}
		}
	}
}

// backProduct adds the derivatives by the factors of a product.
func (m *model) backProduct(d *slopes, edges []edge, level int, by float64) {
	if by == 0 {
		return
	}
	product, none := 1.0, 0
	for _, e := range edges {
		z := m.at(m.z, e.below(level))[e.to]
		if z == 0 {
			none++
			if e.count > 1 {
				none++
			}
			continue
		}
		product *= math.Pow(z, e.count)
	}
	for _, e := range edges {
		to := e.below(level)
		switch z := m.at(m.z, to)[e.to]; {
		case none == 0:
			m.at(d.wz, to)[e.to] += by * product * e.count / z
		case none == 1 && z == 0:
			m.at(d.wz, to)[e.to] += by * product
		}
	}
}
