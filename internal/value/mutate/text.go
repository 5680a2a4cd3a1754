//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// textStage enumerates the edits of a text. A short text with at most textEdits edits gets each
// edit once. A longer one gets as many random edits, some of which may be equal.
type textStage struct {
	edits  text.Edits
	listed bool
	i      int
	seen   map[uint64]bool // hashes of the listed edits so far
}

// textEdits is the maximal number of edits of one text.
const textEdits = 4096

// afterGifts prepares the edits of a text, and returns the stage.
func (f *frame) afterGifts() stage {
	if !f.given || f.skipTexts || f.m.Kinds&Text == 0 || f.s.Kind != schema.String && f.s.Kind != schema.Bytes {
		return stageDone
	}
	x := &f.texted
	x.listed = x.edits.Use(f.sub.Bytes(0), f.s.Kind == schema.Bytes, f.supply()) && x.edits.Len() <= textEdits
	x.i = 0
	if x.seen == nil {
		x.seen = map[uint64]bool{}
	}
	clear(x.seen)
	return stageTexts
}

func (f *frame) supply() text.Supply {
	if f.m.Supply == nil {
		return text.Supply{}
	}
	return f.m.Supply(f.s)
}

// nextText moves to the next edit of the text.
func (f *frame) nextText() bool {
	x := &f.texted
	n := textEdits
	if x.listed {
		n = x.edits.Len()
	}
	for x.i < n {
		var edit text.Edit
		var ok bool
		if x.listed {
			edit, ok = x.edits.At(x.i)
		} else {
			r := f.random(uint64(textPurpose + x.i))
			edit, ok = x.edits.Draw(&r)
		}
		x.i++
		if ok && f.edited(edit) {
			return true
		}
	}
	return false
}

// textPurpose is the purpose of the random numbers of an edit: see the method random.
const textPurpose = 1 << 18

// edited makes an edited text the current candidate. It returns false if the text is a candidate
// already, or if the user of the package does not allow it.
func (f *frame) edited(e text.Edit) bool {
	from := len(f.mem)
	f.mem = e.Term(f.mem, f.s.ID, f.texted.edits.Text())
	t := f.mem[from:]
	f.mem = f.mem[:from] // the memory is used again
	if !f.legal(t) || equal(t, f.sub) || among(f.made, t) || among(f.gifts, t) {
		return false
	}
	if f.texted.listed {
		h := term.Hash(t)
		if f.texted.seen[h] {
			return false
		}
		f.texted.seen[h] = true
	}
	f.take(whole{Text, t})
	return true
}

// randomText makes a random edit of the text at pos the current candidate. It returns false if
// there is no text at pos, and in one of eight cases: then another kind of change is made.
func (m *Mutator) randomText(pos int, r *rng.Rand) bool {
	s := m.world.Of(m.t[pos])
	if m.Kinds&Text == 0 || s.Kind != schema.String && s.Kind != schema.Bytes || r.OneIn(8) {
		return false
	}
	f := &m.frame
	f.open(pos)
	f.texted.listed = false
	f.texted.edits.Aim(f.sub.Bytes(0), s.Kind == schema.Bytes, f.supply())
	for range randomTries {
		if edit, ok := f.texted.edits.Draw(r); ok && f.edited(edit) {
			return true
		}
	}
	return false
}
