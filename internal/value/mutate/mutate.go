// Package mutate makes every small typed change of a term, each exactly once.
//
// A mutant differs from its parent in one place. A constructor may be replaced by
// a subterm of its own type, by another constructor that reuses its fields, or by
// the same one with fields exchanged. A list loses, doubles, swaps or gets an
// element. A number becomes another number. All mutants of one parent form a
// batch, which is enumerated one mutant at a time:
//
//	m := mutate.New(world, mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 2})
//	b := m.Batch(parent, seed)
//	for u, ok := m.Next(&b); ok; u, ok = m.Next(&b) { run(u.Term) }
//
// The one idea: a batch is two numbers, the current place and how many of its
// candidates are done. Everything else follows from the parent and the seed, so
// thousands of batches can wait in a queue, and each continues where it stopped.
//
// No mutant is made twice. Two places can have the same mutant only if one lies
// in the other, and then the deeper one makes it; see once.go. So when a batch is
// exhausted and no bound was reached, all changes of one step were made.
package mutate

import (
	"math"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Kind is a kind of mutant, or a set of kinds. Most new mutations belong to an
// existing kind: those of lists in edits.go, of constructors and fields in
// ways.go, of numbers and texts in scalars.go. All bits are taken: another kind
// needs a wider type, and a name before Mirror in kindNames.
type Kind uint8

// The kinds. Mirror is a bit but not a kind of mutant: it adds mirrored mutants
// of the other kinds. If the input is a pair whose halves are equal at a place,
// the same change is made in both halves, before it is made in the first half
// alone.
const (
	Pure       Kind = 1 << iota // from the term itself: subterms, constructors, fields, list edits, enum values
	Lists                       // edits that MUTAGEN does not make: swaps, least elements before the end, nil for empty
	Filled                      // fields other than the least ones, for new constructors and elements
	Sampled                     // scalars from the generator
	Boundaries                  // ends of the range of a scalar, and its neighbours
	Fragments                   // subterms of other inputs, from Mutator.Fragments
	Dictionary                  // literals and operands, from Mutator.Dictionary
	Mirror
)

var kindNames = [...]string{"pure", "lists", "filled", "sampled", "boundaries", "fragments", "dictionary"}

// Names lists the kinds of mutants, in the order of their bits.
func Names() []string { return kindNames[:] }

// Order is the order in which positions are visited.
type Order uint8

// LevelOrder changes large subterms before small ones, wherever they are.
const (
	LevelOrder Order = iota
	Preorder
	Postorder
)

// Config selects the mutants of a strategy. The zero Config makes none.
type Config struct {
	Kinds Kind
	Order Order

	Samples int // draws for each scalar: R of the MUTAGEN paper; equal ones count once
	Size    int // size for the generator of samples: bounds numbers and texts

	// NeighboursMax is how many values near a scalar of the parent are used to
	// fill a field. Three reduced the tests needed for a search tree of eight
	// keys from 34k to 3k.
	NeighboursMax int
	FragmentsMax  int // at each position; two are enough, and each costs a run
	DictionaryMax int // for each scalar; operands repeat, so few are worth a run

	// UnitsMax bounds mutants that are larger than their parent, in nodes and
	// pieces of 16 bytes of text: inputs that keep growing run ever slower. 0
	// means no bound.
	UnitsMax int
	// WaysMax bounds the ways to put fields into one constructor at one position:
	// ten fields of one type have ten thousand million ways. Ways that change the
	// fewest fields come first. 0 means waysDefault.
	WaysMax int
}

// waysDefault is the bound in the search experiments.
const waysDefault = 64

// Mutator makes mutants of terms of one world. It reuses its memory, and only one
// goroutine may use it. Samples and Size may be changed at any time and apply to
// later batches; the rest of Config may be changed only while no batch is in
// progress.
type Mutator struct {
	Config

	// Fragments returns subterms of other inputs, all of schema s. Its result may
	// change over time; a fragment may then be used twice, or never, but every
	// other mutant is still made once. The terms themselves must not change.
	Fragments func(s *schema.Schema) []term.Term
	// Dictionary returns terms of s, a scalar or text, to replace now. Its
	// results may change like those of Fragments.
	Dictionary func(s *schema.Schema, now term.Term) []term.Term
	// Dead reports whether changes at places with this Mutant.Key never matter.
	// Next defers such places, and Random mostly avoids them.
	Dead func(key uint64) bool

	world  *schema.World
	gen    *gen.Gen
	texts  *gen.Gen // for strings, without memory of earlier ones
	cyclic []bool   // by schema: whether a term of it can contain another term of it
	maps   bool     // the world has maps

	view                       // of the parent of the current batch
	draw                       // how its samples are drawn
	batch            uint64    // id of the current batch
	batches          uint64    // number of batches so far
	place, at        uint32    // where the current batch stopped
	open             bool      // frame is at that place
	frame            frame     // candidates there
	keys             [2]uint64 // of that place, mirrored and plain, once computed
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

// Batch is the rest of the mutants of one parent. It may be moved, as in a queue,
// and belongs to the mutator that made it. The parent must not change, so it must
// not lie in the mutator's memory.
type Batch struct {
	// TooLarge counts mutants omitted because of UnitsMax, WaysCut those omitted
	// because of WaysMax. While both are 0, nothing was omitted.
	TooLarge, WaysCut uint32

	parent        term.Term
	seed          uint64
	id            uint64
	place, at     uint32
	samples, size uint16
	spent         bool
	late          *late
}

// late holds the deferred places, and those of them that were revived and are now
// enumerated.
type late struct{ tail, live []stop }

// stop is a place of a batch and how many of its candidates are done.
type stop struct{ place, at uint32 }

// Batch starts the batch of a parent. The seed decides its samples.
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

// Share returns the share of places that are done, without deferred ones.
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

// Defer takes back the latest mutant of Next, and moves it and the rest of its
// place behind all others. Call it right after Next.
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

// Revive lets Next make the deferred mutants, once it has made all others.
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
	Term     term.Term // in memory of the mutator, valid until its next call
	Pos      int       // position of the changed subterm in the parent
	Kind     Kind
	Mirrored bool // the same change was made in the other half
	// Key is equal for similar positions. It is a hash of the types and fields
	// from the root, without repetitions, and of the constructor and the enum
	// fields around the position.
	Key uint64
}

// Next makes the next mutant of a batch. It returns false if none is left, or
// only deferred ones.
func (m *Mutator) Next(b *Batch) (Mutant, bool) {
	if b.spent {
		return Mutant{}, false
	}
	if m.batch != b.id {
		m.load(b)
	}
	for {
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

// Each position is two places: the first for its mirrored mutants, the second for
// the plain ones. The number of a place is twice the number of its position, plus
// one for the plain mutants.
func plain(place uint32) bool { return place&1 == 1 }

// enter moves to the next place of b that may have mutants and opens it. It
// reports false if there is none.
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
		for range b.at {
			m.frame.next()
		}
		m.place, m.at, m.open = b.place, b.at, true
		return true
	}
}

// mutant describes the mutant that build has just written.
func (m *Mutator) mutant() Mutant {
	f := &m.frame
	return Mutant{Term: m.out, Pos: f.pos, Kind: f.kind, Mirrored: !plain(m.place), Key: m.key(f.pos, plain(m.place))}
}

// build writes the current candidate to m.out. It reports false if the candidate
// is too large, is not a valid term, or is made at another position.
func (m *Mutator) build(b *Batch) bool {
	if m.tooLarge() {
		b.TooLarge++
		return false
	}
	return !m.below(&m.frame) && m.write(!plain(m.place), true)
}

// tooLarge reports whether the current candidate makes a mutant above the bound.
func (m *Mutator) tooLarge() bool {
	grown := m.frame.size - len(m.frame.sub)
	if !plain(m.place) {
		grown *= 2
	}
	return grown > 0 && m.UnitsMax > 0 && len(m.t)+grown > m.UnitsMax
}
