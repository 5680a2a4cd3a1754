//go:build go1.25

package engine

import (
	"sync/atomic"

	"github.com/allele-go/allele/internal/value/term"
)

// Current is the term of the current run. Any goroutine may call Lost.
type Current struct {
	numbered numbered
	term     term.Term
	run      word                      // runs started
	size     word                      // size of the current term
	grown    atomic.Pointer[term.Term] // the current term, if it cannot be made again from the number of its run
	heads    [2]term.Term              // grown points to one of these, alternately
	flip     bool
}

// begin starts a run and returns its number, counted from 0.
func (c *Current) begin() uint64 {
	run := uint64(c.run.get())
	c.run.set(uintptr(run + 1))
	c.numbered.cells = c.numbered.after(c.numbered.cells)
	c.size.set(uintptr(c.numbered.cells))
	return run
}

// fresh makes the term of a run from its number.
func (c *Current) fresh(run uint64) term.Term {
	if c.grown.Load() != nil {
		c.grown.Store(nil)
	}
	c.term = c.numbered.make(run)
	return c.term
}

// own stores a term that cannot be made again from the number of its run. Nothing writes to the memory of
// the term before the run is over.
func (c *Current) own(t term.Term) {
	c.term = t
	c.flip = !c.flip
	head := &c.heads[0]
	if c.flip {
		head = &c.heads[1]
	}
	*head = t
	c.grown.Store(head)
}

// Term returns the term of the current run.
func (c *Current) Term() term.Term { return c.term }

// Fresh reports whether Again can make the current term. It is false for terms that depend
// on earlier runs.
func (c *Current) Fresh() bool { return c.grown.Load() == nil }

// Again makes the fresh term of a run of this search, or of one with the same Config.
func (c *Current) Again(run int) term.Term {
	cells := 0
	for range run {
		cells = c.numbered.after(cells)
	}
	return c.numbered.again(uint64(run-1), cells)
}

// Lost returns the term of the run that was started last. It is called if that run does
// not end. Any goroutine may call it: the term is made again, or copied from memory
// that is not written to during the run.
func (c *Current) Lost() term.Term {
	run := uint64(c.run.get())
	if t := c.grown.Load(); t != nil {
		return copied(*t)
	}
	return c.numbered.again(run-1, int(c.size.get()))
}

// copied copies a term. No goroutine writes to the term, because its run has not ended.
//
//go:norace
func copied(t term.Term) term.Term {
	out := make(term.Term, len(t))
	for i := range t {
		out[i] = t[i]
	}
	return out
}

// word is a number that one goroutine writes and another may read at any time.
//
// An atomic store would cost a tenth of a fast run. A plain store is enough: the number
// is read once, when its run has been hanging for a long time, and the Go memory model
// guarantees that reading a word returns a value that was written. norace exempts the
// accesses from the race detector.
type word struct{ x uintptr }

//go:norace
func (w *word) set(x uintptr) { w.x = x }

//go:norace
func (w *word) get() uintptr { return w.x }
