//go:build go1.25

package gen

// Chances returns the probabilities of draws from an alias table, for uniform
// random numbers.
func Chances(odds []float64) []float64 {
	a := newAlias(odds)
	got, n := make([]float64, len(odds)), float64(len(a.keep))
	for i, keep := range a.keep {
		own := float64(keep) / (1 << 64)
		got[a.ways[i]] += own / n
		got[a.ways[a.to[i]]] += (1 - own) / n
	}
	return got
}
