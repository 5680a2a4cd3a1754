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
// No mutant is made twice. Two positions can have the same mutant only if one lies
// inside the other; then only the deeper one makes it, see once.go. So when a batch
// is exhausted and no bound was reached, every one-step change was made.
package mutate

import (
	"math"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// Kind is a kind of mutant, or a set of kinds. Most new mutations belong to an
// existing kind: those of lists in edits.go, of constructors and fields in
// ways.go, of numbers and texts in scalars.go and text.go. Another kind needs a name
// before Mirror in kindNames.
type Kind uint16

// The kinds. Mirror is a bit but not a kind of mutant: it adds mirrored mutants of
// the other kinds. If the input is a pair whose halves are equal at a position, the
// same change is first made in both halves (a mirrored mutant), and then in one half
// alone.
const (
	Pure       Kind = 1 << iota // from the term itself: subterms, constructors, fields, list edits, enum values
	Lists                       // list edits that MUTAGEN does not make: swaps, least elements inserted before the end, nil for empty
	Filled                      // new constructors and elements with other fields than the least terms
	Sampled                     // scalars from the generator
	Boundaries                  // ends of the range of a scalar, and neighbours of its value
	Fragments                   // subterms of other inputs, from Mutator.Fragments
	Dictionary                  // literals and operands, from Mutator.Dictionary
	Text                        // edits of a text, see package text
	Mirror
)

var kindNames = [...]string{"pure", "lists", "filled", "sampled", "boundaries", "fragments", "dictionary", "text"}

// Names lists the kinds of mutants, in the order of their bits.
func Names() []string { return kindNames[:] }

// Order is the order in which positions are visited.
type Order uint8

// LevelOrder visits positions near the root first, so large subterms are changed
// before small ones.
const (
	LevelOrder Order = iota
	Preorder
	Postorder
)

// Config selects the mutants of a strategy. The zero Config makes none.
type Config struct {
	Kinds Kind
	Order Order

	Samples int // number of random values for each scalar (R of the MUTAGEN paper); equal values are used once
	Size    int // size that the generator uses for samples; it bounds numbers and texts

	// NeighboursMax is how many values near scalars of the parent are used to fill a
	// new field. With three, a search tree of eight keys was found after 3k instead
	// of 34k tests.
	NeighboursMax int
	FragmentsMax  int // number of fragments at each position; two are enough, and each costs a run
	DictionaryMax int // number of dictionary entries for each scalar; operands repeat, so few are worth a run

	// UnitsMax is the maximal size of mutants that are larger than their parent, in
	// units of package term (a node, or 16 bytes of text). Without it, inputs could
	// grow forever, and runs would take longer and longer. 0 means no limit.
	UnitsMax int
	// WaysMax is the maximal number of ways to put fields into one constructor at
	// one position: ten fields of one type could be filled in ten billion ways. Ways
	// that change the fewest fields come first. 0 means waysDefault.
	WaysMax int
}

// waysDefault is the value of WaysMax in the search experiments.
const waysDefault = 64

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
	// Dictionary returns terms that may replace now, which is a scalar or text of
	// schema s. The list may change like that of Fragments.
	Dictionary func(s *schema.Schema, now term.Term) []term.Term
	// Supply returns what edits of a text of schema s may insert. The lists may change like
	// that of Fragments.
	Supply func(s *schema.Schema) text.Supply
	// Dead reports whether changes at positions with this Mutant.Key seem to have no
	// effect. Next defers such positions, and Random mostly avoids them.
	Dead func(key uint64) bool

	world  *schema.World
	gen    *gen.Gen
	texts  *gen.Gen // generates strings that do not depend on earlier strings
	cyclic []bool   // by schema: whether a term of it can contain another term of it
	maps   bool     // the world has maps

	view                       // of the parent of the current batch
	draw                       // how the samples of the current batch are drawn
	batch            uint64    // id of the current batch
	batches          uint64    // number of batches so far
	place, at        uint32    // where the current batch stopped: the place, and its number of candidates done
	open             bool      // frame has the candidates of that place
	frame            frame     // candidates of the current place
	keys             [2]uint64 // Mutant.Key at the current place, mirrored and plain; 0 if not computed yet
	out, spare, last term.Term // mutants are written here
}

// draw determines the random part of a batch.
type draw struct {
	samples, size int
	source        rng.Source
}

