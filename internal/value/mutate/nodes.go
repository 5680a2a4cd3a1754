//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/schema"

// This file says which changes the nodes of a schema get.

// arrayWays is the length of the longest array that is treated as a constructor
// with that many fields; longer arrays are edited like lists.
const arrayWays = 4

func isNumber(s *schema.Schema) bool { return s.Kind == schema.Scalar }
func isBlock(s *schema.Schema) bool  { return s.Kind == schema.Block }
func isText(s *schema.Schema) bool   { return s.IsScalar() && !isNumber(s) && !isBlock(s) }
func isCyclic(s *schema.Schema) bool { return hasKids(s) && !s.IsList() }
func hasKids(s *schema.Schema) bool  { return !s.IsScalar() }

// isEdited reports whether nodes of a schema are edited like lists.
func isEdited(s *schema.Schema) bool {
	return s.Kind == schema.Slice || s.Kind == schema.Map || s.Kind == schema.Array && s.Len > arrayWays
}

// isCtor reports whether nodes of a schema are constructors with fields.
func isCtor(s *schema.Schema) bool { return hasKids(s) && !isEdited(s) }

// HasEntries reports whether the dictionary may have terms of a schema: scalars and texts, and lists of other lengths.
func HasEntries(s *schema.Schema) bool {
	return s.IsScalar() || s.IsMatch() || s.Kind == schema.Slice || s.Kind == schema.Map
}

// rigid reports whether the least term is the only fill for a field of schema s.
func rigid(s *schema.Schema) bool {
	return len(s.Least) == 1 && !s.IsScalar() && s.Kind != schema.Choice
}

// isEnum reports whether a schema has few values: declared values, constants, or a
// bool.
func isEnum(s *schema.Schema) bool {
	return s.Kind == schema.Choice || s.Kind == schema.Scalar && (len(s.Consts) > 0 || s.Lo == 0 && s.Hi == 1 && !s.IsFloat())
}
