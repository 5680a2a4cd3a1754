//go:build go1.25 && race

package hook

// In a build with the race detector, copy and append of a whole slice call a function of
// the runtime that reports both slices to the detector, also from a function with
// go:norace. So these functions copy one number after the other.

// move copies the hits in from, as far as there is room in to.
//
//go:norace
func move(to, from []uint32) {
	for i := range min(len(to), len(from)) {
		to[i] = from[i]
	}
}

// add appends the hits in from.
//
//go:norace
func add(to, from []uint32) []uint32 {
	for _, id := range from {
		to = append(to, id)
	}
	return to
}
