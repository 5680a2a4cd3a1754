//go:build go1.25

// Package mutate makes every small change of a term that keeps its types, each
// change exactly once.
//
// A mutant is a copy of its parent with a change at one position. A node may be
// replaced by one of its subterms that has the same type, by another constructor
// that reuses its fields, or by the same constructor with its fields exchanged. In a
// list, an element may be removed, repeated, inserted, or swapped with the next. A
// number may become another number. All mutants of one parent form a batch, which is
// enumerated one mutant at a time:
//
//	m := mutate.New(world, mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 2})
//	b := m.Batch(parent, seed)
//	for u, ok := m.Next(&b); ok; u, ok = m.Next(&b) { run(u.Term) }
//
// The state of a batch is two numbers: the current place (a position of the parent)
// and how many of its candidates are done. Everything else is computed from the
// parent and the seed, so thousands of batches can wait in a queue, and each
// continues where it stopped.
//
// What may replace a subterm is a candidate. A frame enumerates the candidates of one
// position; it asks the sources that the table mutations lists for the type there. A
// maker writes the mutant of a candidate.
//
// No mutant is made twice. Two positions can have the same mutant only if one lies
// inside the other; then only the deeper one makes it, see once.go. So when a batch
// is exhausted and no bound was reached, every one-step change was made.
package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// Mutator makes mutants of terms of one world. It reuses its memory, and only one
// goroutine may use it. Samples and Size may be changed at any time and apply to
// later batches; the rest of Config may be changed only while no batch is in
// progress.
type Mutator struct {
	Config

	// Fragments returns subterms of other inputs, all of schema s. The list may
	// change over time; a fragment may then be used twice or never, but every other
	// mutant is still made once. The terms in the list must not change.
	Fragments func(s *schema.Schema) []term.Term
	// Dictionary returns terms that may replace now, which is a scalar, a text or a list of
	// schema s. The list may change like that of Fragments.
	Dictionary func(s *schema.Schema, now term.Term) []term.Term
	// Supply returns what edits of a text of schema s may insert. The lists may change like
	// that of Fragments.
	Supply func(s *schema.Schema) text.Supply
	// Dead reports whether changes at positions with this Mutant.Key seem to have no
	// effect. Next defers such positions, and Random mostly avoids them.
	Dead func(key uint64) bool

	cursor cursor
	maker  *maker
}

// cursor is where the current batch stopped.
type cursor struct {
	batch     uint64 // id of the current batch, 0 if there is none
	batches   uint64 // number of batches so far
	place, at uint32 // the place, and its number of candidates done
	open      bool   // the frame has the candidates of that place
}

// New returns a mutator of terms of w.
func New(w *schema.World, c Config) *Mutator {
	m := &Mutator{Config: c}
	m.maker = newMaker(w, &m.Config, m)
	return m
}

func (m *Mutator) fragmentsOf(s *schema.Schema) []term.Term {
	if m.Kinds&Fragments == 0 || m.Fragments == nil {
		return nil
	}
	return m.Fragments(s)
}

func (m *Mutator) entriesOf(s *schema.Schema, now term.Term) []term.Term {
	if m.Kinds&Dictionary == 0 || m.Dictionary == nil {
		return nil
	}
	return m.Dictionary(s, now)
}

func (m *Mutator) supplyOf(s *schema.Schema) text.Supply {
	if m.Supply == nil {
		return text.Supply{}
	}
	return m.Supply(s)
}

// Batch starts the batch of a parent. The seed determines its random samples.
func (m *Mutator) Batch(parent term.Term, seed uint64) Batch {
	m.cursor.batches++
	return Batch{
		parent:  parent,
		seed:    seed,
		id:      m.cursor.batches,
		samples: uint16(min(m.Samples, math.MaxUint16)),
		size:    uint16(min(m.Size, math.MaxUint16)),
	}
}

// Next makes the next mutant of a batch. It returns false if no mutants are left, or
// only deferred ones.
func (m *Mutator) Next(b *Batch) (Mutant, bool) {
	if b.spent {
		return Mutant{}, false
	}
	c, f := &m.cursor, m.maker.frame
	if c.batch != b.id {
		m.look(b.parent, draw{int(b.samples), int(b.size), rng.From(b.seed)})
		c.batch = b.id
	}
	for {
		if c.open && c.place == b.place && c.at < b.at { // another mutator has gone on with the batch
			f.skip(int(b.at - c.at))
			c.at = b.at
		}
		if !c.open || c.place != b.place || c.at != b.at {
			if !m.enter(b) {
				return Mutant{}, false
			}
		}
		for f.next() {
			c.at++
			b.at++
			if m.build(b) {
				return m.maker.mutant(), true
			}
		}
		b.WaysCut += f.cut
		c.open = false
		b.advance()
		if b.spent {
			return Mutant{}, false
		}
	}
}

// look makes t the current parent, without a current batch.
func (m *Mutator) look(t term.Term, d draw) {
	m.maker.look(t, d)
	m.cursor.batch, m.cursor.open = 0, false
}

// enter moves to the next place of b that may have mutants and prepares its
// candidates. It returns false if there is no such place.
func (m *Mutator) enter(b *Batch) bool {
	p := &m.maker.scene.parent
	for ; ; b.advance() {
		if b.spent {
			return false
		}
		ordinal := int(b.place >> 1)
		if ordinal >= len(p.levels()) {
			b.spent = true
			return false
		}
		pos := int(p.order[ordinal])
		m.maker.mirrored = !plain(b.place)
		if m.maker.mirrored && !p.pair.mirrors(pos) {
			continue
		}
		if m.Dead != nil && !b.revived() && m.Dead(m.maker.key(pos)) {
			b.leave(stop{b.place, b.at})
			continue
		}
		m.maker.frame.start(pos, every)
		m.maker.frame.skip(int(b.at))
		m.cursor.place, m.cursor.at, m.cursor.open = b.place, b.at, true
		return true
	}
}

// build writes the mutant of the current candidate. It returns false if the
// mutant is too large, is not a valid term, or is made at another position.
func (m *Mutator) build(b *Batch) bool {
	if m.maker.frame.candidate.void {
		return false
	}
	if m.maker.tooLarge() {
		b.TooLarge++
		return false
	}
	return !madeBelow(m.maker.frame) && m.maker.write(true)
}
