//go:build go1.25

// Package gen generates random terms of a given size.
//
// If constructors were chosen with fixed odds, most terms would be nil, and a few
// would be trees of a million nodes. Instead, gen passes a budget of cells from the
// root down (a cell is a node of a tree as people count them, see schema.Measure).
// Each constructor takes one cell for itself and splits the rest among its fields;
// every split is equally likely. All terms are finite, no term exceeds the bound,
// and few are trivial.
//
//	g := gen.New(world)
//	t := g.Term(rng.At(seed, run), 20) // at most Bound(20) cells; valid until the next call
//
// A schema.World contains the schemas of an input type. If its Depth is set, terms
// have at most that many levels, whatever the size, and constructors are chosen by
// their odds alone; see depth.go.
package gen

import (
	"cmp"
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/slot"
	"github.com/allele-go/allele/internal/value/term"
)

// Gen generates terms of the root type of a world. It reuses the memory of its
// terms, and only one goroutine may use it.
type Gen struct {
	// Reach bounds most generated numbers: they are about between -Reach and Reach.
	// 0 means the size of the term.
	Reach int
	// Few of 64 lists whose elements can use any budget are short, so that each element gets enough of the budget
	// for any of its constructors. Otherwise most elements of a list get no more than the smallest ones need.
	Few int

	world *schema.World
	kinds [][]ctorInfo // by schema, by constructor
	large [][]int      // by schema: constructors that can use any budget

	odd    []*oddWays // by schema; nil if there are no patterns and all constructors are equally likely
	levels *deep      // set only if the world has a Depth
	tally  [][]int    // counts of choices, nil unless Observe was called
	picky  bool       // the world has odds, patterns or tags, or there is a tally
	shapes bool       // the world has patterns
	plain  bool       // the current term has no patterns

	r      rng.Rand
	reach  int
	out    term.Term
	shares []int // a stack of budgets for fields, one frame for each constructor in progress

	texts texts // strings of the current term

	room   int  // cells that a term may have in addition to its budget; 0 if no constructor is wide
	fill   int  // of fillMax: the share of the fields that are filled in the next wide constructor
	within bool // the current constructor is part of a wide one that is filled

	loose loose // what the current term ignores

	swarms map[*schema.Schema]*swarm // by the schema of the list of calls

	blocks [blocksSeen]seenBlock // short arrays of the current term
	held   int
}

type ctorInfo struct {
	min   int  // minimal number of cells
	grows int  // number of fields that can use more cells than their minimum
	wide  bool // it has many optional fields
}

// New returns a generator for w. It reads the odds, patterns and depth of w now;
// later changes have no effect.
func New(w *schema.World) *Gen {
	g := &Gen{world: w, kinds: make([][]ctorInfo, len(w.Schemas)), large: make([][]int, len(w.Schemas))}
	g.odd, g.picky = oddOnes(w)
	g.picky = g.picky || slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return s.Tag != nil })
	g.loose.enums = slices.ContainsFunc(w.Schemas, schema.HasConstants)
	g.shapes = slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return len(s.Patterns) > 0 })
	if w.Depth > 0 {
		g.levels = newDeep(w)
	}
	if slices.ContainsFunc(w.Schemas, func(s *schema.Schema) bool { return s.From != nil }) {
		g.loose.fit = slot.New(w)
	}
	for i, s := range w.Schemas {
		if s.IsCalls() {
			g.room = max(g.room, w.CallsMax*(1+callCells))
		}
		for c := range s.Ctors {
			info := ctorInfo{min: s.CtorCells(c)}
			for _, f := range s.Ctors[c].Fields {
				if f.S.Grows() {
					info.grows++
				}
			}
			if fields, cells := optional(&s.Ctors[c]); fields >= wideMin {
				info.wide = true
				g.room = max(g.room, cells)
			}
			g.kinds[i] = append(g.kinds[i], info)
			if c >= s.First() && s.CtorCellsMax(c) >= schema.Unbounded {
				g.large[i] = append(g.large[i], c)
			}
		}
	}
	return g
}

