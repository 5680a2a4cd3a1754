//go:build go1.25

package engine

import (
	"math/bits"

	"github.com/allele-go/allele/internal/value/term"
)

// distinct counts the different terms that passed. A thousand runs of one term check as
// little as one run.
//
// The count is exact up to DistinctMax, then counting stops: a search with so many different
// terms is not vacuous. If few of many terms are different, counting does not stop by itself,
// so after distinctEach terms only one in distinctShare is counted.
type distinct struct {
	table   []uint64 // hashes, in a table with open addressing; 0 is a free place
	n       int      // hashes in the table
	offered int
	few     []term.Term // some of the terms, see sampled
}

const (
	// DistinctMax is where the count of distinct terms stops.
	DistinctMax   = 1 << 10
	distinctEach  = 1 << 14
	distinctShare = 1 << 4
	// tableMin is the first size of the table. Clearing a table for DistinctMax hashes would
	// cost a fast Check more than all its lookups.
	tableMin = 1 << 8
)

// add reports whether a term that passed is new.
func (d *distinct) add(t term.Term) bool {
	if d.offered++; d.offered > distinctEach && d.offered%distinctShare != 0 {
		return false
	}
	if 2*d.n >= len(d.table) {
		d.grow()
	}
	return d.put(max(1, term.Hash(t)))
}

// put adds a hash to the table, in which at least one place is free, and reports whether it
// is new.
func (d *distinct) put(h uint64) bool {
	mask := uint64(len(d.table) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		switch d.table[at] {
		case h:
			return false
		case 0:
			d.table[at] = h
			d.n++
			return true
		}
	}
}

// grow doubles the table, so that at most half of it is in use.
func (d *distinct) grow() {
	old := d.table
	d.table, d.n = make([]uint64, max(tableMin, 2*len(old))), 0
	for _, h := range old {
		if h != 0 {
			d.put(h)
		}
	}
}

// count counts a term that passed, unless enough distinct terms are known.
func (e *Engine) count(t term.Term) {
	if e.Distinct >= DistinctMax || e.config.Uncounted || !e.distinct.add(t) {
		return
	}
	if e.Distinct++; sampled(e.Distinct) {
		e.distinct.few = append(e.distinct.few, t.Clone())
	}
}

// sampled reports whether the nth distinct term is kept: the first terms are, for a search
// that has no others, and later ones ever more rarely.
func sampled(n int) bool { return n <= 4 || bits.OnesCount(uint(n)) == 1 }

// AtLeast reports whether there may be more distinct terms than Distinct says.
func (e *Engine) AtLeast() bool {
	return e.Distinct >= DistinctMax || e.distinct.offered > distinctEach
}

// Same returns the term of all passed runs, if all of them had terms for the same value.
// equal compares the values of terms; it is called for types with builders, which may return
// the same value for different arguments, or with declared values, which may be equal. If there
// are many distinct terms, only a sample of them is compared.
func (e *Engine) Same(equal func(x, y term.Term) bool) (x term.Term, same bool) {
	sample, w := e.distinct.few, e.config.World
	if len(sample) == 0 {
		return nil, false
	}
	x = sample[0]
	for _, y := range sample[1:] {
		if !term.Equal(w.Canonical(x), w.Canonical(y)) && !(w.Alike() && equal(x, y)) {
			return nil, false
		}
	}
	return x, true
}

// A search whose passed runs all had the same term goes on until sameMin runs have passed,
// however few were requested: only then is it unlikely to be chance.
const sameMin = 20

// same reports whether the search may have seen one term only by chance.
func (e *Engine) same() bool {
	return e.Distinct == 1 && e.config.Tests > 1 && e.Passed < sameMin
}

// A search that has made all its runs is close if the terms that passed are between two
// thirds and three halves of a tenth of the requested ones, where a Check becomes vacuous.
// Unless Config.Exact is set, it makes up to closeTimes as many runs, so that its verdict
// depends less on the seed.
const closeTimes = 4

func (e *Engine) close() bool {
	if e.config.Exact {
		return false
	}
	border := e.config.Tests * e.Runs / (10 * e.config.Runs)
	return e.Runs < closeTimes*e.config.Runs && 3*e.Passed >= 2*border && 2*e.Passed <= 3*border && border >= closeMin
}

// closeMin is the least border at which more runs are worthwhile: a Check with few tests is
// not meant to be precise.
const closeMin = 10

// Stopped reports whether Stop was called.
func (e *Engine) Stopped() bool { return e.stop.Load() }
