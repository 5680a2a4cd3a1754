//go:build go1.25

package mutate

import (
	"slices"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// whole offers other arrays in place of a long array of scalars.
func (x *blockStage) whole(f *frame) {
	if f.m.Kinds&Pure != 0 {
		f.offer(Pure, f.s.Least)
	}
	if f.m.Kinds&Sampled != 0 {
		f.samples()
	}
}

// blockStage enumerates the changes of a long array that keep most of its elements, as the
// last stage of a frame. An array of at most blockPlaces elements is changed at each element,
// a longer one at some. Changes of ranges are drawn, see the method random.
//
// Each number below n is a candidate of the frame, as in a textStage. Some of them are void,
// because elements have different numbers of values.
type blockStage struct {
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
	blockSlots  = 32 // candidates of an element: its other values, and blockEdits
	blockEdits  = 3
)

// The changes of several elements, in the slots after the values.
const (
	blockSwap   = blockSlots - blockEdits + iota // exchange an element and the next one
	blockBefore                                  // make all elements up to this one zero
	blockAfter                                   // make all elements from this one on zero
)

// open prepares the changes of the array at the frame's position, and returns the next stage.
func (x *blockStage) open(f *frame) stage {
	if !f.given || f.skipTexts {
		return stageDone
	}
	x.choose(f)
	x.i, x.n, x.listed = 0, len(x.places)*blockSlots, -1
	return stageBlocks
}

// choose selects the elements to change: all, or those at the ends, some that are not zero, and
// random ones.
func (x *blockStage) choose(f *frame) {
	x.places = x.places[:0]
	if f.s.Len <= blockPlaces {
		for i := range f.s.Len {
			x.places = append(x.places, int32(i))
		}
		return
	}
	memory := f.sub.Bytes(0)
	for i := f.s.ItemFrom(memory, 0); i < f.s.Len && len(x.places) < blockPlaces/2; {
		x.places = append(x.places, int32(i))
		if i++; i < f.s.Len {
			i = f.s.ItemFrom(memory, i)
		}
	}
	x.places = append(x.places, 0, 1, int32(f.s.Len-1))
	r := f.random(blockPurpose)
	for len(x.places) < blockPlaces {
		x.places = append(x.places, int32(r.Below(f.s.Len)))
	}
	slices.Sort(x.places)
	x.places = slices.Compact(x.places)
}

// blockPurpose is the purpose of the random numbers of a change: see the method random.
const blockPurpose = 1 << 18

// next makes the next change the current candidate. It returns false if there is none.
func (x *blockStage) next(f *frame) bool {
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
func (x *blockStage) put(f *frame, place, slot int) {
	if x.listed != place {
		x.list(f, place)
	}
	if f.void = slot >= len(x.values); f.void {
		return
	}
	x.take(f, x.values[slot].kind, f.sub)
	f.s.SetItem(f.pieces[0].Bytes(0), int(x.places[place]), x.values[slot].x)
	f.void = among(f.made, f.pieces[0]) || among(f.gifts, f.pieces[0])
}

// list lists the values for a place.
func (x *blockStage) list(f *frame, place int) {
	x.values, x.listed = x.values[:0], place
	s, memory, at := f.s, f.sub.Bytes(0), int(x.places[place])
	now := s.Item(memory, at)
	add := func(k Kind, y uint64) {
		known := func(v blockValue) bool { return v.x == y }
		if f.m.Kinds&k != 0 && y != now && len(x.values) < blockSwap && !slices.ContainsFunc(x.values, known) {
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
	eachEnd(s.Elem, now, func(y uint64) { add(Boundaries, y) })
	if f.m.Kinds&Sampled != 0 {
		r := f.random(uint64(blockPurpose + 1 + place*blockSlots))
		for range f.m.samples {
			add(Sampled, f.m.gen.Part(r.Split(), s.Elem, f.m.size)[0].X)
		}
	}
	if f.m.Kinds&Dictionary != 0 && f.m.Dictionary != nil {
		for i, t := range f.m.Dictionary(s.Elem, term.Term{{S: s.Elem.ID, N: 1, X: now}}) {
			if i < f.m.DictionaryMax && t[0].S == s.Elem.ID {
				add(Dictionary, t[0].X)
			}
		}
	}
}

// edit changes several elements. A change that has the result of another one is void.
func (x *blockStage) edit(f *frame, at, slot int) {
	s, memory := f.s, f.sub.Bytes(0)
	this := s.Item(memory, at)
	from, to := 0, at+1
	switch slot {
	case blockSwap:
		f.void = f.m.Kinds&Lists == 0 || at+1 >= s.Len || s.Item(memory, at+1) == this
		if f.void {
			return
		}
		x.take(f, Lists, f.sub)
		s.SetItem(f.pieces[0].Bytes(0), at, s.Item(memory, at+1))
		s.SetItem(f.pieces[0].Bytes(0), at+1, this)
		f.void = among(f.made, f.pieces[0]) || among(f.gifts, f.pieces[0])
		return
	case blockAfter:
		from, to = at, s.Len
	}
	zero := func(from, to int) bool { return from >= to || s.ItemFrom(memory, from) >= to }
	// The range ends with an element that is not zero and has another one, and so has the rest.
	f.void = f.m.Kinds&Lists == 0 || zero(at, at+1) || zero(from, at) && zero(at+1, to) || zero(0, from) && zero(to, s.Len)
	if f.void {
		return
	}
	x.take(f, Lists, f.sub)
	width := s.Elem.Bits / 8
	clear(f.pieces[0].Bytes(0)[from*width : to*width])
	f.void = among(f.made, f.pieces[0]) || among(f.gifts, f.pieces[0])
}

// take makes a copy of t the current candidate. The memory is used again for the next one.
func (x *blockStage) take(f *frame, k Kind, t term.Term) {
	from := len(f.mem)
	f.mem = append(f.mem, t...)
	t = f.mem[from:]
	f.mem = f.mem[:from]
	f.take(whole{k, t})
	f.late = true
}

// random makes a random change of the array at this position the current candidate. It
// returns false in one of eight cases: then another kind of change is made.
func (x *blockStage) random(f *frame, r *rng.Rand) bool {
	if f.m.Kinds&Text == 0 || r.OneIn(8) {
		return false
	}
	x.take(f, Text, f.m.gen.Vary(r.Split(), f.s, f.sub, f.m.size))
	return !equal(f.pieces[0], f.sub)
}
