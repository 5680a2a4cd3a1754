//go:build go1.25

package schema

// Cost returns 1 if constructor c counts as a cell (see Measure), else 0.
func (s *Schema) Cost(c int) int { return s.cellCost(c) }

// ElemCost returns how many cells element i of a list counts at least, even if it contains
// none: 1, or 0 if every list of the schema has such an element. So an array costs nothing
// by itself, and neither does the fixed part of a text that must match an expression. If s
// is not a list, the result is 0.
func (s *Schema) ElemCost(i int) int {
	if s.Kind == Map || s.Kind == Slice && i >= s.LenMin {
		return 1
	}
	return 0
}

// Ways returns the number of alternatives for a term of s: its constructors (a
// scalar or a list counts as one), and then its patterns. Odds are in this order.
func (s *Schema) Ways() int { return s.Plain() + len(s.Patterns) }

// Plain returns how many of the Ways are not patterns.
func (s *Schema) Plain() int { return max(1, len(s.Ctors)) }
