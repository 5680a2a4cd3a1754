//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// blocks offers other arrays in place of a long array of scalars.
type blocks struct{ stores }

func (*blocks) open(f *frame, _ term.Term) bool {
	if f.enabled(Pure) {
		f.offer(Pure, f.node.s.Least)
	}
	f.offerSamples()
	return true
}

// blockEdits enumerates the changes of a long array that keep most of its elements. An array
// of at most blockPlaces elements is changed at each element, a longer one at some. Changes of
// ranges are drawn, see the method random.
//
// Some of the numbers below n are void, because elements have different numbers of values.
type blockEdits struct {
	places []int32
	i, n   int
	listed int          // the place whose values are listed, -1 if there is none
	values []blockValue // of that place
}

// blockValue is a value to try in place of an element.
type blockValue struct {
	kind Kind
	x    uint64
}

const (
	blockPlaces = 64 // elements that are changed
	blockSlots  = 32 // candidates of an element: its other values, and changes of several elements
)

// The changes of several elements, in the slots after the values.
const (
	blockSwap   = blockSlots - 3 + iota // exchange an element and the next one
	blockBefore                         // make all elements up to this one zero
	blockAfter                          // make all elements from this one on zero
)

func (x *blockEdits) open(f *frame, want term.Term) bool {
	if f.extent < every || want != nil {
		return false
	}
	x.choose(f)
	x.i, x.n, x.listed = 0, len(x.places)*blockSlots, -1
	return true
}

func (x *blockEdits) skip(n int) { x.i += n }

// choose selects the elements to change: all, or those at the ends, some that are not zero, and
// random ones.
func (x *blockEdits) choose(f *frame) {
	x.places = x.places[:0]
	s, memory := f.node.s, f.node.sub.Bytes(0)
	if s.Len <= blockPlaces {
		for i := range s.Len {
			x.places = append(x.places, int32(i))
		}
		return
	}
	for i := s.ItemFrom(memory, 0); i < s.Len && len(x.places) < blockPlaces/2; {
		x.places = append(x.places, int32(i))
		if i++; i < s.Len {
			i = s.ItemFrom(memory, i)
		}
	}
	x.places = append(x.places, 0, 1, int32(s.Len-1))
	r := f.random(blockPurpose)
	for len(x.places) < blockPlaces {
		x.places = append(x.places, int32(r.Below(s.Len)))
	}
	slices.Sort(x.places)
	x.places = slices.Compact(x.places)
}

// blockPurpose is the purpose of the random numbers of a change: see sampler.random.
const blockPurpose = 1 << 18

// next makes the next change the current candidate. It returns false if there is none.
func (x *blockEdits) next(f *frame) bool {
	if x.i >= x.n {
		return false
	}
	i := x.i
	x.i++
	place, slot := i/blockSlots, i%blockSlots
	if slot >= blockSwap {
		x.edit(f, int(x.places[place]), slot)
	} else {
		x.put(f, place, slot)
	}
	return true
}

// put sets an element to one of its other values.
func (x *blockEdits) put(f *frame, place, slot int) {
	if x.listed != place {
		x.list(f, place)
	}
	if f.candidate.void = slot >= len(x.values); f.candidate.void {
		return
	}
	content := x.take(f, x.values[slot].kind, f.node.sub)
	f.node.s.SetItem(content, int(x.places[place]), x.values[slot].x)
	x.check(f)
}

// list lists the values for a place.
func (x *blockEdits) list(f *frame, place int) {
	x.values, x.listed = x.values[:0], place
	s, memory, at := f.node.s, f.node.sub.Bytes(0), int(x.places[place])
	now := s.Item(memory, at)
	add := func(k Kind, y uint64) {
		known := func(v blockValue) bool { return v.x == y }
		if f.enabled(k) && y != now && len(x.values) < blockSwap && !slices.ContainsFunc(x.values, known) {
			x.values = append(x.values, blockValue{k, y})
		}
	}
	add(Pure, s.Elem.Simplest())
	for _, y := range s.Elem.Consts {
		add(Pure, y)
	}
	if at > 0 {
		add(Lists, s.Item(memory, at-1))
	}
	if at+1 < s.Len {
		add(Lists, s.Item(memory, at+1))
	}
	if f.enabled(Sampled) {
		from := &f.scene.sampler
		r := f.random(uint64(blockPurpose + 1 + place*blockSlots))
		for range from.draw.samples {
			add(Sampled, from.gen.Part(r.Split(), s.Elem, from.draw.size)[0].X)
		}
	}
	for i, t := range f.scene.caller.entriesOf(s.Elem, term.Term{{S: s.Elem.ID, N: 1, X: now}}) {
		if i < f.scene.config.DictionaryMax && t[0].S == s.Elem.ID {
			add(Dictionary, t[0].X)
		}
	}
}

// edit changes several elements. A change that has the result of another one is void.
func (x *blockEdits) edit(f *frame, at, slot int) {
	if f.candidate.void = !f.enabled(Lists); f.candidate.void {
		return
	}
	switch slot {
	case blockSwap:
		x.swap(f, at)
	case blockBefore:
		x.zero(f, at, 0, at+1)
	case blockAfter:
		x.zero(f, at, at, f.node.s.Len)
	}
}

// swap exchanges an element and the next one.
func (x *blockEdits) swap(f *frame, at int) {
	s, memory := f.node.s, f.node.sub.Bytes(0)
	this := s.Item(memory, at)
	if f.candidate.void = at+1 >= s.Len || s.Item(memory, at+1) == this; f.candidate.void {
		return
	}
	content := x.take(f, Lists, f.node.sub)
	s.SetItem(content, at, s.Item(memory, at+1))
	s.SetItem(content, at+1, this)
	x.check(f)
}

// zero makes a range of elements zero, which begins or ends with the element at.
func (x *blockEdits) zero(f *frame, at, from, to int) {
	s, memory := f.node.s, f.node.sub.Bytes(0)
	isZero := func(from, to int) bool { return from >= to || s.ItemFrom(memory, from) >= to }
	// The range ends with an element that is not zero and has another one, and so has the rest.
	f.candidate.void = isZero(at, at+1) || isZero(from, at) && isZero(at+1, to) || isZero(0, from) && isZero(to, s.Len)
	if f.candidate.void {
		return
	}
	width := s.Elem.Bits / 8
	clear(x.take(f, Lists, f.node.sub)[from*width : to*width])
	x.check(f)
}

// take makes a copy of t the current candidate, and returns its content. The memory is used
// again for the next one.
func (x *blockEdits) take(f *frame, k Kind, t term.Term) []byte {
	t = f.mem.lend(append(f.mem.units, t...))
	f.candidate.take(whole{k, t})
	f.candidate.late = true
	return t.Bytes(0)
}

// check makes the current candidate void if it is one already.
func (x *blockEdits) check(f *frame) { f.candidate.void = among(f.stored, f.candidate.pieces[0]) }

// random makes a random change of the array.
func (x *blockEdits) random(f *frame, r *rng.Rand) bool {
	if !f.enabled(Text) || r.OneIn(8) {
		return false
	}
	from := &f.scene.sampler
	x.take(f, Text, from.gen.Vary(r.Split(), f.node.s, f.node.sub, from.draw.size))
	return !equal(f.candidate.pieces[0], f.node.sub)
}
