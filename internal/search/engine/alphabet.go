//go:build go1.25

package engine

import (
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// alphabet is what edits of texts insert: letters and words that the program compares with,
// according to its source or to recorded comparisons, and other texts of the search.
type alphabet struct {
	supply text.Supply
	known  map[string]bool // letters and words in supply
	heard  int             // how many of them come from recorded comparisons
	texts  int             // texts seen so far

	// Memory of retext.
	fresh         []byte
	part          term.Term
	last, changed term.Term
}

const (
	heardMax    = 128 // letters and words from comparisons
	wordMax     = 32  // bytes of a word
	listedMax   = 64  // words that are tried at each place
	othersMax   = 256
	otherMax    = 1 << 10 // bytes of another text
	punctuation = 3       // the marks of a word of at most so many bytes, or of marks only, are letters too
)

func newAlphabet(literals []string) *alphabet {
	a := &alphabet{known: map[string]bool{}}
	for _, s := range literals {
		a.add(s)
	}
	return a
}

// add adds a text that the program compares with, and reports whether it was unknown.
func (a *alphabet) add(s string) bool {
	if s == "" || len(s) > wordMax || a.known[s] {
		return false
	}
	a.known[s] = true
	if len([]rune(s)) == 1 {
		a.supply.Letters = append(a.supply.Letters, s)
		return true
	}
	if len(a.supply.Words) < listedMax {
		a.supply.Words = append(a.supply.Words, s)
	} else {
		a.supply.More = append(a.supply.More, s)
	}
	if len(s) <= punctuation || strings.IndexFunc(s, func(r rune) bool { return !text.IsMark(r) }) < 0 {
		for _, r := range s {
			if text.IsMark(r) {
				a.add(string(r))
			}
		}
	}
	return true
}

// hear adds both sides of comparisons that a run made.
func (a *alphabet) hear(all []operand.Compared) {
	for _, c := range all {
		if a.heard >= heardMax {
			return
		}
		sides := [2]string{c.X, c.Y}
		if !c.Text {
			sides = [2]string{written(c.A, c.Width), written(c.B, c.Width)}
		}
		for _, s := range sides {
			if a.add(s) {
				a.heard++
			}
		}
	}
}

// written returns a compared number as a letter or, if it is none, in decimal.
func written(x uint64, width uint8) string {
	if x == '\t' || x == '\n' || x == '\r' || x >= ' ' && x <= '~' {
		return string(rune(x))
	}
	free := 64 - 8*width
	return strconv.FormatInt(int64(x<<free)>>free, 10)
}

// collect adds the texts of a term, which must not change.
func (a *alphabet) collect(t term.Term) {
	for pos := range t.Nodes() {
		if t[pos].C != term.Raw || t[pos].X == 0 || t[pos].X > otherMax {
			continue
		}
		if a.texts++; len(a.supply.Others) < othersMax {
			a.supply.Others = append(a.supply.Others, t.Bytes(pos))
		} else {
			a.supply.Others[a.texts%othersMax] = t.Bytes(pos)
		}
	}
}

// empty reports whether nothing is known that a text could consist of.
func (a *alphabet) empty() bool { return len(a.supply.Letters)+len(a.supply.Words) == 0 }

// tokensMax is the maximum number of tokens of a fresh text.
const tokensMax = 12

// text appends a fresh text: some tokens, most of which the program compares with.
func (a *alphabet) text(out []byte, r *rng.Rand) []byte {
	n := 1
	for n < tokensMax && !r.OneIn(4) {
		n++
	}
	for range n {
		letters, words := a.supply.Letters, a.supply.Words
		if len(out) > 0 && r.OneIn(4) {
			out = append(out, ' ')
		}
		switch d := r.Below(16); {
		case d < 7 && len(letters) > 0:
			out = append(out, letters[r.Below(len(letters))]...)
		case d < 11 && len(words) > 0:
			out = append(out, a.supply.Word(r)...)
		case d < 13:
			out = strconv.AppendUint(out, uint64(r.Below(1<<r.Below(12))), 10)
		default:
			out = append(out, byte('a'+r.Below(26)))
		}
	}
	return out
}

// retext replaces about half of the texts of a fresh term by texts of tokens. Texts inside maps
// stay, because the order of the entries depends on the keys, and so do texts whose schema has
// words of its own or a tag.
func (a *alphabet) retext(w *schema.World, t term.Term, r *rng.Rand) term.Term {
	if a.empty() {
		return t
	}
	for pos := 0; pos < len(t); {
		s := w.Of(t[pos])
		switch {
		case s.Kind == schema.Map:
			pos += int(t[pos].N)
			continue
		case t[pos].C == term.Raw:
			if s.IsText() && len(s.Words) == 0 && s.Tag == nil && r.OneIn(2) {
				if a.fresh = a.text(a.fresh[:0], r); s.Fits(a.fresh) {
					a.part = term.AppendRaw(a.part[:0], s.ID, a.fresh)
					a.last, a.changed = a.changed, term.Replace(a.last, t, pos, a.part)
					t = a.changed
				}
			}
			pos += int(t[pos].N)
			continue
		}
		pos++
	}
	return t
}
