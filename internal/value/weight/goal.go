package weight

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Goal is a wanted distribution. Its zero value wants all constructors equally
// often.
//
// The cost is that of appendix 2.4 of the thesis: for the constructors that the
// goal is about, with E the expected count,
//
//	sum of (E - weight size)^2 / (weight size)
//
// where size is the depth, as there, unless Cells says otherwise. A constructor
// here is any way that a schema has at least two of: patterns and calls of
// functions are constructors of their own, a struct that has no choice is none.
type Goal struct {
	// Weights are how often to have which constructor, in proportion. Those that
	// are not mentioned are free. nil is a weight of 1 for all.
	Weights map[string]float64
	// Only and Without are constructors to do with, and to do without: the others
	// of their types, if Only names at least one of them, and those named by
	// Without are never chosen, unless there is no other way to end a term.
	Only, Without []string
	// Cells is the mean size wanted. It takes the place of the depth in the cost:
	// the size there is the one that gives terms of so many cells. The report says
	// what came of it, as lists have the length they have and types an end.
	Cells float64
	// Cost replaces all of this: anything that is less for a better distribution.
	// It sees the counts by name.
	Cost func(expected map[string]float64) float64
}

// target is a goal for one world: what is excluded, and a cost with slopes.
type target struct {
	shut []bool    // by way
	want []float64 // by way: its weight, 0 for the free ones
	size float64   // that weights are multiplied by
	push float64   // how much it matters that the size in cells is the wanted one

	goal  Goal
	names names
	index []int // of each name, the way
}

func (m *model) target(g Goal) (*target, error) {
	w := m.plan.World
	t := &target{shut: make([]bool, m.total), want: make([]float64, m.total), size: float64(m.depth), goal: g, names: namesOf(w)}
	for _, at := range t.names.at {
		t.index = append(t.index, m.off[at.schema]+at.way)
	}
	if g.Cells < 0 || g.Cells > 0 && g.Cost != nil {
		return nil, errors.New("a wanted size must be positive, and goes with weights, not with a cost function")
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
			return nil, fmt.Errorf("constructor %s: weight %v is not positive; exclude it by Without", name, weight)
		}
		t.want[m.off[at.schema]+at.way] = weight
	}
	return t, nil
}

// choices is how many ways of a schema are left.
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
	for i, s := range m.plan.World.Schemas { // the step to functions goes with the rest
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
			return fmt.Errorf("nothing of %v is left", s.Type)
		}
	}
	return nil
}

// cost judges counts and fills in the slopes.
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

// tilt is how far a count is moved to see what the user's cost does: the root of
// the precision of a float64 is half lost and half kept.
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

// fixed reports whether schema s has nothing to tune.
func fixed(s *schema.Schema) bool { return s.Ways()-s.First() < 2 }
