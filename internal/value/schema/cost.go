//go:build go1.25

package schema

// Cost returns 1 if constructor c counts as a cell (see Measure), else 0.
func (s *Schema) Cost(c int) int { return s.cellCost(c) }

// Ways returns the number of alternatives for a term of s: its constructors (a
// scalar or a list counts as one), and then its patterns. Odds are in this order.
func (s *Schema) Ways() int { return s.Plain() + len(s.Patterns) }

// Plain returns how many of the Ways are not patterns.
func (s *Schema) Plain() int { return max(1, len(s.Ctors)) }
