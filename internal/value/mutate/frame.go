//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// frame enumerates the candidates for one position of the current parent: the terms
// that may replace the subterm at this position.
//
// A candidate is a list of pieces. It is either a node for the new constructor,
// followed by parts of the parent, or a single piece that was made as a whole or
// supplied by the caller. So a candidate can be measured and compared before it is
// copied. Candidates of one frame differ from each other and from the subterm that
// they replace.
type frame struct {
	m     *Mutator
	pos   int
	s     *schema.Schema
	sub   term.Term // the subterm to replace
	given bool      // also enumerate candidates supplied by the caller
	// skipTexts leaves out edits of texts and blocks: a random edit is drawn without a list of all.
	skipTexts bool

	// The current candidate.
	pieces []term.Term
	size   int // in units of package term
	kind   Kind
	single int          // the first field that changes, if only one or two fields change, or -1
	second int          // the second field that changes, if two fields change, or -1
	to     [2]term.Term // the new terms of the fields single and second
	whole  bool         // the candidate is a single piece
	void   bool         // there is no candidate of this number
	late   bool         // the candidate comes from a stage that the method has does not search

	stage stage
	i     int
	made  []whole // candidates of a single piece: subterms, or values of a scalar
	gifts []whole // candidates supplied by the caller: fragments, or entries of the dictionary
	head  [1]term.Node
	mem   term.Term // memory of made candidates and fills
	text  []byte    // scratch

	kids   []term.Term // fields or elements of sub
	kidPos []int32
	items  []term.Term // terms that fields can be filled with, by group
	groups []group
	ways   ways
	edits  edits
	texted textStage
	blocks blockStage
	cut    uint32 // number of ways omitted because of WaysMax

	probe *frame // a second frame, to enumerate the candidates of another position
}

// whole is a candidate of a single piece.
type whole struct {
	kind Kind
	t    term.Term
}

type stage uint8

// The caller's candidates (gifts) come last, because they may change over time, and
// that must not change the numbers of the other candidates.
const (
	stageMade stage = iota
	stageWays
	stageEdits
	stageOpenGifts
	stageGifts
	stageTexts
	stageBlocks
	stageDone
)

// open moves to pos, without candidates.
func (f *frame) open(pos int) {
	f.pos, f.given, f.s, f.sub = pos, true, f.m.world.Of(f.m.t[pos]), f.m.t.Sub(pos)
	f.stage, f.i, f.cut = stageMade, 0, 0
	f.made, f.gifts, f.mem = f.made[:0], f.gifts[:0], f.mem[:0]
	f.kids, f.kidPos, f.items, f.groups = f.kids[:0], f.kidPos[:0], f.items[:0], f.groups[:0]
}

// start begins the enumeration at pos.
func (f *frame) start(pos int, given bool) {
	m := f.m
	f.open(pos)
	f.given = given
	switch {
	case f.s.Kind == schema.Scalar:
		f.numbers()
	case f.s.Kind == schema.Block:
		f.blocks.whole(f)
	case f.s.IsScalar():
		f.texts()
	default:
		f.findKids()
		if m.cyclic[f.s.ID] && m.Kinds&Pure != 0 {
			f.subterms(pos)
		}
	}
}

func (f *frame) findKids() {
	t := f.m.t
	for k, end := f.pos+1, f.pos+len(f.sub); k < end; k += int(t[k].N) {
		f.kidPos = append(f.kidPos, int32(k))
		f.kids = append(f.kids, t.Sub(k))
	}
}

// subterms offers the nearest subterms of the same schema, also those inside lists
// and structs. In a tree these are the children, whether they are two fields or a
// list.
func (f *frame) subterms(pos int) {
	t := f.m.t
	for k, end := pos+1, pos+int(t[pos].N); k < end; k += int(t[k].N) {
		if t[k].S == f.s.ID {
			f.offer(Pure, t.Sub(k))
			continue
		}
		switch s := f.m.world.Of(t[k]); s.Kind {
		case schema.Slice, schema.Array, schema.Map, schema.Struct:
			if f.m.cyclic[s.ID] {
				f.subterms(k)
			}
		}
	}
}

