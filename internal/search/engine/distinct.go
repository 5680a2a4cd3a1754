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

// sampled reports whether the nth distinct term is kept: the first terms are, for a search
// that has no others, and later ones ever more rarely.
func sampled(n int) bool { return n <= 4 || bits.OnesCount(uint(n)) == 1 }
