//go:build go1.25

package schema

import "fmt"

// Declared is a part of the input about which the user has declared something.
type Declared struct {
	S     *Schema
	Path  string // the first place of the part in the input
	By    string // the last declaration, as the user wrote it
	Local bool   // it was declared for this property alone

	facts bool // only constants are declared, for all properties, as a file of facts does
}

// String returns the path and the declaration.
func (d Declared) String() string { return fmt.Sprintf("%s (%s)", d.Path, d.By) }

// declare records what the user has declared about a schema.
func (d *deriver) declare(s *Schema, e entry, path string) {
	part := Declared{S: s, Path: path, facts: true}
	for _, u := range e.from {
		if u.decl.Tier >= Global {
			_, constants := u.decl.What.(Likely)
			part.facts = part.facts && constants && u.decl.Tier == Global
			part.By, part.Local = u.decl.String(), u.decl.Tier == Local
		}
	}
	if part.By != "" {
		d.world.declared = append(d.world.declared, part)
	}
}

// Declared returns the parts about which the user has declared something, if terms can
// contain them and they have more than one value.
func (w *World) Declared() (parts []Declared) {
	if len(w.declared) == 0 {
		return nil
	}
	inside := map[*Schema]bool{}
	w.reach(w.Root, inside)
	for _, d := range w.declared {
		if inside[d.S] && d.S.many() {
			parts = append(parts, d)
		}
	}
	return parts
}

// reach adds the schemas of all nodes of terms of s that are generated.
func (w *World) reach(s *Schema, inside map[*Schema]bool) {
	if inside[s] {
		return
	}
	inside[s] = true
	for _, part := range []*Schema{s.Key, s.Elem} {
		if part != nil {
			w.reach(part, inside)
		}
	}
	for c := s.First(); c < len(s.Ctors); c++ {
		for _, f := range s.Ctors[c].Fields {
			w.reach(f.S, inside)
		}
	}
}

// many reports whether s has more than one value, and a node in every term with such a value.
func (s *Schema) many() bool {
	switch {
	case s.Kind == Struct: // has no node behind a pointer
		return false
	case s.IsFloat():
		return s.Lo != s.Hi
	}
	return s.Count > 1
}
