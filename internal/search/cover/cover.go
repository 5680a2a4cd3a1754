//go:build go1.25

// Package cover picks, from many cases, a few that together cover as much as all of them.
// A case is an input with its run.
//
// A case covers (shows) a set of numbers: the sites of its path, and the pairs of
// sites that follow each other in the path.
//
//	cs = append(cs, cover.Case{Shows: cover.Shows(run), Size: len(term)})
//	for _, i := range cover.Pick(cs, 0) { ... } // keep cs[i]
//
// A minimal set of cases cannot be found in reasonable time: this is the set cover
// problem. Pick is greedy and repeatedly takes the case that adds the most. If no
// case shows more than n numbers, Pick takes at most 1 + ln n times as many cases as
// needed (Chvátal 1979). No efficient algorithm is known to be much better.
package cover

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/allele-go/allele/internal/search/trace"
)

// Case describes a case that Pick can choose.
type Case struct {
	Shows []uint64 // the numbers that the case covers, each once
	Rank  int      // cases of lower rank are picked first; those of higher rank only add what is still missing
	Size  int      // size of the input; of two cases that add equally much, the smaller one is picked
}

// Pick returns the indices of cases that together show everything that any case
// shows. Within a rank the case that adds the most comes first, and every case adds
// something to those before it. Pick returns at most the given number of cases; 0
// means no limit.
func Pick(cases []Case, most int) (picked []int) {
	shows, all := dense(cases)
	covered := make([]bool, all)
	for _, rank := range ranks(cases) {
		l := &line{}
		for i, c := range cases {
			if c.Rank == rank {
				l.items = append(l.items, item{i, adds(shows[i], covered), c.Size})
			}
		}
		heap.Init(l)
		for len(l.items) > 0 && (most == 0 || len(picked) < most) {
			next := heap.Pop(l).(item)
			next.adds = adds(shows[next.index], covered)
			switch {
			case next.adds == 0: // drop the case: everything that it shows is covered
			case len(l.items) > 0 && l.items[0].compare(next) < 0:
				heap.Push(l, next)
			default:
				picked = append(picked, next.index)
				for _, x := range shows[next.index] {
					covered[x] = true
				}
			}
		}
	}
	return picked
}

// dense replaces the numbers in Shows by 0, 1, 2 and so on, so that they can be indices
// of a slice: a lookup in a slice takes a tenth of the time of a lookup in a map. all is
// how many different numbers there are.
func dense(cases []Case) (shows [][]uint32, all int) {
	numbers := map[uint64]uint32{}
	for _, c := range cases {
		own := make([]uint32, len(c.Shows))
		for i, x := range c.Shows {
			n, known := numbers[x]
			if !known {
				n = uint32(len(numbers))
				numbers[x] = n
			}
			own[i] = n
		}
		shows = append(shows, own)
	}
	return shows, len(numbers)
}

func ranks(cases []Case) (all []int) {
	for _, c := range cases {
		all = append(all, c.Rank)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func adds(shows []uint32, covered []bool) (n int) {
	for _, x := range shows {
		if !covered[x] {
			n++
		}
	}
	return n
}

// item is a case in the heap. adds is how many numbers that were not yet covered the case
// showed when they were last counted.
type item struct{ index, adds, size int }

func (a item) compare(b item) int {
	return cmp.Or(b.adds-a.adds, a.size-b.size, a.index-b.index)
}

// line is a heap with the most promising case first. What a case adds only ever
// decreases. So after the first case is recounted, it is enough to compare it with
// the next one: if it still comes before the next, it comes before all.
type line struct{ items []item }

func (l *line) Len() int           { return len(l.items) }
func (l *line) Less(i, j int) bool { return l.items[i].compare(l.items[j]) < 0 }
func (l *line) Swap(i, j int)      { l.items[i], l.items[j] = l.items[j], l.items[i] }
func (l *line) Push(x any)         { l.items = append(l.items, x.(item)) }

// Pop removes the last item, as package heap requires.
func (l *line) Pop() any {
	last := l.items[len(l.items)-1]
	l.items = l.items[:len(l.items)-1]
	return last
}

// ran is a number that every run shows, so that one case is picked even in a program
// without sites.
const ran = 1<<64 - 1

// Kills returns the numbers that a run covers that kills faults.
func Kills(faults []int) []uint64 {
	all := []uint64{ran}
	for _, f := range faults {
		all = append(all, uint64(f))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Shows returns the numbers that a run covers: its sites, and which site followed which.
// A run with goroutines has no reliable order, so it shows the sites alone.
func Shows(run trace.Run) []uint64 {
	all := []uint64{ran}
	var before uint64 // the previous site plus one, 0 if there is none
	for _, symbol := range run.Symbols {
		id, ok := trace.Site(symbol)
		if !ok {
			before = 0 // the sites in a folded stretch are not known
			continue
		}
		all = append(all, uint64(id))
		if !run.Set && before > 0 {
			all = append(all, before<<32|uint64(id))
		}
		before = uint64(id) + 1
	}
	slices.Sort(all)
	return slices.Compact(all)
}
