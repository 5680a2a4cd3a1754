//go:build go1.25

package worker

import (
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/term"
)

// The slice of an encoder is the places whose values flow into the bytes that it writes, by
// data alone. A changed value at such a place changes the bytes, and nothing else: the encoder takes
// the same steps. A place that also decides what the encoder does, such as the condition of a loop, is
// outside of the slice. So one run with a fault tells, and no analysis of the program is needed. What runs
// have shown about a place is kept, so the slice grows with every value, as the cumulative dynamic slice of
// the MutaGen paper does.
//
// The paper makes only the faults in the slice. Here they only come first: a fault that changes what
// the encoder does makes bytes that are wrong in other ways.

// What job.Encoder may say about the slice.
const (
	sliceFirst  = ""       // faults in the slice come first
	sliceFilter = "filter" // others are left out, as in the paper
	sliceNone   = "none"   // the slice is not computed
)

// slicer is the part of an encoding that chooses faults and knows the slice.
type slicer struct {
	choice  job.Encoder
	list    string           // file with the list of faults
	numbers map[place][8]int // Number of the variants at each place; nil if it was not needed
	known   map[place]bool   // whether a place is in the slice, for those that have been looked at
}

// choose sets which faults are made.
func (s *slicer) choose(c job.Encoder) {
	s.choice = c
	if c.Paper && s.numbers == nil {
		s.numbers = numbers(faultList(s.list))
	}
}

// numbers returns the numbers of the operators of faults.
func numbers(list []listedFault) map[place][8]int {
	all := map[place][8]int{}
	for _, f := range list {
		at := all[place{f.Package, f.Site}]
		if f.Variant >= 0 && f.Variant < len(at) {
			at[f.Variant] = f.Number
		}
		all[place{f.Package, f.Site}] = at
	}
	return all
}

// place is a place with faults.
type place struct {
	pkg  string
	site int
}

func (s *slicer) inSlice(f made) bool { return s.known[place{f.Package, f.Site}] }

// slice moves faults to the front whose places are known to be in the slice.
func (e *encoding) slice() {
	if e.known == nil {
		e.known = map[place]bool{}
	}
	if e.choice.Slice == sliceNone {
		return
	}
	first := slices.DeleteFunc(slices.Clone(e.faults), func(f made) bool { return !e.inSlice(f) })
	e.faults = append(first, slices.DeleteFunc(slices.Clone(e.faults), e.inSlice)...)
}

// learn takes from a run with a fault whether its place is in the slice.
func (e *encoding) learn(f made, b []byte, how ending) {
	at := place{f.Package, f.Site}
	e.known[at] = e.known[at] || how == ran && hook.Hits() == e.steps && string(b) != string(e.honest)
}

// flows reports whether the value at the place of a fault flows into the bytes. It finds out by trying all
// faults of the place, always on, and in the first evaluation only.
func (e *encoding) flows(t term.Term, f made, a *encodeAnswer) bool {
	at := place{f.Package, f.Site}
	if in, looked := e.known[at]; looked {
		return in
	}
	e.known[at] = false
	for _, x := range e.faults {
		if x.Package != f.Package || x.Site != f.Site || slices.ContainsFunc(e.skip, x.sameFault) {
			continue
		}
		for x.K = range 2 {
			b, how := e.run(t, e.budget(), &x)
			a.Steps += hook.Hits()
			if e.learn(x, b, how); e.known[at] {
				return true
			}
		}
	}
	return false
}
