//go:build go1.25

package weight

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
)

// Slope returns the function that the search minimises, with its gradient, and
// the number of logits.
func Slope(w *schema.World, depth int, g Goal) (eval func(x, grad []float64) float64, n int) {
	m := newModel(NewPlan(w), depth)
	t, err := m.target(g)
	if err != nil {
		panic(err)
	}
	s := m.newSearch(t)
	return s.eval, s.size()
}

// SizeSlope returns the expected size as a function of logits, with its gradient.
func SizeSlope(w *schema.World, depth int) (eval func(x, grad []float64) float64, n int) {
	m := newModel(NewPlan(w), depth)
	t, _ := m.target(Goal{})
	s := m.newSearch(t)
	return func(x, grad []float64) float64 {
		s.set(x)
		m.forward()
		m.zeros()
		clear(s.slopes.counts)
		s.slopes.cells = 1
		m.backward(s.slopes)
		s.down(1, grad)
		return m.cells()
	}, s.size()
}

// Most returns the largest expected size that any odds give.
func Most(w *schema.World, depth int) float64 {
	eval, n := SizeSlope(w, depth)
	return math.Exp(-lbfgs(make([]float64, n), stepsMax, func(x, grad []float64) float64 {
		f := eval(x, grad)
		scaleBy(grad, -1/f)
		return -math.Log(f)
	}))
}
