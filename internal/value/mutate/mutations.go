//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/schema"

// mutations is the table of mutations: which nodes each applies to, and how its source is
// made. A new mutation is a source in a file of its own and a line here; fragments.go offers terms that exist, and
// fills.go makes terms. If it makes mutants that no other source makes, the twin in naive_test.go makes them too.
//
// Frames ask the sources in this order:
//
//   - first, sources that store all their candidates;
//   - then sources that make a candidate when it is asked for. No two of them make the same one;
//   - then the caller's candidates. They may change over time, and that must not change the numbers of others;
//   - then numbered sources.
var mutations = [...]struct {
	of  func(*schema.Schema) bool
	new func() source
}{
	{isNumber, func() source { return new(values) }},                     // other values of a scalar
	{isText, func() source { return new(words) }},                        // other texts
	{isBlock, func() source { return new(blocks) }},                      // other arrays of scalars
	{hasKids, func() source { return new(subterms) }},                    // a subterm in place of the term around it
	{isCyclic, func() source { return new(nests) }},                      // a term in one of its own subterms
	{isCtor, func() source { return new(ways) }},                         // another constructor, or the same with its fields exchanged
	{isEdited, func() source { return new(listEdits) }},                  // elements dropped, repeated, swapped, inserted
	{HasEntries, func() source { return new(dictionary) }},               // entries of the dictionary
	{(*schema.Schema).HasParts, func() source { return new(fragments) }}, // subterms of other inputs
	{(*schema.Schema).IsText, func() source { return new(textEdits) }},   // edits of a text
	{isBlock, func() source { return new(blockEdits) }},                  // elements of an array changed
}

// newPlans makes new sources, and the plans for all schemas.
func newPlans(w *schema.World) []plan {
	plans := make([]plan, len(w.Schemas))
	for i := range mutations {
		made := mutations[i].new() // one for all schemas: a frame has one node at a time
		last, _ := made.(numbered)
		byslot, _ := made.(drawn)
		for _, s := range w.Schemas {
			if mutations[i].of(s) {
				p := &plans[s.ID]
				p.sources, p.numbered = append(p.sources, made), last
				switch {
				case byslot != nil:
					p.drawn = append(p.drawn, byslot)
				case last == nil:
					p.stored = append(p.stored, made)
				}
			}
		}
	}
	return plans
}
