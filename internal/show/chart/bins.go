//go:build go1.25

package chart

import (
	"fmt"

	"github.com/allele-go/allele/internal/proc/dist"
)

// histogram is a histogram of all views over the same ranges.
type histogram struct {
	ranges []span
	shares [][]float64 // shares[v][r] is the share of the inputs of view v that are in range r
}

// span is a range of numbers, both ends included.
type span struct{ from, to int }

func (s span) String() string {
	if s.from == s.to {
		return fmt.Sprint(s.from)
	}
	return fmt.Sprintf("%d-%d", s.from, s.to)
}

// rangesMost is the maximal number of lines of a histogram. Ranges that double in width
// need no more lines even if the largest input is tens of thousands of times as large
// as the smallest.
const rangesMost = 16

// exact is the number below which each value has a bin of its own. So ranges below it
// may have any width. Ranges above it must be whole doublings (64 to 127, 128 to 255
// and so on).
const exact = 64

// gather puts the bins of all views into common ranges.
func gather(views []dist.View, of func(dist.View) []dist.Bin) histogram {
	largest, least := 0, int(^uint(0)>>1)
	for _, v := range views {
		for _, b := range of(v) {
			largest, least = max(largest, b.To), min(least, b.From)
		}
	}
	h := histogram{ranges: ranges(least, largest)}
	for _, v := range views {
		share := make([]float64, len(h.ranges))
		for _, b := range of(v) {
			for i, r := range h.ranges {
				if b.From >= r.from && b.From <= r.to {
					share[i] += float64(b.Inputs) / float64(v.Inputs)
				}
			}
		}
		h.shares = append(h.shares, share)
	}
	return h
}

// ranges divides least to largest into equal ranges, or, if these would be too
// many, into ranges that double in width.
func ranges(least, largest int) (all []span) {
	for _, width := range []int{1, 2, 4, 5} {
		from := least / width * width
		if largest >= exact || (largest-from)/width >= rangesMost {
			continue
		}
		for ; from <= largest; from += width {
			all = append(all, span{from, min(from+width-1, largest)})
		}
		return all
	}
	for from, to := 0, 0; from <= largest; from, to = to+1, 2*to+1 {
		if to >= least {
			all = append(all, span{from, to})
		}
	}
	return all
}
