//go:build go1.25

package worker

import (
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/value/term"
)

// The slice of an encoder is the places whose values flow into the bytes that it writes, by
// data alone. A changed value at such a place changes the bytes, and nothing else: the encoder takes
// the same steps. A place that also decides what the encoder does, such as the condition of a loop, is
// outside of the slice. So one run with a fault tells, and no analysis of the program is needed. What is
// known about a place is kept, so the slice grows with every value, as the cumulative dynamic slice of
// the MutaGen paper does.
//
// The paper makes only the faults in the slice. Here they only come first: a fault that changes what
// the encoder does makes bytes that are wrong in other ways.

// What a choice may say.
const (
	sliceFirst  = ""       // faults in the slice come first
	sliceFilter = "filter" // others are left out, as in the paper
	sliceNone   = "none"   // the slice is not computed
)

// slicedTries is how often a place is tried that is not in the slice so far.
const slicedTries = 4

// slicer is the part of an encoding that knows the slice.
type slicer struct {
	known  map[place]bool // places in the slice
	tried  map[place]int  // how often others have been tried
	sliced int            // how many of the faults of the current value are
}

// place is a place with faults.
type place struct {
	pkg  string
	site int
}

// slice orders the faults of a value by the slice.
func (e *encoding) slice(t term.Term) {
	e.sliced = 0
	if e.choice.Slice == sliceNone {
		return
	}
	if e.known == nil {
		e.known, e.tried = map[place]bool{}, map[place]int{}
	}
	in := func(f made) bool { return e.known[place{f.Package, f.Site}] }
	for _, f := range e.faults {
		if at := (place{f.Package, f.Site}); !e.known[at] && e.tried[at] < slicedTries {
			e.tried[at]++
			e.known[at] = e.flows(t, f)
		}
	}
	first := slices.DeleteFunc(slices.Clone(e.faults), func(f made) bool { return !in(f) })
	if e.sliced = len(first); e.choice.Slice != sliceFilter {
		first = append(first, slices.DeleteFunc(slices.Clone(e.faults), in)...)
	}
	e.faults = first
}

// flows reports whether the value at the place of a fault flows into the bytes.
func (e *encoding) flows(t term.Term, f made) bool {
	if slices.ContainsFunc(e.skip, f.sameFault) {
		return false
	}
	for f.K = range 2 { // always on, and in the first evaluation only
		b, how := e.run(t, e.budget(), &f)
		if how == ran && hook.Hits() == e.steps && string(b) != string(e.honest) {
			return true
		}
	}
	return false
}