// offer adds a candidate of a single piece, unless it is a candidate already.
func (f *frame) offer(k Kind, t term.Term) {
	if !equal(t, f.sub) && !among(f.made, t) {
		f.made = append(f.made, whole{k, t})
	}
}

func among(all []whole, t term.Term) bool {
	return slices.ContainsFunc(all, func(w whole) bool { return equal(w.t, t) })
}

// equal compares subterms. It compares the first units first, because most different
// subterms differ there.
func equal(a, b term.Term) bool { return a[0] == b[0] && term.Equal(a, b) }

// next moves to the next candidate. It returns false if there is none.
func (f *frame) next() bool {
	for {
		switch f.stage {
		case stageMade:
			if f.i < len(f.made) {
				f.take(f.made[f.i])
				f.i++
				return true
			}
			f.stage = f.afterMade()
		case stageWays:
			for f.nextWay() {
				if f.new() {
					return true
				}
			}
			f.stage = stageOpenGifts
		case stageEdits:
			for f.nextEdit() {
				if f.new() {
					return true
				}
			}
			f.stage = stageOpenGifts
		case stageOpenGifts:
			f.openGifts()
			f.stage, f.i = stageGifts, 0
		case stageGifts:
			if f.i < len(f.gifts) {
				f.take(f.gifts[f.i])
				f.i++
				return true
			}
			if f.stage = f.texted.open(f); f.s.Kind == schema.Block {
				f.stage = f.blocks.open(f)
			}
		case stageTexts:
			if f.texted.next(f) {
				return true
			}
			f.stage = stageDone
		case stageBlocks:
			if f.blocks.next(f) {
				return true
			}
			f.stage = stageDone
		default:
			return false
		}
	}
}

// skip moves over n candidates. Those that are edits of a text or of a block are not made.
func skip(f *frame, n int) {
	for ; n > 0; n-- {
		if f.stage == stageTexts {
			f.texted.i += n
			return
		}
		if f.stage == stageBlocks {
			f.blocks.i += n
			return
		}
		f.next()
	}
}

// nth makes candidate i the current one, after all n candidates were enumerated. It
// enumerates candidates of several pieces again; the others are stored.
func (f *frame) nth(i, n int) {
	if i < len(f.made) {
		f.take(f.made[i])
		return
	}
	if gift := i - (n - len(f.gifts)); gift >= 0 {
		f.take(f.gifts[gift])
		return
	}
	f.start(f.pos, false)
	for range i + 1 {
		f.next()
	}
}

// afterMade prepares the enumeration of candidates of several pieces, and returns
// its stage.
func (f *frame) afterMade() stage {
	switch {
	case f.s.IsScalar() || f.m.Kinds&(Pure|Lists|Filled) == 0:
		return stageOpenGifts
	case f.s.Kind == schema.Slice || f.s.Kind == schema.Map || f.s.Kind == schema.Array && f.s.Len > arrayWays:
		f.openEdits()
		return stageEdits
	}
	f.openWays()
	return stageWays
}

func (f *frame) take(w whole) {
	f.pieces = append(f.pieces[:0], w.t)
	f.size, f.kind, f.single, f.second, f.whole, f.void, f.late = len(w.t), w.kind, -1, -1, true, false, false
}

// put begins a candidate of several pieces, add adds a piece, and seal ends it.
func (f *frame) put(c uint16, x uint64) {
	f.head[0] = term.Node{S: f.s.ID, C: c, X: x}
	f.pieces = append(f.pieces[:0], f.head[:])
	f.size, f.single, f.second, f.whole, f.void, f.late = 1, -1, -1, false, false, false
}

func (f *frame) add(t term.Term) {
	f.pieces = append(f.pieces, t)
	f.size += len(t)
}

func (f *frame) seal(k Kind) {
	f.head[0].N = uint32(f.size)
	f.kind = k
}

// new reports whether the current candidate, which has several pieces, is of an
// enabled kind and differs from the candidates of a single piece.
func (f *frame) new() bool {
	if f.m.Kinds&f.kind == 0 {
		return false
	}
	for i := range f.made {
		if f.is(f.made[i].t) {
			return false
		}
	}
	return true
}

