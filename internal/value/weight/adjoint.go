//go:build go1.25

package weight

import "math"

// slopes are the derivatives of a cost with respect to various quantities. The
// caller of backward sets counts and cells; backward computes the rest.
type slopes struct {
	counts []float64 // with respect to the expected count of each way
	cells  float64   // with respect to the expected size
	p, q   []float64 // with respect to the probability of each way, above level 0 (p) and at level 0 (q)

	v  []float64 // with respect to the number of placeholders of each schema at each level
	wz []float64 // with respect to model.z, the probabilities that a term has no cell
}

func (m *model) newSlopes() *slopes {
	return &slopes{
		counts: make([]float64, m.total), p: make([]float64, m.total), q: make([]float64, m.total),
		v: make([]float64, len(m.x)), wz: make([]float64, len(m.z)),
	}
}

// backward computes the derivatives with respect to probabilities from those with
// respect to counts and size. The branching process is linear in the number of
// placeholders, so backward is the forward pass in reverse. With g_k the derivative
// with respect to the count of way k, and β the count of an edge,
//
//	v[s][n] = sum over ways k of p_k (g_k + sum over its edges of β v[to][n-step])
//
// is the cost of one more placeholder of schema s at level n. The derivative with
// respect to p_k is the sum over all levels n of x[s][n] times the expression in
// parentheses.
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

// backZeros adds to p and q the effect of list elements that contain no cell: they
// count one cell each, so the size depends on model.z, the probabilities that a term
// has no cell. The first loop computes the derivatives of the size with respect to
// z. The second loop goes from the top level down, and propagates these derivatives
// to the probabilities of the ways, on which z depends.
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
					m.backProduct(d, repeat(kids, 1), level, by*(kids[0].count-w.must))
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
				switch {
				case w.list && w.must > 0 && !w.sure:
					m.backProduct(d, repeat(w.edges, w.must), level, by*odds[at]*w.only)
				case !w.sure && !w.list:
					m.backProduct(d, w.edges, level, by*odds[at])
				}
			}
		}
	}
}

// backProduct adds to wz the derivatives of a product (see model.product) with
// respect to its factors, multiplied by the factor by.
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
