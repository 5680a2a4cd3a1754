//go:build go1.25

// Package outside holds what the current run has reached in programs that are not part of
// this process.
//
//	outside.Begin()                       // trace: a run of the property begins
//	run, ok := outside.Current()          // program: before it starts a process
//	outside.Add(run, program, places)     // program: when the process has ended
//	places = outside.End(places[:0])      // trace: the run is over
//
// A run may use several programs, also at the same time. The result is the union of what they
// reached. A process that outlives its run, because the run was abandoned, adds nothing to the
// next one.
//
// A place is a number from First up: an edge of the program, a site, or a hash of something
// that it printed. The bits from Shift up are the bucket of its hit count.
package outside

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/allele-go/allele/internal/hook"
)

const (
	// Count is how many places there are.
	Count = hook.CountsMax
	// First is the first number of a place. The numbers below are sites of this process.
	First = hook.Sites - Count
	// Shift is the position of the bucket.
	Shift = 26
)

var (
	// current is the number of the run. It is odd while the run is recorded. Begin and End are
	// called for every run, so they take the lock only if something was added.
	current atomic.Uint64
	added   atomic.Bool

	mu      sync.Mutex // guards the rest
	reached []uint32
	early   []uint32 // by a process that was stopped early
)

// Begin starts to record a run.
func Begin() {
	current.Store(current.Load() + 1 | 1)
	if added.Load() { // by a run without an End
		take(nil)
	}
}

// End appends the places that the run has reached to a slice, in rising order and each once. It
// ends the recording.
func End(to []uint32) []uint32 {
	current.Store((current.Load() + 1) &^ 1)
	if !added.Load() {
		return to
	}
	return take(to)
}

func take(to []uint32) []uint32 {
	mu.Lock()
	defer mu.Unlock()
	if len(reached) == 0 {
		reached, early = early, reached
	}
	to = append(to, reached...)
	reached, early = reached[:0], early[:0]
	added.Store(false)
	return to
}

// Current returns the number of the current run, and whether it is recorded.
func Current() (run uint64, ok bool) {
	run = current.Load()
	return run, run%2 == 1
}

// Add adds places that a program has reached in a run, in rising order. Places of different
// programs are different; the program is a small number.
func Add(run uint64, program int, places []uint32) {
	mu.Lock()
	defer mu.Unlock()
	if run != current.Load() || len(places) == 0 {
		return
	}
	reached = join(reached, program, places)
	added.Store(true)
}

// AddEarly is Add for a process that was stopped before its time was up, and may be started again. It counts only if no
// other process of the run has ended: how far it came depends on how busy the machine is.
func AddEarly(run uint64, program int, places []uint32) {
	mu.Lock()
	defer mu.Unlock()
	if run != current.Load() || len(places) == 0 {
		return
	}
	early = join(early[:0], program, places)
	added.Store(true)
}

// join adds the places of a program to others.
func join(to []uint32, program int, places []uint32) []uint32 {
	before := len(to)
	to = append(to, places...)
	if program > 0 {
		move(to[before:], program)
	}
	if program > 0 || before > 0 { // with one program and one process, all is in order
		to = union(to)
	}
	return to
}

// spread is the distance between the first places of two programs. Multiples of it, modulo
// Count, are far apart: it is Count divided by the golden ratio.
const spread = 0x13c6ef

// move moves the places of a program to numbers of its own.
func move(places []uint32, program int) {
	for i, p := range places {
		n := Place(p) - First
		places[i] = p&^(1<<Shift-1) | (First + (n+uint32(program)*spread)%Count)
	}
}

// union sorts places, and keeps the highest bucket of each.
func union(places []uint32) []uint32 {
	slices.SortFunc(places, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(Place(a), Place(b)), cmp.Compare(b, a))
	})
	return slices.CompactFunc(places, func(a, b uint32) bool { return Place(a) == Place(b) })
}

// Place returns a place without the bucket of its hit count.
func Place(p uint32) uint32 { return p & (1<<Shift - 1) }
