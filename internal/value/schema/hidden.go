//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// shut is a struct with fields that stay zero, because they are hidden in another module.
type shut struct {
	t      reflect.Type
	path   string
	fields []Field // the other fields
}

// closed adds messages about structs with fields that stay zero, now that all schemas are derived.
func (d *deriver) closed() {
	var atomics []place
	for _, x := range d.shut {
		varies := slices.ContainsFunc(x.fields, func(f Field) bool { return d.world.varies(f.S, map[*Schema]bool{}) })
		d.world.left = d.world.left || !varies
		switch {
		case x.t.PkgPath() == "sync/atomic":
			atomics = append(atomics, place{x.path, x.t})
		case startsZero(x.t):
		case varies:
			d.partly(x)
		default:
			d.zero(x.t.String(), fmt.Sprintf("%s: %v is always zero: its fields belong to another module; ", x.path, x.t)+
				d.advise(x.t, "declare allele.Builder for other values, or that zero is intended: allele.Values(%s{})"))
		}
	}
	if len(atomics) > 0 && d.world.varies(d.world.Root, map[*Schema]bool{}) {
		d.note(&d.world.Unset, "atomics", fmt.Sprintf("%s always zero: values of package sync/atomic are not generated; "+
			"if other fields depend on them, declare allele.Builder for the type that contains them", placesText(atomics)))
	}
}

// placesText returns the places that a message is about, and a verb.
func placesText(all []place) string {
	switch n := len(all) - 1; n {
	case 0:
		return all[0].path + " is"
	case 1:
		return all[0].path + " and " + all[1].path + " are"
	default:
		return fmt.Sprintf("%s and %d more are", all[0].path, n)
	}
}

// startsZero reports whether zero is what code expects of a new value of the type, and other
// values make no sense as inputs: locks and counters of goroutines, and marks for go vet.
func startsZero(t reflect.Type) bool {
	return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" || strings.EqualFold(t.Name(), "noCopy")
}

// partly adds a message about a struct whose hidden fields stay zero while the others vary. Its
// values may be ones that its package never makes.
func (d *deriver) partly(x shut) {
	to := &d.world.Unset
	if n, data := hiddenIn(x.t); n == 0 {
		return
	} else if data {
		to = &d.world.Zero
	}
	advice := aroundIt
	if name := d.named(x.t); name != "" {
		advice = "declare allele.Builder for other values"
		if f := d.fieldBuilder(x, name); f != "" {
			advice += ", or that zero is intended: allele.Builder(" + f + ")"
		}
	}
	d.note(to, x.t.String(), fmt.Sprintf("%s: the unexported fields of %v are always zero: they belong to another module; %s",
		x.path, x.t, advice))
}

// hiddenIn returns the number of unexported fields of a struct that a new value may need, and
// whether some of them hold data. Functions, channels and atomics do not.
func hiddenIn(t reflect.Type) (n int, data bool) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.IsExported() || f.Name == "_" || f.Type.Size() == 0 || startsZero(f.Type) && f.Type.PkgPath() != "sync/atomic":
		case f.Type.PkgPath() == "sync/atomic" || new(scope).unmakeable(f.Type):
			n++
		default:
			n, data = n+1, true
		}
	}
	return n, data
}

// builderFields bounds the fields of a builder in a message.
const builderFields = 4

// fieldBuilder returns a function literal that sets the exported fields of a struct. It returns ""
// if there are too many, or if the package of the property cannot name the type of one of them.
func (d *deriver) fieldBuilder(x shut, name string) string {
	if len(x.fields) > builderFields {
		return ""
	}
	var params, sets []string
	for i, f := range x.fields {
		field, _ := x.t.FieldByName(f.Name)
		typ := d.named(field.Type)
		if typ == "" {
			return ""
		}
		params = append(params, fmt.Sprintf("x%d %s", i, typ))
		sets = append(sets, fmt.Sprintf("%s: x%d", f.Name, i))
	}
	return fmt.Sprintf("func(%s) %s { return %s{%s} }", strings.Join(params, ", "), name, name, strings.Join(sets, ", "))
}
