//go:build go1.25 && !race

package allele

// runMark is a number that the goroutine of a series changes when a run begins and when it ends,
// so it is odd during a run. The goroutine that waits for the series reads it.
//
// The store is not atomic, because an atomic one would take a twentieth of the time of a fast
// run. It need not be: the number is read when it has not changed for a second. Under the race
// detector it is atomic, see mark_race.go.
type runMark struct{ n uint64 }

func (m *runMark) step() { m.n++ }

//go:noinline
func (m *runMark) read() uint64 { return m.n }
