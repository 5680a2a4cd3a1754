//go:build go1.25

package change

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// difference is a unit that differs between two versions of a package.
type difference struct {
	*unit      // the present version, or the old version if the unit was removed
	how   how  // changed, added or gone
	wide  bool // may affect all properties built from the package, even those that do not reach the unit
	where string
}

type how uint8

const (
	changed how = iota
	added
	gone
)

// String describes the difference, as in "tree.go:12 (*Tree).Insert changed".
func (d difference) String() string {
	return d.where + " " + d.title() + " " + [...]string{"changed", "is new", "is gone"}[d.how]
}

// compare returns the differences between two versions of the files of a package.
// Files that are the same in both may be omitted.
func compare(before, after []*unit) (all []difference) {
	old, now := byKey(before), byKey(after)
	for _, u := range after {
		if was := old[u.key]; was == nil {
			all = append(all, difference{unit: u, how: added})
		} else if was.sum != u.sum {
			all = append(all, difference{unit: u, how: changed, wide: u.kind != function || was.kind != function})
		}
	}
	for _, u := range before {
		if now[u.key] == nil {
			all = append(all, difference{unit: u, how: gone})
		}
	}
	for i, d := range all {
		if d.how != changed {
			all[i].wide = noticed(d, old, now)
		}
		all[i].where = fmt.Sprintf("%s:%d", filepath.Base(d.file), d.from.line)
	}
	slices.SortFunc(all, func(a, b difference) int {
		return cmp.Or(strings.Compare(a.file, b.file), a.from.line-b.from.line, strings.Compare(a.key, b.key))
	})
	return all
}

func byKey(units []*unit) map[string]*unit {
	m := map[string]*unit{}
	for _, u := range units {
		m[u.key] = u
	}
	return m
}

// noticed reports whether an added or removed unit may affect code that has not
// changed. A function may shadow a predeclared function, such as max. A method may
// implement an interface, unless the method's type was added or removed together with
// it.
func noticed(d difference, old, now map[string]*unit) bool {
	switch {
	case d.kind != function:
		return true
	case d.of == "":
		return types.Universe.Lookup(d.name) != nil
	}
	pkg, _, _ := strings.Cut(d.key, " ")
	owner := pkg + " type " + d.of
	return old[owner] != nil && now[owner] != nil || old[owner] == nil && now[owner] == nil
}
