//go:build go1.25

package weight

import "math"

// Parameters of a descent.
const (
	memory    = 12  // the curvature is estimated from so many latest steps
	tries     = 40  // number of lengths tried for one step
	firstStep = 1.0 // length of a step before the curvature is known

	enough = 1e-4 // a step must reach this fraction of the decrease that the slope predicts (Armijo)
	less   = 0.9  // if a larger fraction of the slope remains, the step was too short (Wolfe)
	flat   = 1e-8 // a step is flat if it decreases the value by a smaller fraction than this
	rests  = 3    // the descent ends after so many flat steps in a row
)

// lbfgs minimises eval, starting at x. It overwrites x with the best point and
// returns the value of eval there. It stops when the value no longer decreases, or
// after the given number of steps. The method is Nocedal's limited-memory BFGS,
// which estimates the second derivatives from the last few steps and from the change
// of the gradient along each of these steps.
func lbfgs(x []float64, steps int, eval func(x, grad []float64) float64) float64 {
	d := descent{x: x, eval: eval, grad: make([]float64, len(x)), next: make([]float64, len(x)), nextGrad: make([]float64, len(x))}
	d.f = eval(x, d.grad)
	still := 0
	for range steps {
		before := d.f
		if !d.step() {
			if d.steps == nil {
				break
			}
			d.steps, d.turns = nil, nil // the estimated curvature is bad: forget it and continue with the gradient alone
			continue
		}
		if still++; before-d.f > flat*max(1, math.Abs(before)) {
			still = 0
		}
		if still == rests {
			break
		}
	}
	return d.f
}

type descent struct {
	eval                    func(x, grad []float64) float64
	f                       float64
	x, grad, next, nextGrad []float64
	steps, turns            [][]float64 // the latest steps, and the change of the gradient along each
}

// step moves to a point with a smaller value in the direction of descent. It reports
// false if it finds none. It doubles the length of the step or bisects until both
// the decrease (Armijo) and the slope (Wolfe) are acceptable. The second condition
// also ensures that the step has information about the curvature.
func (d *descent) step() bool {
	dir := direction(d.grad, d.steps, d.turns)
	slope := inner(dir, d.grad)
	if !(slope < 0) {
		return false
	}
	low, high, length := 0.0, math.Inf(1), 1.0
	f, found := 0.0, false
	for range tries {
		for i := range d.x {
			d.next[i] = d.x[i] + length*dir[i]
		}
		f = d.eval(d.next, d.nextGrad)
		if !(f <= d.f+enough*length*slope) {
			high, found = length, false
		} else if low, found = length, true; inner(dir, d.nextGrad) >= less*slope {
			break
		}
		if length = (low + high) / 2; math.IsInf(high, 1) {
			length = 2 * low
		}
	}
	if !found {
		return false
	}
	step, turn := minus(d.next, d.x), minus(d.nextGrad, d.grad)
	if inner(step, turn) > 0 {
		d.steps, d.turns = append(d.steps, step), append(d.turns, turn)
	}
	if len(d.steps) > memory {
		d.steps, d.turns = d.steps[1:], d.turns[1:]
	}
	copy(d.x, d.next)
	copy(d.grad, d.nextGrad)
	d.f = f
	return true
}

// direction returns the direction of descent: the negative gradient, multiplied by
// an estimate of the inverse Hessian (Nocedal's two-loop recursion).
func direction(grad []float64, steps, turns [][]float64) []float64 {
	dir := make([]float64, len(grad))
	for i := range grad {
		dir[i] = -grad[i]
	}
	if len(steps) == 0 {
		if long := math.Sqrt(inner(grad, grad)); long > 0 {
			scaleBy(dir, firstStep/long)
		}
		return dir
	}
	share := make([]float64, len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		share[k] = inner(steps[k], dir) / inner(steps[k], turns[k])
		addTimes(dir, turns[k], -share[k])
	}
	last := len(steps) - 1
	scaleBy(dir, inner(steps[last], turns[last])/inner(turns[last], turns[last]))
	for k := range steps {
		back := inner(turns[k], dir) / inner(steps[k], turns[k])
		addTimes(dir, steps[k], share[k]-back)
	}
	return dir
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

func scaleBy(a []float64, by float64) {
	for i := range a {
		a[i] *= by
	}
}

func addTimes(a, b []float64, by float64) {
	for i := range a {
		a[i] += by * b[i]
	}
}
