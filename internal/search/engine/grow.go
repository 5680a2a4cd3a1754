//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// grower makes new terms by small changes of terms that passed or nearly passed.
//
// If a precondition discards most fresh terms, nearly all terms that pass are tiny: for
// example, a random tree of four nodes is sorted one time in thirty, and a random tree of
// ten nodes practically never. But a sorted tree often stays sorted when a leaf is added.
// So a changed term that passes is changed further, and the terms that pass grow.
//
// This is how a search without traces finds more than fresh terms do: all that it knows of a run is its
// verdict, and which assumption discarded it.
type grower struct {
	world   *schema.World
	gen     *gen.Gen
	seed    uint64
	most    int // bound of the cells of a term
	fresh   int // runs of fresh terms
	refused int // how many of the fresh terms were discarded
	inside  inside

	kept  []term.Term
	near  near
	seen  map[uint64]bool // hashes of kept terms
	spots []int
	out   term.Term
	edits text.Edits
	part  term.Term
}

// picky reports whether most fresh terms are discarded. If so, three of four runs use a
// changed copy of a term that passed or nearly passed.
func (g *grower) picky() bool { return 2*g.refused > g.fresh }

// propose returns a changed term for a run, or nil if a fresh one is to be run.
func (g *grower) propose(run uint64) term.Term {
	if run%4 == 0 || !g.picky() {
		return nil
	}
	t := g.grow(rng.At(^g.seed, run), g.most)
	if t == nil || !g.inside.admits(g.world, t) {
		return nil
	}
	return t
}

// learn counts a run. The trace of a discarded run is one symbol: the assumption that discarded the term.
func (g *grower) learn(t term.Term, fresh bool, v Verdict, symbols []uint32) {
	if fresh {
		g.fresh++
	}
	if v != Discarded {
		return
	}
	if fresh {
		g.refused++
	}
	if len(symbols) == 1 && g.picky() {
		g.near.add(symbols[0], t)
	}
}

// abandon makes all later terms in other memory, with another generator.
func (g *grower) abandon(from *gen.Gen) {
	g.gen, g.out, g.part, g.edits = from, nil, nil, text.Edits{}
}

// keptMax is the maximum number of terms in kept. If kept is full, a new term replaces
// another.
const keptMax = 256

// pick draws 1 + pickDraws kept terms and returns the largest of them. Most kept terms are
// small; with a single draw, small terms would mostly be changed into other small terms.
const pickDraws = 2

// keep adds a term that passed.
func (g *grower) keep(r *rng.Rand, t term.Term) {
	h := term.Hash(t)
	if g.seen[h] {
		return
	}
	if g.seen == nil {
		g.seen = map[uint64]bool{}
	}
	g.seen[h] = true
	if len(g.kept) < keptMax {
		g.kept = append(g.kept, t.Clone())
		return
	}
	i := r.Below(keptMax)
	if j := r.Below(keptMax); len(g.kept[j]) < len(g.kept[i]) {
		i = j
	}
	delete(g.seen, term.Hash(g.kept[i]))
	g.kept[i] = append(g.kept[i][:0], t...)
}

// grow returns a term that differs in one place from a term that passed or nearly passed.
// It returns nil if no term has passed or nearly passed, or if the new term is too large
// or already kept.
func (g *grower) grow(r rng.Rand, cellsMax int) term.Term {
	t := g.pick(&r)
	if t == nil {
		return nil
	}
	at := g.spot(&r, t)
	s := g.world.Of(t[at])
	switch {
	case s.Kind == schema.Slice && t[at].C != 0:
		g.out = g.edit(&r, t, at, s)
	case s.IsText() && t[at].X > 0 && !r.OneIn(4):
		part := g.editText(&r, t, at, s)
		if !s.Fits(part.Bytes(0)) {
			return nil
		}
		g.out = term.Replace(g.out, t, at, part)
	case s.Kind == schema.Block && !r.OneIn(4):
		g.out = term.Replace(g.out, t, at, g.gen.Vary(r.Split(), s, t.Sub(at), 0))
	default:
		more := r.Below(3)
		g.out = term.Replace(g.out, t, at, g.gen.Part(r.Split(), s, g.world.Cells(t.Sub(at))+more))
	}
	if g.world.Cells(g.out) > cellsMax || g.seen[term.Hash(g.out)] {
		return nil
	}
	return g.out
}

// editText makes a small change of a text: see package text.
func (g *grower) editText(r *rng.Rand, t term.Term, at int, s *schema.Schema) term.Term {
	g.edits.Aim(t.Bytes(at), s.Kind == schema.Bytes, text.Supply{})
	edit, _ := g.edits.Draw(r)
	g.part = edit.Term(g.part[:0], s.ID, g.edits.Text())
	return g.part
}

// Once some terms have passed, one in nearShare of the terms to grow is a term that
// nearly passed: one that an assumption stopped (see near.go).
const nearShare = 4

func (g *grower) pick(r *rng.Rand) term.Term {
	if len(g.kept) == 0 || r.OneIn(nearShare) {
		if t := g.near.pick(r); t != nil || len(g.kept) == 0 {
			return t
		}
	}
	t := g.kept[r.Below(len(g.kept))]
	for range pickDraws {
		if u := g.kept[r.Below(len(g.kept))]; len(u) > len(t) {
			t = u
		}
	}
	return t
}

// spot picks a node to change. Nodes inside a map are not picked, because the order
// of the entries depends on the keys; the map as a whole can be picked.
func (g *grower) spot(r *rng.Rand, t term.Term) int {
	g.spots = g.spots[:0]
	end := 0 // where the current map ends
	for i := range t.Nodes() {
		if i < end {
			continue
		}
		g.spots = append(g.spots, i)
		if g.world.Of(t[i]).Kind == schema.Map {
			end = i + int(t[i].N)
		}
	}
	return g.spots[r.Below(len(g.spots))]
}

// edit removes a random element of a slice or inserts a new one at a random position.
func (g *grower) edit(r *rng.Rand, t term.Term, at int, s *schema.Schema) term.Term {
	n := int(t[at].X)
	from, i := at+1, r.Below(n+1)
	for range i {
		from += int(t[from].N)
	}
	var out term.Term
	if i < n && (r.OneIn(3) || !s.FitsLen(n+1)) && s.FitsLen(n-1) {
		out = term.Splice(g.out, t, term.Span{Parent: at, From: from, To: from + int(t[from].N)}, nil)
		out[at].X--
	} else {
		out = term.Splice(g.out, t, term.Span{Parent: at, From: from, To: from}, g.gen.Part(r.Split(), s.Elem, 1+r.Below(2)))
		out[at].X++
	}
	return out
}
