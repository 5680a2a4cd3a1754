package lab

import (
	"cmp"
	"math"
	"slices"
)

// Median returns the middle value of xs, or the mean of the two middle values.
func Median(xs []float64) float64 {
	return Quantile(xs, 0.5)
}

// Quantile returns the point below which a share q of xs lies. Between two values it
// interpolates linearly (type 7 of Hyndman and Fan, as in R and NumPy): with x sorted
// and h = (n-1)q the result is x[⌊h⌋] + (h-⌊h⌋)(x[⌊h⌋+1] - x[⌊h⌋]).
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 || q < 0 || q > 1 {
		panic("lab: quantile of an empty list, or q outside 0..1")
	}
	sorted := slices.Sorted(slices.Values(xs))
	h := float64(len(sorted)-1) * q
	low := int(h)
	if low == len(sorted)-1 {
		return sorted[low]
	}
	return sorted[low] + (h-float64(low))*(sorted[low+1]-sorted[low])
}

// A12 returns the effect size of Vargha and Delaney: the probability that a random
// value of xs is larger than a random value of ys, where a tie counts half,
//
//	A12 = (#{x > y} + #{x = y}/2) / (|xs| |ys|).
//
// 0.5 means no difference; by their convention 0.56, 0.64 and 0.71 are a small, a
// medium and a large difference. Unlike a mean it is hardly affected by one long
// trial.
func A12(xs, ys []float64) float64 {
	if len(xs) == 0 || len(ys) == 0 {
		panic("lab: effect size of an empty list")
	}
	var halves int // the sum in units of one half, so that it is exact
	for _, x := range xs {
		for _, y := range ys {
			halves += 1 + cmp.Compare(x, y)
		}
	}
	return float64(halves) / float64(2*len(xs)*len(ys))
}

// Needed returns what a trial needed to find what it is for, as a value for A12. What a trial
// would have needed that found nothing up to its cap is not known: Needed returns infinity. So all
// such trials are equal, and worse than every trial that found something.
func Needed(found bool, cost, cap float64) float64 {
	if !found || cost > cap {
		return math.Inf(1)
	}
	return cost
}

// Geomean returns the geometric mean, the mean for ratios: one half and two cancel
// out.
func Geomean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}

// Mean95 returns the mean of xs and half the width of its 95 % confidence interval:
// t s/√n, with s the standard deviation of the sample and t the 0.975 quantile of
// Student's distribution with n-1 degrees of freedom. For a single value the width is
// unknown, and Mean95 returns 0.
func Mean95(xs []float64) (mean, within float64) {
	if len(xs) == 0 {
		panic("lab: mean of an empty list")
	}
	n := float64(len(xs))
	for _, x := range xs {
		mean += x / n
	}
	if len(xs) == 1 {
		return mean, 0
	}
	squares := 0.0
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	return mean, student(len(xs)-1) * math.Sqrt(squares/(n-1)/n)
}

// students are the 0.975 quantiles of Student's distribution for 1, 2, 3 and so on
// degrees of freedom.
var students = []float64{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622}

// student returns the quantile from the table, or, for more degrees of freedom, the
// value of the Cornish-Fisher expansion, which is exact to four digits there.
func student(degrees int) float64 {
	if degrees <= len(students) {
		return students[degrees-1]
	}
	const z = 1.959964 // the 0.975 quantile of the normal distribution
	const z3, z5, z7 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z
	d := float64(degrees)
	return z + (z3+z)/(4*d) + (5*z5+16*z3+3*z)/(96*d*d) + (3*z7+19*z5+17*z3-15*z)/(384*d*d*d)
}
