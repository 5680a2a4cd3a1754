//go:build go1.25

package operand

import (
	"strings"
	"sync/atomic"
)

const (
	// ComparedMax is how many comparisons of one run are kept.
	ComparedMax = 1 << 12
	// perSite is how many comparisons at one place in the source are kept: a loop over
	// the letters of a text must not use up the room for all other places.
	perSite = 32
	// textMax is the maximum length of a recorded text in bytes. It bounds memory,
	// because the recorder keeps copies.
	textMax = 1 << 10
)

// Recorder stores the pairs of values that a run compares, each pair once, in the order
// of the run. Pairs of equal values are left out, because they suggest no new input.
//
// The program calls the recorder at every comparison, from any goroutine. If two
// goroutines call it at the same time, the second comparison is lost.
type Recorder struct {
	on   atomic.Bool
	busy atomic.Bool
	all  []Compared
	seen map[Compared]bool
	site map[uint]int // number of comparisons kept for each place
}

// Begin starts recording.
func (r *Recorder) Begin() {
	r.all, r.seen, r.site = nil, map[Compared]bool{}, map[uint]int{}
	r.on.Store(true)
}

// End stops recording and returns what was recorded.
func (r *Recorder) End() []Compared {
	r.on.Store(false)
	return r.all
}

// Number records a comparison of two numbers that are width bytes wide.
func (r *Recorder) Number(a, b uint64, width uint8, site uint) {
	if a != b {
		r.add(Compared{A: a, B: b, Width: width}, site)
	}
}

// Text records a comparison of two texts.
func (r *Recorder) Text(x, y string, site uint) {
	if x != y && len(x) <= textMax && len(y) <= textMax {
		r.add(Compared{Text: true, X: x, Y: y}, site)
	}
}

func (r *Recorder) add(c Compared, site uint) {
	if !r.on.Load() || !r.busy.CompareAndSwap(false, true) {
		return
	}
	if len(r.all) < ComparedMax && r.site[site] < perSite && !r.seen[c] {
		// Copy the texts, because they may be in memory that the program will overwrite.
		c.X, c.Y = strings.Clone(c.X), strings.Clone(c.Y)
		r.seen[c] = true
		r.site[site]++
		r.all = append(r.all, c)
	}
	r.busy.Store(false)
}
