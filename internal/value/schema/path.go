//go:build go1.25

package schema

import (
	"maps"
	"reflect"
	"strings"
)

// inside returns the scope of the keys or the elements of a map, or of the elements of a list.
// It is sc itself, unless a declared path leads there. Since a path need not name elements,
// the other rules of sc apply there too.
func (sc *scope) inside(container reflect.Type, name string) *scope {
	var lead, rest []*rule
	for _, r := range sc.rules {
		first := r.path[0]
		if r.owner == nil && (first == name || container.Kind() == reflect.Map && (first == keysName || first == elemsName)) {
			r.owner = container
		}
		if first == name && r.owner == container {
			lead = append(lead, r)
		} else {
			rest = append(rest, r)
		}
	}
	if lead == nil {
		return sc
	}
	sub := sc.copy()
	sub.rules = rest
	for _, r := range lead {
		sub.follow(r)
	}
	return sub
}

// copy returns a new scope with the same declarations about types, and without rules.
func (sc *scope) copy() *scope {
	c := newScope(sc.uses, nil)
	c.ignore, c.message, c.kin.comparable = sc.ignore, sc.message, sc.kin.comparable
	c.ready, c.equipped, c.kin.done = sc.ready, maps.Clone(sc.equipped), sc.kin.done
	for t, e := range sc.types {
		own := *e
		c.types[t] = &own
	}
	return c
}

// The names of keys and elements in a path. Error messages write paths with these names too.
const (
	keysName  = "[key]"
	elemsName = "[]"
)

// splitPath splits a declared path: "Ports[][key].Name" has the names Ports, [], [key] and Name.
func splitPath(path string) (names []string) {
	for _, field := range strings.Split(path, ".") {
		name, rest, bracket := strings.Cut(field, "[")
		if name != "" || !bracket {
			names = append(names, name)
		}
		for bracket {
			name, rest, bracket = strings.Cut(rest, "[")
			names = append(names, "["+name)
		}
	}
	return names
}