// New returns a mutator of terms of w.
func New(w *schema.World, c Config) *Mutator {
	m := &Mutator{Config: c, world: w, gen: gen.New(w), texts: textGen(), cyclic: w.Cyclic()}
	m.frame.m = m
	m.maps = slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return s.Kind == schema.Map })
	return m
}

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

// Batch starts the batch of a parent. The seed determines its random samples.
func (m *Mutator) Batch(parent term.Term, seed uint64) Batch {
	m.batches++
	return Batch{
		parent:  parent,
		seed:    seed,
		id:      m.batches,
		samples: uint16(min(m.Samples, math.MaxUint16)),
		size:    uint16(min(m.Size, math.MaxUint16)),
	}
}

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

// Mutant is a term that differs from its parent in one place.
type Mutant struct {
	Term     term.Term // lies in the mutator's memory; valid until the next call of the mutator
	Pos      int       // position of the changed subterm in the parent
	Kind     Kind
	Mirrored bool // the same change was made in both halves of the input
	// Key is equal for similar positions. It is a hash of the types and fields on
	// the path from the root, where recursion counts once, of the constructor that
	// has the position as a field, and of the enum fields beside it.
	Key uint64
}

// Next makes the next mutant of a batch. It returns false if no mutants are left, or
// only deferred ones.
func (m *Mutator) Next(b *Batch) (Mutant, bool) {
	if b.spent {
		return Mutant{}, false
	}
	if m.batch != b.id {
		m.load(b)
	}
	for {
		if m.open && m.place == b.place && m.at < b.at { // another mutator has gone on with the batch
			skip(&m.frame, int(b.at-m.at))
			m.at = b.at
		}
		if !m.open || m.place != b.place || m.at != b.at {
			if !m.enter(b) {
				return Mutant{}, false
			}
		}
		for m.frame.next() {
			m.at++
			b.at++
			if m.build(b) {
				return m.mutant(), true
			}
		}
		b.WaysCut += m.frame.cut
		m.open = false
		b.advance()
		if b.spent {
			return Mutant{}, false
		}
	}
}

// load makes b the current batch.
func (m *Mutator) load(b *Batch) {
	m.look(b.parent, draw{int(b.samples), int(b.size), rng.From(b.seed)})
	m.batch, m.open = b.id, false
}

// look makes t the current parent.
func (m *Mutator) look(t term.Term, d draw) {
	m.view.load(t, m.Order)
	if m.Kinds&Mirror != 0 {
		m.view.pairUp(m.world)
	}
	m.draw, m.batch, m.open = d, 0, false
}

// plain reports whether a place is for plain mutants. Each position has two places:
// the first for its mirrored mutants, the second for its plain ones. The number of a
// place is twice the number of the position, plus one if it is for plain mutants.
func plain(place uint32) bool { return place&1 == 1 }

// enter moves to the next place of b that may have mutants and prepares its
// candidates. It returns false if there is no such place.
func (m *Mutator) enter(b *Batch) bool {
	for ; ; b.advance() {
		if b.spent {
			return false
		}
		ordinal := int(b.place >> 1)
		if ordinal >= len(m.order) {
			b.spent = true
			return false
		}
		pos := int(m.order[ordinal])
		if !plain(b.place) && !m.mirrors(pos) {
			continue
		}
		m.keys = [2]uint64{}
		if m.Dead != nil && !b.revived() && m.Dead(m.key(pos, plain(b.place))) {
			b.leave(stop{b.place, b.at})
			continue
		}
		m.frame.start(pos, true)
		skip(&m.frame, int(b.at))
		m.place, m.at, m.open = b.place, b.at, true
		return true
	}
}

// mutant describes the mutant that build has just written.
func (m *Mutator) mutant() Mutant {
	f := &m.frame
	return Mutant{Term: m.out, Pos: f.pos, Kind: f.kind, Mirrored: !plain(m.place), Key: m.key(f.pos, plain(m.place))}
}

// build writes the mutant of the current candidate to m.out. It returns false if the
// mutant is too large, is not a valid term, or is made at another position.
func (m *Mutator) build(b *Batch) bool {
	if m.frame.void {
		return false
	}
	if m.tooLarge() {
		b.TooLarge++
		return false
	}
	return !m.below(&m.frame) && m.write(!plain(m.place), true)
}

// tooLarge reports whether the mutant of the current candidate would exceed
// UnitsMax.
func (m *Mutator) tooLarge() bool {
	grown := m.frame.size - len(m.frame.sub)
	if !plain(m.place) {
		grown *= 2
	}
	return grown > 0 && m.UnitsMax > 0 && len(m.t)+grown > m.UnitsMax
}
