//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/mutate"
)

// balance counts mutants from the queue, edits of texts and all others, to limit the edits.
type balance struct {
	edits, others int
	most          int // edits of 64 mutants, see BatchSettings.Edits; 0 means no limit
}

// editsFirst is how many edits are made before others are counted, so that the first texts of a
// search get some.
const editsFirst = 64

// count counts a mutant that is run.
func (b *balance) count(kind mutate.Kind) {
	if kind == mutate.Text {
		b.edits++
	} else {
		b.others++
	}
}

// defers reports whether a mutant of this kind, and the rest of the mutants at its place, are made
// later: it is an edit of a text, and a larger share of mutants than the limit were edits.
func (b *balance) defers(kind mutate.Kind) bool {
	return kind == mutate.Text && b.most > 0 && (b.edits-editsFirst)*(64-b.most) > b.others*b.most
}