// is reports whether the current candidate equals t.
func (f *frame) is(t term.Term) bool {
	if f.size != len(t) || f.pieces[0][0] != t[0] {
		return false
	}
	for _, p := range f.pieces {
		if !term.Equal(p, t[:len(p)]) {
			return false
		}
		t = t[len(p):]
	}
	return true
}

// has reports whether t is one of the candidates at pos. It does not enumerate
// candidates that cannot equal t, which are usually all of them.
func (f *frame) has(pos int, given bool, t term.Term) bool {
	f.start(pos, given)
	if among(f.made, t) {
		return true
	}
	f.stage = f.afterMade()
	if f.stage == stageWays {
		if !f.mayBeWay(t) {
			f.stage = stageOpenGifts
		}
		f.ways.only = int(t[0].C)
	}
	if f.stage == stageOpenGifts && !(given && f.drawn(t)) {
		return false
	}
	for f.next() {
		if f.is(t) {
			return true
		}
	}
	return false
}

// openGifts collects the candidates that the user of the package supplies for this place
// (Mutator.Dictionary, Mutator.Fragments), without those that other stages try in any case.
func (f *frame) openGifts() {
	if !f.given {
		return
	}
	m := f.m
	scalar := f.s.IsScalar()
	if (scalar || f.s.IsMatch()) && m.Kinds&Dictionary != 0 && m.Dictionary != nil {
		for _, t := range m.Dictionary(f.s, f.sub) {
			if len(f.gifts) == m.DictionaryMax {
				break
			}
			f.gift(Dictionary, t)
		}
	}
	if f.s.HasParts() && m.Kinds&Fragments != 0 && m.Fragments != nil {
		f.drawFragments(m.Fragments(f.s))
	}
}

// drawFragments adds FragmentsMax consecutive fragments as candidates, starting at a
// random one.
func (f *frame) drawFragments(all []term.Term) {
	from, n := drawFrom(f, all)
	words := len(f.gifts)
	for i := range n {
		if len(f.gifts)-words == f.m.FragmentsMax {
			return
		}
		f.gift(Fragments, all[(from+i)%len(all)])
	}
}

// drawFrom returns the index of the first fragment to try, and how many to try.
func drawFrom(f *frame, all []term.Term) (from, n int) {
	if len(all) == 0 {
		return 0, 0
	}
	r := f.random(0)
	return r.Below(len(all)), min(len(all), fragmentTries*f.m.FragmentsMax)
}

// drawn reports whether t is one of the fragments that drawFragments tries at this
// position, or may be an entry of the dictionary.
func (f *frame) drawn(t term.Term) bool {
	if f.s.IsMatch() && f.m.Kinds&Dictionary != 0 {
		return true
	}
	if f.m.Kinds&Fragments == 0 || f.m.Fragments == nil || !f.s.HasParts() {
		return false
	}
	all := f.m.Fragments(f.s)
	from, n := drawFrom(f, all)
	for i := range n {
		if equal(all[(from+i)%len(all)], t) {
			return true
		}
	}
	return false
}

// fragmentTries is how many fragments are tried for each candidate that is needed.
const fragmentTries = 4

func (f *frame) gift(k Kind, t term.Term) {
	if !f.legal(t) || equal(t, f.sub) || among(f.made, t) || among(f.gifts, t) {
		return
	}
	if !f.s.IsScalar() && f.probed().has(f.pos, false, t) {
		return
	}
	f.gifts = append(f.gifts, whole{k, t})
}

// legal reports whether t is a valid term of the schema of this position.
func (f *frame) legal(t term.Term) bool {
	return t[0].S == f.s.ID && (f.s.Kind != schema.Scalar || f.s.In(t[0].X)) && (!f.s.UTF8 || f.s.Fits(t.Bytes(0)))
}

func (f *frame) probed() *frame {
	if f.probe == nil {
		f.probe = &frame{m: f.m}
	}
	return f.probe
}
