// Package cover picks a few cases that together show all that many show.
//
// What a case shows is a set of numbers: the sites of its path and the pairs of
// sites that follow each other in it.
//
//	cs = append(cs, cover.Case{Shows: cover.Shows(run), Size: len(term)})
//	for _, i := range cover.Pick(cs, 0) { ... } // keep cs[i]
//
// The fewest cases cannot be found in reasonable time: it is the set cover
// problem. Pick is greedy, it takes the case that adds most, again and again. If n
// is the most that one case shows, it takes at most 1 + ln n times as many as
// needed (Chvátal 1979), and no efficient way is known to be much better.
package cover

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/allele-go/allele/internal/search/trace"
)

// Case is a case to pick from.
type Case struct {
	Shows []uint64 // distinct
	Rank  int      // what cases of a lower rank show is covered by them alone
	Size  int      // of two that add the same, the smaller one is taken
}

// Pick gives the indices of cases that show all that is shown, the one that adds
// most first, and within a rank each adds something to those before it. At most
// so many are taken; 0 stands for as many as it takes.
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
			case next.adds == 0: // now, and so for ever
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

// dense numbers what is shown from 0 up: to look something up in a slice takes a
// tenth of the time that a map takes.
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

// item is a case in line, with what it added when that was last counted.
type item struct{ index, adds, size int }

func (a item) compare(b item) int {
	return cmp.Or(b.adds-a.adds, a.size-b.size, a.index-b.index)
}

// line has the most promising case first. What a case adds only ever becomes
// less, so the first one need not be compared with others than the next: if it
// comes before that with its number counted anew, it comes before all.
type line struct{ items []item }

func (l *line) Len() int           { return len(l.items) }
func (l *line) Less(i, j int) bool { return l.items[i].compare(l.items[j]) < 0 }
func (l *line) Swap(i, j int)      { l.items[i], l.items[j] = l.items[j], l.items[i] }
func (l *line) Push(x any)         { l.items = append(l.items, x.(item)) }

// Pop takes the last one, as package heap wants it.
func (l *line) Pop() any {
	last := l.items[len(l.items)-1]
	l.items = l.items[:len(l.items)-1]
	return last
}

// ran is what every run shows: one is picked also in a program without sites.
const ran = 1<<64 - 1

// Shows is what a run has shown: its sites, and which one came behind which. A run
// with goroutines has no sure order, so there it is the sites alone.
func Shows(run trace.Run) []uint64 {
	all := []uint64{ran}
	var before uint64 // the site before and one, 0 if there is none
	for _, symbol := range run.Symbols {
		id, ok := trace.Site(symbol)
		if !ok {
			before = 0 // a stretch that was too long to be kept
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
