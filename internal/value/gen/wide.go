//go:build go1.25

package gen

import "github.com/allele-go/allele/internal/value/schema"

// A struct with many optional fields, such as a Kubernetes Pod, would have nearly all of them empty
// if its budget were all that it gets, since at most six fields share a budget. Most terms of such a
// type fill a random part of the fields with at least one element each, in addition to the budget.

const (
	// wideMin is the number of optional fields of a wide constructor: twice as many as share a budget.
	wideMin = 2 * splitMax
	// narrowIn means that one term in narrowIn has its budget only.
	narrowIn = 8
	// fillMax is the number of shares of the fields that are filled: 1/fillMax, and so on up to all.
	fillMax = 4
)

// optional counts the fields of a constructor that may be empty, and the cells of one element in
// each. It also counts those of structs that are fields: these are part of the constructor.
func optional(c *schema.Ctor) (fields, cells int) {
	for _, f := range c.Fields {
		n, cost := 1, one(f.S)
		if cost == 0 {
			n = 0
		}
		if f.S.Kind == schema.Struct {
			n, cost = optional(&f.S.Ctors[0])
		}
		fields, cells = fields+n, min(cells+cost, schema.Unbounded)
	}
	return fields, cells
}

// one returns the cells of a list with one element, or of a pointer that is not nil; otherwise 0.
func one(s *schema.Schema) int {
	switch {
	case s.Kind == schema.Pointer:
		return s.CtorCells(1)
	case (s.Kind == schema.Slice || s.Kind == schema.Map) && s.LenMax == 0:
		return elemCells(s)
	}
	return 0
}

// widen decides how many fields of the first wide constructor of the current term are filled.
func (g *Gen) widen(size int) {
	g.fill, g.within = 0, false
	if g.room > 0 && size > 0 && !g.r.OneIn(narrowIn) {
		g.fill = 1 + g.r.Below(fillMax)
	}
}

// wideFields appends the fields of a wide constructor, once in a term.
func (g *Gen) wideFields(s *schema.Schema, c, n int) {
	g.within = true
	g.fields(s, c, n)
	g.fill, g.within = 0, false
}

// part appends a field of a wide constructor, or of a part of one, with about n cells. The field may
// be one of those that are filled.
func (g *Gen) part(s *schema.Schema, n int) {
	if s.Kind == schema.Struct {
		g.term(s, n)
		return
	}
	fill := g.fill
	g.fill, g.within = 0, false // the elements of s have their budget only
	if cells := one(s); cells > 0 && g.r.Below(fillMax) < fill {
		g.filled(s, max(n, cells))
	} else {
		g.term(s, n)
	}
	g.fill, g.within = fill, true
}

// filled appends a list that is not empty, or a pointer that is not nil. If there are odds or a
// tag, these decide.
func (g *Gen) filled(s *schema.Schema, n int) {
	c := 1
	switch {
	case g.odd[s.ID] != nil || g.asks(s) != nil:
		g.term(s, n)
		return
	case s.Kind == schema.Pointer:
		at := g.open(s, 1, 0)
		g.fields(s, 1, n)
		g.seal(at)
	default:
		c = 0
		g.listOf(s, 1+g.r.Below(n/elemCells(s)), n)
	}
	if g.tally != nil {
		g.tally[s.ID][c]++
	}
}
