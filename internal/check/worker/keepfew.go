//go:build go1.25

package worker

import (
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/cover"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/store/corpus"
)

// A long search finds ever more inputs with new paths, and a resumed search runs all saved inputs
// again. So a corpus has a limit. When it is reached, the keeper does what allele corpus min does: it
// picks a few inputs that reach everything that all of them reach, and drops the others. The search
// itself still has those.

// savedCase is what the keeper knows about an input in the corpus.
type savedCase struct {
	id      string
	verdict event.Verdict
	size    int
	shows   []uint64
	fixed   bool // it stays: faults show what it is good for, not paths
}

// remember adds a case of the corpus to those that reduce chooses from.
func (k *keeper) remember(e corpus.Entry, run trace.Run, fixed bool) {
	k.cases = append(k.cases, savedCase{id: e.ID(), verdict: e.Verdict, size: len(e.Input), shows: cover.Shows(run), fixed: fixed})
}

// worthwhile is the share of the cases that reduce must drop: one in so many. Otherwise
// most cases are needed, and the corpus stays full.
const worthwhile = 4

// reduce drops cases that are not needed from the corpus, and reports whether there is room now.
// Cases that other processes are writing stay.
func (k *keeper) reduce() bool {
	if k.needed {
		return false
	}
	drop := unneeded(k.cases)
	if k.needed = len(drop)*worthwhile < len(k.cases); k.needed {
		return false
	}
	folder, p := k.search.Prop.Job.Corpus, k.search.Prop
	k.ran(true)
	err := k.writer.Close()
	if err == nil {
		err = corpus.Compact(folder, func(e corpus.Entry) bool { return !drop[e.ID()] })
	}
	var fails error
	if k.writer, fails = corpus.Create(folder, p.Place.Tested(), p.Name); fails != nil {
		k.writer, err = nil, fails
	}
	if err != nil {
		k.needed = true // not again
		if k.trouble == "" {
			k.trouble = err.Error()
		}
		return false
	}
	k.stored = [2]int{}
	left := k.cases[:0]
	for _, c := range k.cases {
		if !drop[c.id] {
			left = append(left, c)
			k.stored[which(c.verdict)]++
		}
	}
	k.cases = left
	return true
}

// shorten drops the cases that no search runs again, if there are many. Searches that begin from
// scratch leave them, since they save cases beside those of earlier searches, and so do several
// workers.
func (k *keeper) shorten(folder string, all, some []corpus.Entry) {
	if len(all)-len(some) < rareMax {
		return
	}
	keep := map[string]bool{}
	for _, e := range some {
		keep[e.ID()] = true
	}
	if err := corpus.Compact(folder, func(e corpus.Entry) bool { return keep[e.ID()] }); err != nil {
		k.trouble = err.Error()
	}
}

// unneeded returns the IDs of cases that reach nothing that the others do not reach.
func unneeded(all []savedCase) map[string]bool {
	const first, passed, discarded = -1, 0, 1
	drop := map[string]bool{}
	var pool []cover.Case
	for _, c := range all {
		rank := discarded
		if c.verdict == event.Passed {
			rank = passed
		}
		if c.fixed {
			rank = first
		} else {
			drop[c.id] = true
		}
		pool = append(pool, cover.Case{Shows: c.shows, Rank: rank, Size: c.size})
	}
	for _, i := range cover.Pick(pool, 0) {
		delete(drop, all[i].id)
	}
	return drop
}