// Bound returns the maximal number of cells of a term of the given size: the size
// itself, or the minimum of the type if that is larger, and one element in each field
// of a wide constructor.
func (g *Gen) Bound(size int) int { return max(size, g.world.Root.MinCells) + g.room }

// Term generates a term from the random stream r, with about as many cells as the
// size if the type allows it. In a world with a Depth, the size only bounds the
// numbers in the term.
func (g *Gen) Term(r rng.Rand, size int) term.Term {
	g.texts.n = 0
	if g.levels != nil {
		g.r, g.reach, g.out, g.held = r, cmp.Or(g.Reach, size), g.out[:0], 0
		g.loosen()
		g.deep(g.world.Root, g.world.Depth)
		return g.loose.fitted(g.out, &g.r)
	}
	g.begin(r, size)
	g.widen(size)
	g.term(g.world.Root, size)
	return g.loose.fitted(g.out, &g.r)
}

// Part generates a term of any schema of the world, for use inside another term. It
// respects the size even if the world has a Depth, since the space left in the other
// term is limited.
func (g *Gen) Part(r rng.Rand, s *schema.Schema, size int) term.Term {
	g.begin(r, size)
	g.fill, g.within = 0, false
	g.term(s, size)
	return g.out
}

// begin prepares a term that has a size.
func (g *Gen) begin(r rng.Rand, size int) {
	g.r, g.reach, g.out, g.held = r, cmp.Or(g.Reach, size), g.out[:0], 0
	if g.shapes {
		g.plain = !g.r.OneIn(patternedIn)
	}
	g.loosen()
}

// open appends a node and returns its position. After the fields of the node are
// appended, seal sets the node's length.
func (g *Gen) open(s *schema.Schema, c int, x uint64) int {
	g.out = append(g.out, term.Node{S: s.ID, C: uint16(c), N: 1, X: x})
	return len(g.out) - 1
}

func (g *Gen) seal(at int) { g.out[at].N = uint32(len(g.out) - at) }

// term appends a term of s with about n cells, never more than n unless s
// needs more.
func (g *Gen) term(s *schema.Schema, n int) {
	if g.picky {
		g.oddTerm(s, n)
		return
	}
	switch s.Kind {
	case schema.Scalar:
		g.open(s, 0, g.scalar(s))
	case schema.String:
		g.text(s)
	case schema.Bytes:
		g.bytes(s)
	case schema.Block:
		g.block(s)
	case schema.Slice, schema.Map:
		g.list(s, n)
	case schema.Array:
		at := g.open(s, 0, uint64(s.Len))
		g.elems(s, s.Len, n)
		g.seal(at)
	case schema.Rule:
		c := g.pick(s, n)
		g.rule(s, c, func() { g.fields(s, c, n) })
	default:
		c := g.pick(s, n)
		at := g.open(s, c, 0)
		g.fields(s, c, n)
		g.seal(at)
	}
}

// redraws is how often a text is drawn that must satisfy a condition such as \b.
const redraws = 16

// rule appends constructor c of a part of a regular expression; fill appends its fields. A
// text that violates a condition is drawn again. After some attempts rule appends the least
// term, whose text is known to match.
func (g *Gen) rule(s *schema.Schema, c int, fill func()) {
	for range redraws {
		at := g.open(s, c, 0)
		fill()
		g.seal(at)
		if !s.Filtered() || s.Accepts(g.out[at:]) {
			return
		}
		g.out = g.out[:at]
	}
	g.out = append(g.out, s.Least...)
}

// stop decides at random whether to leave a budget of n cells unused. The
// probability falls with n so that terms of any size lose less than an eighth of
// their cells. With a fixed probability large terms would lose more, since stop is
// called at every node.
func (g *Gen) stop(n int) bool {
	n = min(n, 1<<15)
	return g.r.OneIn(16 + n*n)
}

// smallIn means that one in smallIn values of an interface such as any ignores how much of the
// budget it can use. Otherwise nearly all of them would be lists and maps: code that expects a
// number or a text would hardly be tested.
const smallIn = 3

