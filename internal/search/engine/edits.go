//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/value/mutate"
)

// balance counts mutants from the queue: edits of texts, and all others.
type balance struct{ edits, others int }

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
// later: it is an edit of a text, and a larger share of mutants than Line.Edits were edits. If the
// input is a text, there is hardly anything else to do.
func (l *line) defers(k *kept, kind mutate.Kind) bool {
	if kind != mutate.Text || l.Edits == 0 || k.late || l.world.Root.IsText() {
		return false
	}
	return (l.balance.edits-editsFirst)*(64-l.Edits) > l.balance.others*l.Edits
}
