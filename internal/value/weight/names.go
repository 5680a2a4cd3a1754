//go:build go1.25

package weight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// names finds ways by their names. A name is "Type.Constructor". The package of the
// type is included only if another type of the world has the same name. If one type
// has several schemas, a number is appended to the type. Names depend on nothing but
// the world.
type names struct {
	all []string
	at  []place
}

type place struct{ schema, way int }

func namesOf(w *schema.World) names {
	var n names
	for i, title := range Titles(w) {
		s := w.Schemas[i]
		for k := s.First(); title != "" && k < s.Ways(); k++ {
			if part := WayName(s, k); part != "" {
				n.all = append(n.all, title+"."+part)
				n.at = append(n.at, place{i, k})
			}
		}
	}
	return n
}

// Titles returns the first part of names, the type, for each schema. It is "" for a
// schema that has neither constructors nor patterns, and for a part of a regular
// expression.
func Titles(w *schema.World) []string {
	all, used := make([]string, len(w.Schemas)), map[string]int{}
	for i, s := range w.Schemas {
		if len(s.Ctors) == 0 && len(s.Patterns) == 0 || s.Kind == schema.Rule {
			continue
		}
		all[i] = typeName(w, s)
		if used[all[i]]++; used[all[i]] > 1 {
			all[i] = fmt.Sprintf("%s#%d", all[i], used[all[i]])
		}
	}
	return all
}

func typeName(w *schema.World, s *schema.Schema) string {
	short := s.Type.Name()
	if short == "" {
		return s.Type.String()
	}
	for _, t := range w.Schemas {
		if t.Type != s.Type && t.Type.Name() == short {
			return s.Type.String()
		}
	}
	return short
}

// WayName returns the second part of a name, for way k of s. It is empty for ways
// that have no name of their own: a list that is not a pattern, and the constructor
// of an interface that leads to its builder functions.
func WayName(s *schema.Schema, k int) string {
	switch {
	case k >= s.Plain():
		return s.Patterns[k-s.Plain()].Name
	case len(s.Ctors) == 0 || s.Ctors[k].Call:
		return ""
	case s.Ctors[k].Name == "":
		return fmt.Sprint(k)
	}
	return s.Ctors[k].Name
}

// find returns the way with the given name. The type may be omitted if only one type
// has such a constructor.
func (n *names) find(name string) (place, error) {
	if i := slices.Index(n.all, name); i >= 0 {
		return n.at[i], nil
	}
	found := -1
	for i, full := range n.all {
		switch {
		case strings.HasSuffix(full, "."+name) && found >= 0:
			return place{}, fmt.Errorf("constructor %s is ambiguous: %s or %s; write the full name", name, n.all[found], full)
		case strings.HasSuffix(full, "."+name):
			found = i
		}
	}
	if found < 0 {
		return place{}, fmt.Errorf("no constructor is named %s; the constructors are %s", name, list(n.all))
	}
	return n.at[found], nil
}

// listMax is the largest number of names that an error message lists.
const listMax = 12

func list(all []string) string {
	if len(all) > listMax {
		return strings.Join(all[:listMax], ", ") + fmt.Sprintf(" and %d more", len(all)-listMax)
	}
	return strings.Join(all, ", ")
}
