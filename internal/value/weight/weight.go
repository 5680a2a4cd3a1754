// Package weight predicts how often each constructor is generated, and finds the
// odds that give a wanted distribution.
//
// Generating a term by independent choices is a multi-type branching process: a
// choice of a constructor leaves placeholders for its fields, which are filled by
// choices of their own. How many placeholders of each type there are on average
// at each level follows from those of the level before by adding and multiplying,
// so the whole distribution is known without generating anything. It is also
// known how it changes with the odds: one pass back gives all derivatives, and a
// few dozen steps downhill give the odds.
//
//	e := weight.Predict(world, 10)            // with the odds as they are
//	e.Named()["Expr.Add"]                     // so many in a term, on average
//	r, err := weight.Tune(world, 10, weight.Goal{Weights: map[string]float64{"Add": 3, "Num": 1}})
//
// The thesis of Mista (DRAGEN, sections 3 to 7 and appendix 2) is where the idea
// comes from; equations are cited beside the code that uses them. Its terms have
// a root of one type and two kinds of levels, those above 0 where everything may
// be chosen and level 0 where only terminals may. Package gen makes such terms
// when World.Depth is set.
//
// Entries of a map that have the same key are one entry in the end. Predictions
// count them all, so they are bounds from above for what lies in maps, and exact
// for everything else.
package weight

import "github.com/allele-go/allele/internal/value/schema"

// Expected is what the terms of a world are like on average.
type Expected struct {
	// Counts are how often each way to begin a term is chosen in one term, by
	// schema and in the order of Schema.Odds: constructors, then patterns.
	Counts [][]float64
	// Levels are the same for each generation: 0 is the root, the last is level 0.
	Levels [][][]float64
	// Down are how often each constructor is there, on its own or as part of a
	// pattern. What functions make of their arguments is not known.
	Down [][]float64
	// Cells is the size.
	Cells float64

	names names
}

// Predict says what the terms of w are like that are depth levels deep, with the
// odds of its schemas as they are.
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

// Named gives Counts by name: "Type.Constructor" or "Type.pattern".
func (e *Expected) Named() map[string]float64 {
	out := make(map[string]float64, len(e.names.all))
	for i, name := range e.names.all {
		at := e.names.at[i]
		out[name] = e.Counts[at.schema][at.way]
	}
	return out
}

// expand counts constructors inside patterns too: section 5.2 of the thesis,
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
