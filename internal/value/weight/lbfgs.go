package weight

import "math"

// Bounds of a descent.
const (
	memory    = 12  // latest steps that the curvature is estimated from
	tries     = 40  // lengths tried for one step
	firstStep = 1.0 // length of a step before the curvature is known

	enough = 1e-4 // fraction of the decrease predicted by the slope that must be reached (Armijo)
	less   = 0.9  // fraction of the slope that may remain; with more the step was too short (Wolfe)
	flat   = 1e-8 // a smaller decrease, relative to the value, counts as flat
	rests  = 3    // flat steps in a row that end the descent
)

// lbfgs minimises eval from x in place, until it is flat or after the given
// number of steps, and returns the value there. It is Nocedal's limited-memory
// BFGS: the last few steps and the changes of the gradient along them replace the
// matrix of second derivatives.
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
			d.steps, d.turns = nil, nil // the estimated curvature is bad: use the gradient alone
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

// step moves to a point with a smaller value, if there is one in its direction.
// It doubles and halves the length until both the decrease (Armijo) and the slope
// (Wolfe) are acceptable. The second condition also ensures that the step
// contains information about the curvature.
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

// direction returns minus the gradient times the estimated inverse of the matrix
// of second derivatives, by Nocedal's two loops.
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
