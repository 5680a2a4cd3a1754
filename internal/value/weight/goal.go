package weight

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Goal is a wanted distribution. The zero Goal requests all constructors equally
// often.
//
// The cost is that of appendix 2.4 of the thesis. For the constructors that the
// goal names, with E the expected count, it is
//
//	sum of (E - weight size)^2 / (weight size)
//
// where size is the depth, as in the thesis, unless Cells is set. Any way of a
// schema with at least two ways counts as a constructor: patterns and function
// calls are constructors of their own, and a struct, which offers no choice, is
// none.
type Goal struct {
	// Weights are the wanted frequencies of constructors, in proportion.
	// Constructors without a weight are free. nil gives all a weight of 1.
	Weights map[string]float64
	// Only and Without restrict the constructors. If Only names a constructor of
	// a type, the type's other constructors are never chosen. Constructors in
	// Without are never chosen either, unless a term cannot end in any other way.
	Only, Without []string
	// Cells is the wanted mean size. It replaces the depth in the cost: size is
	// then the number that gives terms of so many cells. The wanted size may be
	// out of reach, because the lengths of lists are fixed and some types are
	// finite; the report has the size that was reached.
	Cells float64
	// Cost replaces all of the above: a function of the expected counts by name
	// that is smaller for a better distribution.
	Cost func(expected map[string]float64) float64
}

// target is a goal for one world: the excluded ways, and a cost with derivatives.
type target struct {
	shut []bool    // by way: excluded
	want []float64 // by way: its weight, 0 for free ways
	size float64   // factor of the weights
	push float64   // weight of the size in cells in the cost

	goal  Goal
	names names
	index []int // by name: the index of its way
}

func (m *model) target(g Goal) (*target, error) {
	w := m.plan.World
	t := &target{shut: make([]bool, m.total), want: make([]float64, m.total), size: float64(m.depth), goal: g, names: namesOf(w)}
	for _, at := range t.names.at {
		t.index = append(t.index, m.off[at.schema]+at.way)
	}
	if g.Cells < 0 || g.Cells > 0 && g.Cost != nil {
		return nil, errors.New("the wanted size must be positive, and it cannot be combined with a cost function")
	}
	if err := t.exclude(m, g); err != nil {
		return nil, err
	}
	if g.Weights == nil {
		for i, at := range t.names.at {
			if k := t.index[i]; !t.shut[k] && m.choices(at.schema, t.shut) > 1 {
				t.want[k] = 1
			}
		}
		return t, nil
	}
	for _, name := range slices.Sorted(maps.Keys(g.Weights)) {
		at, err := t.names.find(name)
		if err != nil {
			return nil, err
		}
		weight := g.Weights[name]
		if !(weight > 0) || math.IsInf(weight, 0) {
			return nil, fmt.Errorf("constructor %s: weight %v is not positive; use Without to exclude it", name, weight)
		}
		t.want[m.off[at.schema]+at.way] = weight
	}
	return t, nil
}

// choices returns how many ways of a schema are not excluded.
func (m *model) choices(i int, shut []bool) int {
	n := 0
	for k := range m.plan.nodes[i].ways {
		if m.plan.nodes[i].ways[k].open && !shut[m.off[i]+k] {
			n++
		}
	}
	return n
}

func (t *target) exclude(m *model, g Goal) error {
	keep := map[place]bool{}
	touched := map[int]bool{}
	for _, name := range g.Only {
		at, err := t.names.find(name)
		if err != nil {
			return err
		}
		keep[at], touched[at.schema] = true, true
	}
	for i, at := range t.names.at {
		if touched[at.schema] && !keep[at] {
			t.shut[t.index[i]] = true
		}
	}
	for i, s := range m.plan.World.Schemas { // the step to functions is excluded too
		for c := range s.Ctors {
			if touched[i] && s.Ctors[c].Call {
				t.shut[m.off[i]+c] = true
			}
		}
	}
	for _, name := range g.Without {
		at, err := t.names.find(name)
		if err != nil {
			return err
		}
		t.shut[m.off[at.schema]+at.way] = true
	}
	for i, s := range m.plan.World.Schemas {
		if m.choices(i, t.shut) == 0 {
			return fmt.Errorf("Only and Without exclude every constructor of %v", s.Type)
		}
	}
	return nil
}

// cost returns the cost of counts and sets the derivatives.
func (t *target) cost(counts []float64, d *slopes) float64 {
	clear(d.counts)
	d.cells = 0
	if t.goal.Cost != nil {
		return t.userCost(counts, d)
	}
	sum := 0.0
	for k, weight := range t.want {
		if weight > 0 {
			want := weight * t.size
			off := counts[k] - want
			sum += off * off / want
			d.counts[k] = 2 * off / want
		}
	}
	return sum
}

// tilt is how far a count is moved to differentiate the user's cost, relative to the
// count. About half of the digits of a float64 are lost to rounding, and half remain.
const tilt = 1e-6

func (t *target) userCost(counts []float64, d *slopes) float64 {
	named := make(map[string]float64, len(t.index))
	for i, k := range t.index {
		named[t.names.all[i]] = counts[k]
	}
	for i, k := range t.index {
		name, by := t.names.all[i], tilt*max(1, math.Abs(counts[k]))
		named[name] = counts[k] + by
		up := t.goal.Cost(named)
		named[name] = counts[k] - by
		d.counts[k] = (up - t.goal.Cost(named)) / (2 * by)
		named[name] = counts[k]
	}
	return t.goal.Cost(named)
}

// fixed reports whether schema s has only one way, so that nothing can be tuned.
func fixed(s *schema.Schema) bool { return s.Ways()-s.First() < 2 }