func (g *Gen) ignores(s *schema.Schema) bool { return s.Nil && g.r.OneIn(smallIn) }

// pick chooses a constructor that fits the budget. If the budget is more than the
// minimum of s, it prefers a constructor that can use all of it.
func (g *Gen) pick(s *schema.Schema, n int) int {
	if tag := g.asks(s); tag != nil && s.Kind == schema.Pointer {
		return g.tagPointer(s, tag, n)
	}
	first := s.First()
	switch {
	case len(s.Ctors) == first+1:
		return first
	case s.Kind == schema.Choice:
		return g.r.Below(len(s.Ctors))
	case s.Kind == schema.Pointer:
		if n < g.kinds[s.ID][1].min || g.stop(n) {
			return 0
		}
		return 1
	}
	// The alternatives of a regular expression are equally likely: it has no recursion,
	// so no alternative is needed to use the budget.
	if large := g.large[s.ID]; s.Kind != schema.Rule && len(large) > 0 && n > s.MinCells && !g.stop(n) && !g.ignores(s) {
		if c, ok := g.fitting(s, n, len(large), func(i int) int { return large[i] }); ok {
			return c
		}
	}
	n = max(n, s.MinCells)
	c, _ := g.fitting(s, n, len(s.Ctors)-first, func(i int) int { return first + i })
	return c
}

// fitting draws one of k constructors that needs at most n cells. After a few random
// draws that do not fit, it takes the first constructor that fits, beginning at a
// random index.
func (g *Gen) fitting(s *schema.Schema, n, k int, at func(int) int) (c int, ok bool) {
	const draws = 4
	for range draws {
		if c := at(g.r.Below(k)); g.kinds[s.ID][c].min <= n {
			return c, true
		}
	}
	start := g.r.Below(k)
	for i := range k {
		if c := at((start + i) % k); g.kinds[s.ID][c].min <= n {
			return c, true
		}
	}
	return 0, false
}

// fields appends the fields of a constructor. It splits the budget among the fields
// that can use more than their minimum.
func (g *Gen) fields(s *schema.Schema, c, n int) {
	fs := s.Ctors[c].Fields
	info := &g.kinds[s.ID][c]
	if info.wide && g.fill > 0 && !g.within {
		g.wideFields(s, c, n)
		return
	}
	extra := max(0, n-info.min)
	if info.grows == 0 || extra == 0 {
		for i := range fs {
			if f := fs[i].S; g.within {
				g.part(f, f.MinCells)
			} else {
				g.term(f, f.MinCells)
			}
		}
		return
	}
	frame := g.split(extra, info.grows)
	k := frame
	for i := range fs {
		f := fs[i].S
		share := f.MinCells
		if f.Grows() {
			share += g.shares[k]
			k++
			if room := share - f.MaxCells; room > 0 && k < len(g.shares) {
				share = f.MaxCells
				g.shares[k] += room
			}
		}
		if g.within {
			g.part(f, share)
		} else {
			g.term(f, share)
		}
	}
	g.shares = g.shares[:frame]
}

// splitMax is the largest number of fields that share a budget. Without this limit,
// each of sixty optional fields of a struct would get a few cells, and none of them
// could be deep.
const splitMax = 6

// split pushes a frame of k shares that add up to n and returns where the frame
// starts. All ways to divide n into k shares are equally likely.
func (g *Gen) split(n, k int) (frame int) {
	frame = len(g.shares)
	for range k {
		g.shares = append(g.shares, 0)
	}
	shares := g.shares[frame:]
	switch {
	case k == 1:
		shares[0] = n
	case k == 2:
		shares[0] = g.r.Below(n + 1)
		shares[1] = n - shares[0]
	default:
		g.cut(shares, n)
	}
	return frame
}

// cut divides n into at most splitMax pieces, by sorting random numbers below n, and
// adds each piece to a different share.
func (g *Gen) cut(shares []int, n int) {
	var room [splitMax]int
	pieces := min(len(shares), splitMax)
	cuts := room[:pieces]
	for i := range cuts[1:] {
		cuts[i+1] = g.r.Below(n + 1)
	}
	cuts[0] = 0
	slices.Sort(cuts)
	at := g.r.Below(len(shares))
	step := g.step(len(shares))
	for i := range cuts {
		end := n
		if i+1 < len(cuts) {
			end = cuts[i+1]
		}
		shares[at] += end - cuts[i]
		at = (at + step) % len(shares)
	}
}

