//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/term"

// dictionary offers terms of Mutator.Dictionary in place of a scalar, a text or a list.
type dictionary struct {
	stores
	entries []term.Term // for the method pick
}

func (d *dictionary) open(f *frame, want term.Term) bool {
	if f.extent == own || want != nil && f.node.s.IsScalar() {
		return false
	}
	from := len(f.stored)
	for _, t := range f.scene.caller.entriesOf(f.node.s, f.node.sub) {
		if len(f.stored)-from == f.scene.config.DictionaryMax {
			break
		}
		f.offerGiven(Dictionary, t)
	}
	return true
}

func (d *dictionary) slots(f *frame) int {
	d.entries = f.scene.caller.entriesOf(f.node.s, f.node.sub)
	return min(len(d.entries), f.scene.config.DictionaryMax)
}

func (d *dictionary) pick(f *frame, slot int) bool {
	if len(d.entries) <= f.scene.config.DictionaryMax {
		t := d.entries[slot]
		return indexOf(d.entries[:slot], t) < 0 && f.takeGiven(Dictionary, t)
	}
	for i, t := range d.entries { // slots are for the first entries that are candidates
		if indexOf(d.entries[:i], t) < 0 && f.takeGiven(Dictionary, t) {
			if slot == 0 {
				return true
			}
			slot--
		}
	}
	return false
}

// isEntry reports whether t is a candidate from the dictionary.
func (f *frame) isEntry(t term.Term) bool {
	p := f.probed()
	p.start(f.node.pos, given)
	new(dictionary).open(p, nil)
	return among(p.stored, t)
}
