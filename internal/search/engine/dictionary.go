//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// dictionary lists what to try in place of a scalar (a number or text) or a list of a term: first
// the values that the program compared the scalar with, then other scalars of the term,
// then constants in the source of the program.
type dictionary struct {
	literals func(*schema.Schema) []term.Term

	term     term.Term // the term that is being changed
	compared []operand.Compared
	list     []term.Term
}

// entriesMax is the maximum number of entries from each of the three sources. A text has more
// from comparisons, because each of its letters may be compared.
const (
	entriesMax     = 4
	textEntriesMax = 24
)

// use sets the term that will be changed, and what it was compared with.
func (d *dictionary) use(t term.Term, compared []operand.Compared) { d.term, d.compared = t, compared }

// of returns terms of schema s to try in place of now, without duplicates.
func (d *dictionary) of(s *schema.Schema, now term.Term) []term.Term {
	d.list = d.list[:0]
	most := entriesMax
	if s.Kind != schema.Scalar {
		most = textEntriesMax
	}
	if len(d.compared) > 0 {
		d.list = append(d.list, operand.Candidates(s, now, d.compared, most)...)
	}
	if s.IsList() {
		return d.list // of other lengths
	}
	d.present(s, len(d.list)+entriesMax)
	if d.literals != nil {
		if all := d.literals(s); len(all) > 0 {
			from := int(term.Hash(d.term) >> 1)
			for i := range min(entriesMax, len(all)) {
				d.add(all[(from+i)%len(all)])
			}
		}
	}
	return d.list
}

// present adds the scalars of schema s that already occur in the term. For
// example, they can be names that the term binds, keys that it contains, or sizes. present
// stops when the length of the list exceeds most.
func (d *dictionary) present(s *schema.Schema, most int) {
	for pos := 0; pos < len(d.term); pos++ { // not Nodes: this is called for many changes
		n := &d.term[pos]
		if n.S == s.ID {
			d.add(d.term.Sub(pos))
			if len(d.list) > most {
				return
			}
		}
		if n.C == term.Raw {
			pos += int(n.N) - 1
		}
	}
}

func (d *dictionary) add(t term.Term) {
	if !slices.ContainsFunc(d.list, func(old term.Term) bool { return term.Equal(old, t) }) {
		d.list = append(d.list, t)
	}
}
