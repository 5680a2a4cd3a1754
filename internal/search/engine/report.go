//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/value/mutate"
)

// Report summarises a guided search.
type Report struct {
	Kept    int `json:"kept"`    // terms that showed something new
	Whole   int `json:"whole"`   // kept terms of which every one-step change was run
	Bounded int `json:"bounded"` // the same, but changes beyond a limit on size or number were left out
	Dropped int `json:"dropped"` // kept terms that were dropped: a queue was full or was emptied
	// Share is about the remaining kept terms: it is the average share of their places
	// where all changes were tried. It is negative if places are not tried one by one.
	Share float64     `json:"share"`
	Kinds []KindCount `json:"kinds"`
}

// KindCount counts the runs of terms of one kind, such as fresh terms.
type KindCount struct {
	Kind   string `json:"kind"`
	Tried  int    `json:"tried"`
	Passed int    `json:"passed"`
	New    int    `json:"new"`
	Failed int    `json:"failed"`
}

// lister is a way that tries the changes of kept terms one by one. At most one way of a schedule is a lister.
type lister interface {
	share() float64 // see Report.Share
}

// report returns a summary of the search.
func (g *search) report() Report {
	c := &g.with.counts
	r := Report{Kept: c.kept, Whole: c.whole, Bounded: c.bounded, Dropped: c.dropped}
	for _, w := range g.planner.all {
		if w, ok := w.(lister); ok {
			r.Share = w.share()
		}
	}
	names := slices.Concat(hows, mutate.Names())
	for i, k := range c.kinds {
		if k.tried > 0 {
			r.Kinds = append(r.Kinds, KindCount{Kind: names[i], Tried: k.tried, Passed: k.by[Passed], New: k.news, Failed: k.by[Failed]})
		}
	}
	return r
}
