//go:build go1.25

package mutate

import (
	"math/bits"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/text"
)

// textStage enumerates the edits of a text, as the last stage of a frame. A short text with at
// most textEdits edits gets each edit once. A longer one gets as many random edits, some of
// which may be equal.
//
// Each number below n is a candidate of the frame, also that of an edit which is not made (see
// frame.void). So a batch that was interrupted goes on with its number, and random edits before
// it are not drawn again.
type textStage struct {
	edits  text.Edits
	listed bool
	i, n   int
	known  int // the results of edits below known are in seen
	seen   sumSet
}

// textEdits is the maximal number of edits of one text.
const textEdits = 4096

// isText reports whether the position is a text that can be edited.
func isText(f *frame) bool {
	return f.m.Kinds&Text != 0 && f.s.IsText()
}

// open prepares the edits of the text at the frame's position, and returns the next stage.
func (x *textStage) open(f *frame) stage {
	if !f.given || f.skipTexts || !isText(f) {
		return stageDone
	}
	x.listed = x.edits.Use(f.sub.Bytes(0), f.s.Kind == schema.Bytes, supplyOf(f)) && x.edits.Len() <= textEdits
	x.i, x.n, x.known = 0, textEdits, 0
	if !x.listed {
		return stageTexts
	}
	x.n = x.edits.Len()
	x.seen.reset(x.n + len(f.made) + len(f.gifts) + 1)
	x.seen.add(x.edits.SumOf(x.edits.Text()))
	for _, all := range [][]whole{f.made, f.gifts} {
		for _, w := range all {
			x.seen.add(x.edits.SumOf(w.t.Bytes(0)))
		}
	}
	return stageTexts
}

func supplyOf(f *frame) text.Supply {
	if f.m.Supply == nil {
		return text.Supply{}
	}
	return f.m.Supply(f.s)
}

// next makes the next edit the current candidate. It returns false if there is none.
func (x *textStage) next(f *frame) bool {
	if x.i >= x.n {
		return false
	}
	i := x.i
	x.i++
	if !x.listed {
		r := f.random(uint64(textPurpose + i))
		edit, ok := x.edits.Draw(&r)
		f.void = !ok || !x.take(f, edit) || among(f.made, f.pieces[0]) || among(f.gifts, f.pieces[0])
		return true
	}
	for ; x.known < i; x.known++ { // the batch was interrupted
		if edit, ok := x.edits.At(x.known); ok {
			x.seen.add(x.edits.Sum(edit))
		}
	}
	x.known++
	edit, ok := x.edits.At(i)
	f.void = !ok || !x.seen.add(x.edits.Sum(edit)) || !x.take(f, edit)
	return true
}

// textPurpose is the purpose of the random numbers of an edit: see the method random.
const textPurpose = 1 << 18

// take makes an edited text the current candidate. It returns false if the text is not allowed
// at this position.
func (x *textStage) take(f *frame, e text.Edit) bool {
	from := len(f.mem)
	f.mem = e.Term(f.mem, f.s.ID, x.edits.Text())
	t := f.mem[from:]
	f.mem = f.mem[:from] // the memory is used again
	f.take(whole{Text, t})
	f.late = true
	return f.legal(t)
}

// randomText makes a random edit of the text at pos the current candidate. It returns false if
// there is no text at pos, and in one of eight cases: then another kind of change is made.
func (m *Mutator) randomText(pos int, r *rng.Rand) bool {
	f := &m.frame
	f.open(pos)
	if f.s.Kind == schema.Block {
		return f.blocks.random(f, r)
	}
	if !isText(f) || r.OneIn(8) {
		return false
	}
	x := &f.texted
	x.edits.Aim(f.sub.Bytes(0), f.s.Kind == schema.Bytes, supplyOf(f))
	for range randomTries {
		if edit, ok := x.edits.Draw(r); ok && x.take(f, edit) {
			return true
		}
	}
	return false
}

// sumSet is a set of hashes. It keeps its memory.
type sumSet struct {
	slots []uint64 // 0 means empty
	shift uint8
}

// reset empties the set, and makes room for n hashes.
func (s *sumSet) reset(n int) {
	log := bits.Len(uint(2*n + 1))
	if cap(s.slots) < 1<<log {
		s.slots = make([]uint64, 1<<log)
	}
	s.slots, s.shift = s.slots[:1<<log], uint8(64-log)
	clear(s.slots)
}

// add adds a hash, and reports whether it is new.
func (s *sumSet) add(h uint64) bool {
	h = max(1, h)
	for i := h * 0x9e3779b97f4a7c15 >> s.shift; ; i = (i + 1) & uint64(len(s.slots)-1) {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			return true
		case h:
			return false
		}
	}
}
