//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// caller is what the user of the package supplies for candidates.
type caller interface {
	fragmentsOf(s *schema.Schema) []term.Term
	entriesOf(s *schema.Schema, now term.Term) []term.Term
	supplyOf(s *schema.Schema) text.Supply
}

// window is the fragments that are tried at a position, from the one with the index from on. After the last fragment
// comes the first one.
type window struct {
	all         []term.Term
	from, tries int
}

// fragmentTries is how many fragments are tried for each candidate that is needed.
const fragmentTries = 4

func (w *window) at(i int) term.Term {
	if i += w.from; i >= len(w.all) {
		i -= len(w.all)
	}
	return w.all[i]
}

func (w window) has(t term.Term) bool {
	for i := range w.tries {
		if equal(w.at(i), t) {
			return true
		}
	}
	return false
}
