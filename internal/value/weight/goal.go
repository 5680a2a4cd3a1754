//go:build go1.25

package weight

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Goal is a wanted distribution. The zero Goal wants all constructors equally often.
//
// Tune minimises the cost of appendix 2.4 of the thesis. It is a sum over the
// constructors that have a weight, with E the expected count of each:
//
//	sum of (E - weight size)^2 / (weight size)
//
// where size is the depth, as in the thesis, unless Cells is set. Here a constructor
// is anything that can be chosen among at least two possibilities. So patterns and
// builder functions are constructors too, but a struct is not, because there is no
// choice.
type Goal struct {
	// Weights are the wanted relative frequencies of constructors. A constructor
	// without a weight may have any frequency. If Weights is nil, all constructors
	// have weight 1.
	Weights map[string]float64
	// Only and Without restrict the constructors. If Only names a constructor of a
	// type, the type's other constructors are never chosen. Constructors in Without
	// are never chosen. The exception: if all constructors that can end a term are
	// excluded, they are still chosen at level 0.
	Only, Without []string
	// Cells is the wanted mean number of cells of a term. If it is set, the size in
	// the cost is not the depth but the number that leads to this mean. The wanted
	// mean may be out of reach, because the lengths of lists are fixed and some
	// types are finite; Report.Expected has the mean that was reached.
	Cells float64
	// Cost replaces the cost above: Weights are then ignored, and Cells must not be
	// set. Its argument is the expected count of each constructor, by name; its
	// result must be smaller for a better distribution.
	Cost func(expected map[string]float64) float64
}

// target is a goal applied to one world: which ways are excluded, and the cost with
// its derivatives.
type target struct {
	shut []bool    // by way: whether it is excluded
	want []float64 // by way: its weight, or 0 if it has none
	size float64   // the size in the cost, see Goal
	push float64   // if positive, the cost also includes the squared error of the mean size, times push

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

// drop excludes builders that refused all arguments of a trial, unless the goal names them:
// gen.Trial has set their odds to 0.
func (t *target) drop(m *model, g Goal) {
	wanted := map[place]bool{}
	for name := range g.Weights {
		if at, err := t.names.find(name); err == nil {
			wanted[at] = true
		}
	}
	for i, s := range m.plan.World.Schemas {
		for c := range s.Ctors {
			if s.IsFound() && s.Odds != nil && s.Odds[c] == 0 && !s.Ctors[c].Weighed && !wanted[place{i, c}] {
				t.shut[m.off[i]+c] = true
			}
		}
	}
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
	for i, s := range m.plan.World.Schemas { // Only also excludes the builder functions of an interface
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
	t.drop(m, g)
	for i, s := range m.plan.World.Schemas {
		if m.choices(i, t.shut) == 0 {
			return fmt.Errorf("Only and Without exclude every constructor of %v", s.Type)
		}
	}
	return nil
}

// cost returns the cost of the given counts, and stores its derivatives in d.
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

// tilt is how far a count is moved to differentiate the user's cost numerically,
// relative to the count. With this distance about half of the digits of a float64
// are lost to rounding.
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
