//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/term"

// Batch is the mutants of one parent that are still to be made. It belongs to the
// mutator that made it. Another mutator may go on with it if it has the same
// configuration and starts no batches of its own. A batch may be copied to another
// variable, as in a queue. The parent must not change, so it must not lie in the
// mutator's memory.
type Batch struct {
	// TooLarge counts mutants omitted because of UnitsMax, and WaysCut those omitted
	// because of WaysMax. If both are 0, no mutant was omitted.
	TooLarge, WaysCut uint32

	parent        term.Term
	seed          uint64
	id            uint64
	place, at     uint32
	samples, size uint16
	spent         bool
	late          *late
}

// late has the deferred places of a batch (tail), and the places that were deferred
// earlier and are now enumerated after Revive (live).
type late struct{ tail, live []stop }

// stop is a place of a batch and how many of its candidates are done.
type stop struct{ place, at uint32 }

// Parent returns the term whose mutants the batch makes.
func (b *Batch) Parent() term.Term { return b.parent }

// Exhausted reports whether every mutant was made, deferred ones included.
func (b *Batch) Exhausted() bool { return b.spent && !b.Deferred() }

// Share returns the fraction of places that are done. Deferred places do not count
// as done.
func (b *Batch) Share() float64 {
	if b.spent && !b.Deferred() {
		return 1
	}
	all, done := 0, int(b.place)
	for range b.parent.Nodes() {
		all += 2
	}
	if b.spent || b.revived() {
		done = all
	}
	if b.late != nil {
		done -= len(b.late.tail) + len(b.late.live)
	}
	return max(0, min(1, float64(done)/float64(max(1, all))))
}

// Deferred reports whether there are mutants that Next makes only after Revive.
func (b *Batch) Deferred() bool { return b.late != nil && len(b.late.tail) > 0 }

// Defer undoes the latest call of Next: it moves that mutant and all further mutants
// of its place to the end of the batch. Call it right after Next.
func (b *Batch) Defer() {
	b.leave(stop{b.place, max(1, b.at) - 1})
	b.advance()
}

func (b *Batch) leave(s stop) {
	if b.late == nil {
		b.late = &late{}
	}
	b.late.tail = append(b.late.tail, s)
}

// Revive lets Next make the deferred mutants. It has no effect before Next has made
// all other mutants.
func (b *Batch) Revive() {
	if !b.spent || !b.Deferred() {
		return
	}
	b.late.live, b.late.tail = b.late.tail, nil
	b.place, b.at, b.spent = b.late.live[0].place, b.late.live[0].at, false
}

// revived reports whether the current place was deferred before.
func (b *Batch) revived() bool { return b.late != nil && len(b.late.live) > 0 }

// advance moves to the next place.
func (b *Batch) advance() {
	if !b.revived() {
		b.place, b.at = b.place+1, 0
		return
	}
	b.late.live = b.late.live[1:]
	if len(b.late.live) == 0 {
		b.late.live, b.spent = nil, true
		return
	}
	b.place, b.at = b.late.live[0].place, b.late.live[0].at
}

// plain reports whether a place is for plain mutants. Each position has two places:
// the first for its mirrored mutants, the second for its plain ones. The number of a
// place is twice the number of the position, plus one if it is for plain mutants.
func plain(place uint32) bool { return place&1 == 1 }
