//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// This file has what the parts of a search tell each other about a term: where it comes from, what its run has
// shown, and whether it is kept.

// outcome is a term that was run, where it came from, and what its run has shown.
type outcome struct {
	term    term.Term
	from    origin
	verdict Verdict
	run     trace.Run
	news    news
}

// fresh reports whether the way fresh has made the term.
func (o *outcome) fresh() bool { return o.from.how == howFresh }

// passed reports whether the run passed.
func (o *outcome) passed() bool { return o.verdict == Passed }

// origin describes where a term comes from.
type origin struct {
	how    how
	parent *kept // nil if the term is not a change of a kept term
	kind   mutate.Kind
	key    uint64 // place of the change, see places.go; 0 if there is none
	repair repair // what was done about values that fit: see fits.go
}

// repair says what was done to a term that could be repaired.
type repair uint8

const (
	unrepaired repair = iota // there was nothing to do
	leftAlone
	repaired
)

// kept is a term whose run showed something new.
type kept struct {
	id       int // counted from 1; 0 for a term of another search
	batch    mutate.Batch
	compared []operand.Compared // comparisons with parts of the term
	passed   bool
	counted  bool  // all its mutants were run, and the report has counted it
	late     bool  // all mutants but deferred ones were made
	unasked  bool  // compared has not been requested yet: that happens before the first change
	given    bool  // it is from the user or from an earlier search, and is kept whatever it shows
	chain    int   // how many further steps of mutation are allowed
	length   int   // length of its trace
	steps    int64 // that its run took; 0 if that is not known
	prio     int
	edges    bool    // its run has shown a new edge
	source   *Source // of given bytes
}

// term returns the kept term. It must not be changed.
func (k *kept) term() term.Term { return k.batch.Parent() }

// Kept identifies a term that the search keeps. The zero value identifies none.
type Kept struct{ k *kept }

// Term returns the term. It must not be changed.
func (k Kept) Term() term.Term { return k.k.term() }

// Passed reports whether the run of the term passed.
func (k Kept) Passed() bool { return k.k.passed }

// Given reports whether the term is from the user or from an earlier search.
func (k Kept) Given() bool { return k.k.given }

// Any reports whether there is such a term.
func (k Kept) Any() bool { return k.k != nil }

// isRaw reports whether the term of a world with an encoder is given bytes, and no encoded value.
func isRaw(f Forger, t term.Term) bool { return f != nil && t[0].C == schema.GivenBytes }

// news describes what a run has shown that no earlier run had.
type news struct {
	is   bool // something was new
	prio int  // priority of the term; lower is more urgent
	novelty.News
	kills int // faults that no earlier run has killed
}

// tally counts how often a choice was tried, and how often its result was good. Old
// counts are halved from time to time, because a choice that is good early in a search may
// be bad later.
type tally struct{ tries, good int }

// agesAt is the number of tries at which a tally halves its counts.
const agesAt = 512

func (t *tally) add(good bool) {
	t.tries++
	if good {
		t.good++
	}
	if t.tries >= agesAt {
		t.tries, t.good = t.tries/2, t.good/2
	}
}
