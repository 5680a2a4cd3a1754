//go:build go1.25 && !race

package hook

// move copies the hits in from, as far as there is room in to.
func move(to, from []uint32) { copy(to, from) }

// add appends the hits in from.
func add(to, from []uint32) []uint32 { return append(to, from...) }