// step returns a random stride: splitMax steps with this stride visit different
// indexes, modulo k.
func (g *Gen) step(k int) int {
	if k <= splitMax {
		return 1
	}
	return 1 + g.r.Below(k/splitMax)
}

// list appends a slice or map of any length that the budget allows. If the
// elements cannot use the rest of the budget, it takes the longer of two random
// lengths.
func (g *Gen) list(s *schema.Schema, n int) {
	each := elemCells(s)
	if s.IsCalls() {
		appendCalls(g, s, n)
		return
	}
	if s.LenMax > 0 {
		g.repetition(s, n)
		return
	}
	if tag := g.asks(s); tag != nil && g.tagList(s, tag, n) {
		return
	}
	if g.r.OneIn(16) || n < each && g.r.OneIn(2) {
		g.open(s, s.Empty(), 0)
		return
	}
	length := g.r.Below(n/each + 1)
	switch {
	case !s.Elem.Grows():
		length = max(length, g.r.Below(n/each+1))
	case g.Few > 0 && g.r.Below(64) < g.Few:
		length = 1 + g.r.Below(max(1, min(fewMax, n/max(each, need(g.kinds[s.Elem.ID], s.Elem.First())))))
	}
	g.listOf(s, length, n)
}

// fewMax is the number of elements of a short list.
const fewMax = 3

// need returns the number of cells with which every constructor from the given one on fits.
func need(all []ctorInfo, from int) (most int) {
	for _, c := range all[min(from, len(all)):] {
		most = max(most, c.min)
	}
	return most
}

// listOf appends a slice or map with a given number of elements.
func (g *Gen) listOf(s *schema.Schema, length, n int) {
	at := g.open(s, 1, uint64(length))
	g.elems(s, length, n)
	g.seal(at)
	if s.Kind == schema.Map {
		g.out = append(g.out[:at], g.world.SortEntries(g.out[at:])...)
	}
}

// repetition appends a list whose length has bounds. It takes the longer of two random
// lengths.
func (g *Gen) repetition(s *schema.Schema, n int) {
	room := max(0, min((n-s.MinCells)/elemCells(s), s.LenMax-s.LenMin))
	length := s.LenMin + max(g.r.Below(room+1), g.r.Below(room+1))
	at := g.open(s, 1, uint64(length))
	g.elems(s, length, n)
	g.seal(at)
}

// elemCells returns the minimal number of cells of a list element, or of a map
// entry. An element that the list must have may need fewer, see schema.Schema.ElemCost.
func elemCells(s *schema.Schema) int {
	if s.Kind == schema.Map {
		return max(1, s.Elem.MinCells+s.Key.MinCells)
	}
	return max(s.ElemCost(s.LenMin), s.Elem.MinCells)
}

func (g *Gen) elems(s *schema.Schema, length, n int) {
	if length == 0 {
		return
	}
	each := elemCells(s)
	must := min(s.LenMin, length) // elements that cost nothing by themselves
	extra := max(0, n-(length-must)*each-must*s.Elem.MinCells)
	frame := -1
	grows := s.Elem.Grows() || s.Kind == schema.Map && s.Key.Grows()
	if grows && extra > 0 {
		frame = g.split(extra, length)
	}
	for i := range length {
		share := s.Elem.MinCells
		if grows && i >= must {
			share = each
		}
		if frame >= 0 {
			share += g.shares[frame+i]
		}
		if s.Kind == schema.Map {
			key := s.Key.MinCells
			if s.Key.Grows() {
				key = max(key, g.r.Below(share+1))
			}
			g.term(s.Key, key)
			share = max(s.Elem.MinCells, share-key)
		}
		g.term(s.Elem, share)
	}
	if frame >= 0 {
		g.shares = g.shares[:frame]
	}
}
