//go:build go1.25

package weight

import "math"

// model contains the numbers of the branching process. Its vectors have an element
// for each way of each schema (p, q), or for each schema at each level (x, z).
type model struct {
	plan  *Plan
	depth int
	off   []int // index of the first way of each schema
	total int   // number of ways

	// Probabilities of the ways, above level 0 and at level 0: p and p* in the
	// thesis.
	p, q []float64

	x []float64 // expected number of placeholders of each schema at each level
	z []float64 // probability that a term of a schema at a level has no cell
}

func newModel(p *Plan, depth int) *model {
	m := &model{plan: p, depth: depth, off: make([]int, len(p.nodes))}
	for i := range p.nodes {
		m.off[i] = m.total
		m.total += len(p.nodes[i].ways)
	}
	m.p, m.q = make([]float64, m.total), make([]float64, m.total)
	m.x, m.z = make([]float64, (depth+1)*len(p.nodes)), make([]float64, (depth+1)*len(p.nodes))
	return m
}

// read sets the probabilities from the odds of the schemas.
func (m *model) read() {
	for i, n := range m.plan.nodes {
		copy(m.p[m.off[i]:], m.plan.Odds(n.s, false))
		copy(m.q[m.off[i]:], m.plan.Odds(n.s, true))
	}
}

// at returns the part of x, z or a similar vector that belongs to a level, indexed
// by schema.
func (m *model) at(v []float64, level int) []float64 {
	n := len(m.plan.nodes)
	return v[level*n : (level+1)*n]
}

// scene returns the topological order of the schemas at a level, and the
// probabilities of their ways at that level.
func (m *model) scene(level int) (order []int, odds []float64) {
	if level == 0 {
		return m.plan.last, m.q
	}
	return m.plan.above, m.p
}

// below returns the level that edge e leads to from the given level.
func (e edge) below(level int) int { return max(0, level-int(e.step)) }

// kids returns the edges of a way at a level. A recursive list is empty at level 0,
// so it has no edges there.
func (w *way) kids(level int) []edge {
	if level == 0 && w.empty() {
		return nil
	}
	return w.edges
}

// forward computes the expected number of placeholders. With β(v, k) the mean number
// of fields of type v in way k, and M the mean matrix of types (equation 15 of the
// thesis),
//
//	M[u][v] = sum over ways k of u of β(v, k) p_k,
//
// forward evaluates equation 7 for types, E[G_n] = E[G_0] M^n, except that only
// fields that take a level (see Plan) belong to the next generation. M is never
// stored, because most of its elements are zero.
func (m *model) forward() {
	clear(m.x)
	m.at(m.x, m.depth)[m.plan.World.Root.ID] = 1
	for level := m.depth; level >= 0; level-- {
		order, odds := m.scene(level)
		row := m.at(m.x, level)
		for _, i := range order {
			if row[i] == 0 {
				continue
			}
			for k := range m.plan.nodes[i].ways {
				w := &m.plan.nodes[i].ways[k]
				y := row[i] * odds[m.off[i]+k]
				if y == 0 {
					continue
				}
				for _, e := range w.kids(level) {
					m.at(m.x, e.below(level))[e.to] += y * e.count
				}
			}
		}
	}
}

// level returns the expected number of times that each way is chosen at a level. By
// theorem 4 of the thesis, it is E[way] = E[placeholders of its type] p.
func (m *model) level(n int) []float64 {
	out := make([]float64, m.total)
	m.addLevel(out, n)
	return out
}

func (m *model) addLevel(out []float64, n int) {
	_, odds := m.scene(n)
	row := m.at(m.x, n)
	for i := range m.plan.nodes {
		if row[i] == 0 {
			continue
		}
		for k := m.off[i]; k < m.off[i]+len(m.plan.nodes[i].ways); k++ {
			out[k] += row[i] * odds[k]
		}
	}
}

// counts returns the expected number of times that each way is chosen in a term:
// equation 8 of the thesis, with the last generation as in section 5.
func (m *model) counts() []float64 {
	out := make([]float64, m.total)
	for n := range m.depth + 1 {
		m.addLevel(out, n)
	}
	return out
}

// shaped splits a vector that has an element for each way into one vector for each
// schema.
func (m *model) shaped(v []float64) [][]float64 {
	out := make([][]float64, len(m.plan.nodes))
	for i, n := range m.plan.nodes {
		out[i] = v[m.off[i] : m.off[i]+len(n.ways) : m.off[i]+len(n.ways)]
	}
	return out
}

// zeros computes z, the probabilities that a term has no cell. Fields are
// independent, so the probability that no field has a cell is a product.
func (m *model) zeros() {
	for level := 0; level <= m.depth; level++ {
		order, odds := m.scene(level)
		row := m.at(m.z, level)
		for j := len(order) - 1; j >= 0; j-- {
			i := order[j]
			row[i] = 0
			for k := range m.plan.nodes[i].ways {
				if o := odds[m.off[i]+k]; o > 0 {
					row[i] += o * m.zero(&m.plan.nodes[i].ways[k], level)
				}
			}
		}
	}
}

// zero returns the probability that a term has no cell if it begins with way w.
func (m *model) zero(w *way, level int) float64 {
	switch {
	case w.sure:
		return 0
	case w.list && level == 0 && w.empty():
		return 1
	case w.list && len(w.edges) > 0:
		return w.only * m.product(repeat(w.edges, w.must), level)
	}
	return m.product(w.edges, level)
}

func (m *model) product(edges []edge, level int) float64 {
	f := 1.0
	for _, e := range edges {
		f *= math.Pow(m.at(m.z, e.below(level))[e.to], e.count)
	}
	return f
}

// cells returns the expected number of cells of a term. For each way it adds the
// way's own cells, and one cell for each list element that contains none.
func (m *model) cells() float64 {
	sum := 0.0
	for level := range m.depth + 1 {
		_, odds := m.scene(level)
		row := m.at(m.x, level)
		for i := range m.plan.nodes {
			if row[i] == 0 {
				continue
			}
			for k := range m.plan.nodes[i].ways {
				if y := row[i] * odds[m.off[i]+k]; y > 0 {
					sum += y * m.own(&m.plan.nodes[i].ways[k], level)
				}
			}
		}
	}
	return sum
}

// own returns the expected number of cells that a way adds by itself, without those
// of its fields.
func (m *model) own(w *way, level int) float64 {
	sum := float64(w.cells)
	if kids := w.kids(level); w.list && len(kids) > 0 {
		sum += (kids[0].count - w.must) * m.product(repeat(kids, 1), level)
	}
	for _, holes := range w.bare {
		sum += m.product(holes, level)
	}
	return sum
}

// repeat returns the edges of a list as if it had n elements.
func repeat(list []edge, n float64) []edge {
	var room [2]edge
	all := room[:copy(room[:], list)]
	for i := range all {
		all[i].count = n
	}
	return all
}
