package schema

// Cost returns 1 if constructor c is a cell, else 0.
func (s *Schema) Cost(c int) int { return s.cellCost(c) }

// Ways returns how many ways there are to begin a term of s: its constructors, or
// the one way of a scalar or list, and then its patterns. Odds are in this order.
func (s *Schema) Ways() int { return s.Plain() + len(s.Patterns) }

// Plain returns how many of the Ways are not patterns.
func (s *Schema) Plain() int { return max(1, len(s.Ctors)) }
