//go:build go1.25

package schema

// Cyclic reports for every schema, by ID, whether a term of the schema can contain
// another term of the same schema.
func (w *World) Cyclic() []bool {
	found := make([]bool, len(w.Schemas))
	for i, s := range w.Schemas {
		seen := make([]bool, len(found))
		for todo := s.parts(); len(todo) > 0 && !found[i]; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[p.ID] {
				seen[p.ID] = true
				todo = append(todo, p.parts()...)
			}
			found[i] = p == s
		}
	}
	return found
}

// parts lists the schemas of the immediate subterms of terms of s.
func (s *Schema) parts() (ps []*Schema) {
	for _, c := range s.Ctors {
		for _, f := range c.Fields {
			ps = append(ps, f.S)
		}
	}
	if s.Elem != nil {
		ps = append(ps, s.Elem)
	}
	if s.Key != nil {
		ps = append(ps, s.Key)
	}
	return ps
}
