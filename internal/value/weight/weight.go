//go:build go1.25

// Package weight predicts how often each constructor is generated, and finds odds
// that lead to a wanted distribution.
//
// Generating a term by independent choices is a multi-type branching process: each
// chosen constructor leaves placeholders for its fields, and each placeholder is
// filled by another choice. The mean number of placeholders of each type at a level
// is computed from the previous level by additions and multiplications, so all mean
// counts are known without generating anything. One backward pass computes their
// derivatives with respect to the odds, and a few dozen steps of gradient descent
// find the odds.
//
//	e := weight.Predict(world, 10)            // with the current odds
//	e.Named()["Expr.Add"]                     // mean number in one term
//	r, err := weight.Tune(world, 10, weight.Goal{Weights: map[string]float64{"Add": 3, "Num": 1}})
//
// The idea comes from the thesis of Mista (DRAGEN, sections 3 to 7 and appendix 2);
// equations are cited beside the code that uses them. In the thesis, levels are
// counted down to 0. Above level 0 every constructor may be chosen; at level 0 only
// those that end the term. Package gen generates such terms when World.Depth is set.
// A way, in the code, is one possible choice: a constructor, a list, or a pattern.
//
// Map entries with equal keys become one entry. Predictions count all entries, so
// they are upper bounds for what is in maps, and exact for everything else.
package weight

import "github.com/allele-go/allele/internal/value/schema"

// Expected describes the average term of a world.
type Expected struct {
	// Counts is how often each constructor and each pattern is chosen in one term,
	// by schema and in the order of Schema.Odds: constructors, then patterns.
	Counts [][]float64
	// Levels is Counts for each level. Levels[0] is the level of the root, and the
	// last element is level 0, where terms end.
	Levels [][][]float64
	// Down is how often each constructor occurs, on its own or as part of a pattern.
	// It does not count the contents of values that builder functions return.
	Down [][]float64
	// Cells is the mean size.
	Cells float64

	names names
}

// Predict describes the average term of w with the given depth and the current odds
// of its schemas.
func Predict(w *schema.World, depth int) *Expected {
	p := NewPlan(w)
	m := newModel(p, depth)
	m.read()
	m.forward()
	m.zeros()
	e := &Expected{Cells: m.cells(), Counts: m.shaped(m.counts()), names: namesOf(w)}
	for n := depth; n >= 0; n-- {
		e.Levels = append(e.Levels, m.shaped(m.level(n)))
	}
	e.Down = expand(w, e.Counts)
	return e
}

// Named returns Counts by name: "Type.Constructor" or "Type.pattern".
func (e *Expected) Named() map[string]float64 {
	out := make(map[string]float64, len(e.names.all))
	for i, name := range e.names.all {
		at := e.names.at[i]
		out[name] = e.Counts[at.schema][at.way]
	}
	return out
}

// expand adds to the count of each constructor how often it occurs inside patterns,
// by section 5.2 of the thesis:
//
//	E↓[c] = E[c] + sum over patterns q of (how often c is in q) E[q].
func expand(w *schema.World, counts [][]float64) [][]float64 {
	down := make([][]float64, len(counts))
	for i, s := range w.Schemas {
		down[i] = append([]float64(nil), counts[i][:s.Plain()]...)
	}
	var add func(s *schema.Schema, at *schema.Shape, n float64)
	add = func(s *schema.Schema, at *schema.Shape, n float64) {
		if at == nil {
			return
		}
		down[s.ID][at.C*min(1, len(s.Ctors))] += n
		for i := range Kids(s, at) {
			t, kid := Kid(s, at, i)
			add(t, kid, n)
		}
	}
	for i, s := range w.Schemas {
		for k := range s.Patterns {
			add(s, s.Patterns[k].Shape, counts[i][s.Plain()+k])
		}
	}
	return down
}
