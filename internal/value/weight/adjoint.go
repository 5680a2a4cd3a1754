package weight

import "math"

// slopes are derivatives of a cost.
type slopes struct {
	counts []float64 // by the expected count of each way: what is given
	cells  float64   // by the expected size: the same
	p, q   []float64 // by the chances of each way, above level 0 and at it: what is found

	v  []float64 // by the placeholders of each schema at each level
	wz []float64 // by the chances of no cell
}

func (m *model) newSlopes() *slopes {
	return &slopes{
		counts: make([]float64, m.total), p: make([]float64, m.total), q: make([]float64, m.total),
		v: make([]float64, len(m.x)), wz: make([]float64, len(m.z)),
	}
}

// backward turns derivatives by counts and size into derivatives by chances. The
// process is linear in the placeholders, so this is the forward pass read from
// the end: with g the slope of a way's count,
//
//	v[s][n] = sum over ways k of p_k (g_k + sum over its edges of β v[to][n-step])
//
// is what one more placeholder would cost, and the sum over levels of x[s][n]
// times the bracket is what a little more of p_k would.
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

// backZeros adds what the chances do to the size by making elements of lists
// empty: first the slopes by those chances of no cell that the size is made of,
// then, from the top down, by those that these are made of.
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

// backProduct adds to the slopes of the factors of a product.
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
