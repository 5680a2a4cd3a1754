// Package mutate makes every small typed change of a term, each exactly once.
//
// A mutant differs from its parent in one place. At a constructor the place may
// become a subterm of its own type, another constructor that reuses the fields,
// or the same one with fields exchanged; a list loses, doubles, swaps or gets an
// element; a number becomes another one. All mutants of one parent are a batch,
// made one at a time:
//
//	m := mutate.New(world, mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 2})
//	b := m.Batch(parent, seed)
//	for u, ok := m.Next(&b); ok; u, ok = m.Next(&b) { run(u.Term) }
//
// The one idea: a batch is two numbers, the place and how many candidates of it
// are behind us. Whatever else is needed follows from the parent and the seed,
// so thousands of batches can wait in a queue, and each goes on where it was.
//
// No mutant comes twice. Two places can give the same mutant only if one lies
// in the other, and then the deeper one has it; see once.go. So when a batch is
// exhausted and no bound has bitten, all changes of one step were made.
package mutate

import (
	"math"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Kind is a sort of mutant, or a set of sorts. A new change is mostly one more of a kind
// that is there: of lists in edits.go, of constructors and fields in ways.go, of numbers
// and texts in scalars.go. All bits are taken: a kind of its own needs a wider type, and a
// name before Mirror in kindNames.
type Kind uint8

// The kinds. Mirror is a bit here, but no kind of mutant: it doubles the others. Where the
// input is a pair and both halves are equal at a place, the same change is made
// in both, before it is made in the first alone.
const (
	Pure       Kind = 1 << iota // from the term itself: subterms, constructors, fields, list edits, enum values
	Lists                       // edits that MUTAGEN does not make: swaps, least elements before the end, nil for empty
	Filled                      // constructors and elements that grow get fields other than the least ones
	Sampled                     // scalars from the generator
	Boundaries                  // ends of the range of a scalar, and its neighbours
	Fragments                   // subterms of other cases, from Mutator.Fragments
	Dictionary                  // literals and operands, from Mutator.Dictionary
	Mirror
)

var kindNames = [...]string{"pure", "lists", "filled", "sampled", "boundaries", "fragments", "dictionary"}

// Names lists the kinds a mutant may be of, in the order of their bits.
func Names() []string { return kindNames[:] }

// Order is the order of positions.
type Order uint8

// Level order changes the large before the small, wherever it lies.
const (
	LevelOrder Order = iota
	Preorder
	Postorder
)

// Config is a strategy's choice of mutants. Its zero value makes none.
type Config struct {
	Kinds Kind
	Order Order

	Samples int // draws for each scalar: R of the MUTAGEN paper; equal ones count once
	Size    int // handed to the generator for samples: how far numbers and texts reach

	// NeighboursMax is how many values near a scalar of the parent a field is
	// filled with. Three took a search tree of eight keys from 34k tests to 3k.
	NeighboursMax int
	FragmentsMax  int // at each position; two are enough, and each costs a run
	DictionaryMax int // for each scalar; operands repeat, so few are worth a run

	// UnitsMax bounds mutants that are larger than their parent, in nodes and
	// pieces of 16 bytes of text: what grows without end runs ever slower. 0
	// means no bound.
	UnitsMax int
	// WaysMax bounds the ways to put fields into one constructor at one
	// position: ten fields of one type have ten thousand million. Those that
	// change fewest fields come first. 0 means waysDefault.
	WaysMax int
}

// waysDefault is what the search experiments ran with.
const waysDefault = 64

// Mutator makes mutants of terms of one world. It reuses its memory and is for
// one goroutine. Samples and Size may be changed at any time, and hold for
// batches made later; the rest of Config may be while no batch is under way.
type Mutator struct {
	Config

	// Fragments gives subterms of other cases, all of schema s. The answer may
	// change over time; a fragment may then come twice, or never, but every
	// other mutant still comes once. The terms themselves must not change.
	Fragments func(s *schema.Schema) []term.Term
	// Dictionary gives terms of s, a scalar or text, to put in place of now.
	// The same holds of its answers.
	Dictionary func(s *schema.Schema, now term.Term) []term.Term
	// Dead tells of a Mutant.Key that changes there never matter: Next defers
	// such places, Random mostly avoids them.
	Dead func(key uint64) bool

	world  *schema.World
	gen    *gen.Gen
	texts  *gen.Gen // strings, without memory of earlier ones
	cyclic []bool   // by schema: a term of it can hold another one of it
	maps   bool     // there are maps

	view                       // of the parent of the present batch
	draw                       // what its samples are drawn from
	batch            uint64    // id of the present batch
	batches          uint64    // made so far
	place, at        uint32    // where the present batch was left
	open             bool      // frame holds that place
	frame            frame     // candidates there
	keys             [2]uint64 // of that place, mirrored and plain, once asked for
	out, spare, last term.Term // mutants are written here
}

// draw is what the random part of a batch follows from.
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

// Batch is what is left of the mutants of one parent. It may be moved, as in a
// queue, and belongs to the mutator that made it. The parent must not change, so
// it must not lie in the mutator's memory.
type Batch struct {
	// TooLarge counts mutants left out because of UnitsMax, WaysCut those left
	// out because of WaysMax. While both are 0, nothing was left out.
	TooLarge, WaysCut uint32

	parent        term.Term
	seed          uint64
	id            uint64
	place, at     uint32
	samples, size uint16
	spent         bool
	late          *late
}

// late holds the places that were deferred, and those of them that are being
// enumerated after all.
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

// Parent is the term whose mutants these are.
func (b *Batch) Parent() term.Term { return b.parent }

// Exhausted reports whether every mutant was given, deferred ones included.
func (b *Batch) Exhausted() bool { return b.spent && !b.Deferred() }

// Share is how much of the places is behind us, those deferred not included.
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

// Deferred reports whether there are mutants that only Revive brings back.
func (b *Batch) Deferred() bool { return b.late != nil && len(b.late.tail) > 0 }

// Defer takes back the mutant that Next gave last and puts it with the rest of
// its place behind all others. It is for use right after Next.
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

// Revive makes Next give the deferred mutants, once it has given all others.
func (b *Batch) Revive() {
	if !b.spent || !b.Deferred() {
		return
	}
	b.late.live, b.late.tail = b.late.tail, nil
	b.place, b.at, b.spent = b.late.live[0].place, b.late.live[0].at, false
}

// revived reports whether the present place was deferred before.
func (b *Batch) revived() bool { return b.late != nil && len(b.late.live) > 0 }

// advance goes to the next place.
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
	Term     term.Term // in memory of the mutator, until its next call
	Pos      int       // of the changed subterm in the parent
	Kind     Kind
	Mirrored bool // the same was changed in the other half
	// Key is the same for positions that are alike: types and fields on the
	// way from the root, what repeats left out, with the constructor and the
	// enum fields around it.
	Key uint64
}

