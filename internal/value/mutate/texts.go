//go:build go1.25

package mutate

import (
	"math/bits"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// textEdits enumerates the edits of a text. A short text with at most textEditsMax edits gets
// each edit once. A longer one gets as many random edits, some of which may be equal. Edits
// before the one with which an interrupted batch goes on are not drawn again.
type textEdits struct {
	edits  text.Edits
	listed bool
	i, n   int
	known  int // the results of edits below known are in seen
	seen   sumSet
}

// textEditsMax is the maximal number of edits of one text.
const textEditsMax = 4096

func (x *textEdits) open(f *frame, want term.Term) bool {
	if f.extent < every || want != nil || !f.enabled(Text) {
		return false
	}
	s := f.node.s
	x.listed = x.edits.Use(f.node.sub.Bytes(0), s.Kind == schema.Bytes, f.scene.caller.supplyOf(s)) && x.edits.Len() <= textEditsMax
	x.i, x.n, x.known = 0, textEditsMax, 0
	if !x.listed {
		return true
	}
	x.n = x.edits.Len()
	x.seen.reset(x.n + len(f.stored) + 1)
	x.seen.add(x.edits.SumOf(x.edits.Text()))
	for _, w := range f.stored {
		x.seen.add(x.edits.SumOf(w.t.Bytes(0)))
	}
	return true
}

func (x *textEdits) skip(n int) { x.i += n }

func (x *textEdits) next(f *frame) bool {
	if x.i >= x.n {
		return false
	}
	i := x.i
	x.i++
	if !x.listed {
		r := f.random(uint64(textPurpose + i))
		edit, ok := x.edits.Draw(&r)
		f.candidate.void = !ok || !x.take(f, edit) || among(f.stored, f.candidate.pieces[0])
		return true
	}
	for ; x.known < i; x.known++ { // the batch was interrupted
		if edit, ok := x.edits.At(x.known); ok {
			x.seen.add(x.edits.Sum(edit))
		}
	}
	x.known++
	edit, ok := x.edits.At(i)
	f.candidate.void = !ok || !x.seen.add(x.edits.Sum(edit)) || !x.take(f, edit)
	return true
}

// textPurpose is the purpose of the random numbers of an edit: see sampler.random.
const textPurpose = 1 << 18

// take makes an edited text the current candidate. It returns false if the text is not allowed
// at this position.
func (x *textEdits) take(f *frame, e text.Edit) bool {
	t := f.mem.lend(e.Term(f.mem.units, f.node.s.ID, x.edits.Text()))
	f.candidate.take(whole{Text, t})
	f.candidate.late = true
	return f.legal(t)
}

// editTries is how many random edits are tried until one is allowed.
const editTries = 24

// random makes a random edit of the text.
func (x *textEdits) random(f *frame, r *rng.Rand) bool {
	if !f.enabled(Text) || r.OneIn(8) {
		return false
	}
	s := f.node.s
	x.edits.Aim(f.node.sub.Bytes(0), s.Kind == schema.Bytes, f.scene.caller.supplyOf(s))
	for range editTries {
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
