//go:build go1.25

package schema

import "strings"

// WeightNames returns, by schema, a name for each constructor and each pattern. A
// weight that is declared with this name applies to this constructor and to no other
// of its type. The name is "" if weights cannot apply. The list is nil for a schema
// whose type cannot have weights, or that is made by allele's own builders (see
// ready).
func (w *World) WeightNames() [][]string {
	out := make([][]string, len(w.Schemas))
	for _, s := range w.Schemas {
		if s.Kind != Interface && s.Kind != Made || out[s.ID] != nil || s.ready() {
			continue
		}
		all := s.choices()
		for _, c := range all {
			if out[c.s.ID] == nil {
				out[c.s.ID] = make([]string, c.s.Ways())
			}
			out[c.s.ID][c.way] = c.word(all)
		}
	}
	return out
}

// choice is a constructor or a pattern of a schema, or a builder function of an
// interface, which has a schema of its own.
type choice struct {
	s    *Schema
	way  int
	name string
}

// choices returns everything that weights declared for the type of s can apply to.
func (s *Schema) choices() (all []choice) {
	for k := s.First(); k < s.Ways(); k++ {
		switch {
		case k >= s.Plain():
			all = append(all, choice{s, k, s.Patterns[k-s.Plain()].Name})
		case s.Ctors[k].Call:
			all = append(all, s.Ctors[k].Fields[0].S.choices()...)
		default:
			all = append(all, choice{s, k, s.Ctors[k].Name})
		}
	}
	return all
}

// word returns the shortest name of this choice that means no other choice. The
// package and the receiver of a function may be omitted.
func (c choice) word(all []choice) string {
	words := []string{c.name}
	if c.way < len(c.s.Ctors) && c.s.Ctors[c.way].Func != nil {
		_, inPkg, _ := strings.Cut(c.name, ".")
		words = []string{c.name[strings.LastIndexByte(c.name, '.')+1:], inPkg, c.name}
	}
	for _, word := range words {
		means := 0
		for _, other := range all {
			if called(word, other.name) {
				means++
			}
		}
		if means == 1 && word != "" {
			return word
		}
	}
	return ""
}

// ready reports whether s is made by allele's own builders, which have no names.
func (s *Schema) ready() bool {
	if n := len(s.Ctors) - 1; s.Kind == Interface && n >= 0 && s.Ctors[n].Call {
		return s.Ctors[n].Fields[0].S.ready()
	}
	return s.Kind == Made && len(s.Ctors) > 0 && s.Ctors[0].Func.Name == s.Ctors[0].Func.Template
}
