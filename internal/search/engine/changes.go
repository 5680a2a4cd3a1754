//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// changes makes the changes of terms, for all ways that change terms: all one-step changes of a
// kept term in turn, or some random changes at once.
type changes struct {
	// There are three mutators, because it is slow to switch a mutator from one term to another.
	mut  *mutate.Mutator // for batches
	big  *mutate.Mutator // for batches of large terms, in turns with mut
	dice *mutate.Mutator // for random changes

	stock   *stock
	counts  *statistics
	once    bool           // terms that were run before are skipped
	ran     novelty.Hashes // of the terms that were run
	places  places         // nil unless changes at dead places are deferred
	balance balance
}

const (
	ranBytes   = 16 << 20 // maximum memory of the hashes of terms that were run
	samplesMax = 256      // as in the implementation of the MUTAGEN paper
)

func newChanges(c *Settings, s *stock, counts *statistics) *changes {
	h := &changes{stock: s, counts: counts, once: c.Once, balance: balance{most: c.Batches.Edits}}
	if s.world.Root.IsText() {
		h.balance.most = 0 // there is hardly anything else to do
	}
	if c.Batches.Defer {
		h.places = places{}
	}
	h.mut, h.big, h.dice = h.mutator(c.Mutants), h.mutator(c.Mutants), h.mutator(c.Mutants)
	h.ran.BytesMax = ranBytes
	return h
}

// mutator returns a mutator that uses the stock.
func (h *changes) mutator(c mutate.Config) *mutate.Mutator {
	m := mutate.New(h.stock.world, c)
	m.Fragments, m.Dictionary = h.stock.fragments.of, h.stock.dictionary.of
	m.Supply = func(*schema.Schema) text.Supply { return h.stock.alphabet.supply }
	if h.places != nil {
		m.Dead = h.places.dead
	}
	return m
}

// batch returns the changes of a term, which must not change.
func (h *changes) batch(t term.Term) mutate.Batch { return h.mut.Batch(t, term.Hash(t)) }

// next returns the next one-step change of a kept term, or nil if none is left. With once, it
// skips terms that were run before.
func (h *changes) next(k *kept, m *mutate.Mutator) (term.Term, origin) {
	h.stock.know(k)
	h.stock.use(k)
	for {
		u, ok := m.Next(&k.batch)
		if !ok {
			h.counts.spent(k)
			return nil, origin{}
		}
		if !k.late && h.balance.defers(u.Kind) {
			k.batch.Defer()
			continue
		}
		if h.first(u.Term) {
			h.balance.count(u.Kind)
			return u.Term, origin{how: howMutant, parent: k, kind: u.Kind, key: u.Key}
		}
	}
}

// havoc returns a term with several random changes at once. Such changes reach terms that no chain
// of single steps reaches, because a term in between would not be kept.
func (h *changes) havoc(k *kept, r *rng.Rand) (term.Term, origin) {
	n := drawSteps(r)
	h.stock.use(k)
	return h.dice.Havoc(k.term(), n, r), origin{how: howHavoc, parent: k}
}

// redraws is how many times at most a term is replaced by another one because it was
// run before, or because it is not admitted.
const redraws = 8

// another is havoc of a term that need not be kept. It avoids terms that were run before.
func (h *changes) another(t term.Term, compared []operand.Compared, r *rng.Rand) (u term.Term) {
	h.stock.dictionary.use(t, compared)
	for range redraws {
		u = h.dice.Havoc(t, drawSteps(r), r)
		if h.first(u) {
			break
		}
	}
	return u
}

// stepsMax is the maximum number of changes that havoc makes at once.
const stepsMax = 6

// drawSteps draws how many changes are made at once.
func drawSteps(r *rng.Rand) int {
	n := 1
	for n < stepsMax && r.OneIn(2) {
		n++
	}
	return n
}

// first reports whether a term is to be run. With once, terms that were run before are not.
// Large terms are: reading all of them would cost more than a few equal runs.
func (h *changes) first(t term.Term) bool { return len(t) > onceMax || h.unknown(t) }

// onceMax is the size of the largest terms that are run only once, in units of package term.
const onceMax = 1 << 12

// unknown is first for terms of any size.
func (h *changes) unknown(t term.Term) bool { return !h.once || h.ran.Add(term.Hash(t)) }

// learn records whether the change at a place was good.
func (h *changes) learn(o *outcome) {
	if o.from.key != 0 && h.places != nil {
		h.places.add(o.from.key, o.passed() || o.news.is)
	}
}

// more makes more samples of random numbers and texts from now on.
func (h *changes) more() { h.mut.Samples = min(2*h.mut.Samples, samplesMax) }

// forget makes all terms and all places unknown.
func (h *changes) forget() {
	h.ran.Reset()
	clear(h.places)
}