// Next gives the next mutant of a batch, or false if only deferred ones are
// left or none at all.
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

// load makes b the present batch.
func (m *Mutator) load(b *Batch) {
	m.look(b.parent, draw{int(b.samples), int(b.size), rng.From(b.seed)})
	m.batch, m.open = b.id, false
}

// look makes t the present parent.
func (m *Mutator) look(t term.Term, d draw) {
	m.view.load(t, m.Order)
	if m.Kinds&Mirror != 0 {
		m.view.pairUp(m.world)
	}
	m.draw, m.batch, m.open = d, 0, false
}

// A place is a position, twice: its mirrored mutants come first. The number of
// a place is twice the number of its position, plus one for the plain ones.
func plain(place uint32) bool { return place&1 == 1 }

// enter goes to the next place of b that may have mutants and opens it. It
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

// mutant describes the mutant just built.
func (m *Mutator) mutant() Mutant {
	f := &m.frame
	return Mutant{Term: m.out, Pos: f.pos, Kind: f.kind, Mirrored: !plain(m.place), Key: m.key(f.pos, plain(m.place))}
}

// build writes the present candidate into m.out. It reports false if it is too
// large, is no term, or comes elsewhere.
func (m *Mutator) build(b *Batch) bool {
	if m.tooLarge() {
		b.TooLarge++
		return false
	}
	return !m.below(&m.frame) && m.write(!plain(m.place), true)
}

// tooLarge reports whether the present candidate makes a mutant above the bound.
func (m *Mutator) tooLarge() bool {
	grown := m.frame.size - len(m.frame.sub)
	if !plain(m.place) {
		grown *= 2
	}
	return grown > 0 && m.UnitsMax > 0 && len(m.t)+grown > m.UnitsMax
}
