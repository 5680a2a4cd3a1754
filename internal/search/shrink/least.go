//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// leastRuns replaces subterms of about the same size by the minimal terms of their
// schemas: first all of them at once, then half of them, and so on. Large subterms come
// first.
func leastRuns(s *shrinker) {
	for size := len(s.best); size > 0 && !s.spent(); size /= 2 {
		edits := leastEdits(s, size)
		for many := len(edits); many > 0 && !s.spent(); many = min(many/2, len(edits)) {
			for from := 0; from < len(edits) && !s.spent(); {
				if s.rewrite(edits[from:min(from+many, len(edits))]) {
					s.moved = false
					edits = leastEdits(s, size) // the subterms just replaced are no longer in the list
				} else {
					from += many
				}
			}
		}
	}
}

// leastEdits returns edits for the subterms of size/2 to size units that are not minimal
// yet. A subterm inside another one of the list is left out.
func leastEdits(s *shrinker, size int) (edits []edit) {
	for i := 0; i < len(s.best); {
		n := int(s.best[i].N)
		if least := s.at(i).Least; n <= size && n > size/2 && !term.Equal(least, s.best.Sub(i)) {
			edits = append(edits, edit{i, least})
			i += n
		} else {
			i = after(s.best, i)
		}
	}
	return edits
}

// leastEach replaces subterms by minimal terms one by one, including subterms inside
// others of about the same size.
func leastEach(s *shrinker) {
	for i := 0; i < len(s.best) && !s.spent(); i = s.next(i) {
		if least := s.at(i).Least; s.at(i).Kind != schema.Scalar && !term.Equal(least, s.best.Sub(i)) {
			s.replace(i, least)
		}
	}
}
