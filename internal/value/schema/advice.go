//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/value/attempt"
)

// note adds a message for the user, once for each key.
func (d *deriver) note(to *[]string, key, note string) {
	if !d.noted[key] {
		d.noted[key] = true
		*to, d.world.Notes = append(*to, note), append(d.world.Notes, note)
	}
}

// zero adds a message about a part that never varies.
func (d *deriver) zero(key, note string) { d.note(&d.world.Zero, key, note) }

// named returns a type as code of the property's package writes it, or "" if it cannot.
func (d *deriver) named(t reflect.Type) string {
	if d.name == nil {
		return strings.ReplaceAll(t.String(), "interface {}", "any")
	}
	return d.name(t)
}

// advise returns the advice in format, in which %s is the name of the type t. If the type has no
// name in the property's package, the advice is to declare a type that contains it.
func (d *deriver) advise(t reflect.Type, format string) string {
	if name := d.named(t); name != "" {
		return fmt.Sprintf(format, name)
	}
	return aroundIt
}

const aroundIt = "declare allele.Builder for a type that contains it"

// wayOut returns the message for a type that cannot be derived.
func (d *deriver) wayOut(t reflect.Type) string {
	if t.Kind() == reflect.Func {
		return "a func cannot be derived; " +
			d.advise(t, "list functions with allele.Values[%s], or declare allele.Builder for the type around it")
	}
	return fmt.Sprintf("a %v cannot be derived; declare allele.Builder for it or for the type around it", t.Kind())
}

// unsetNote adds one message about all fields that stay nil because they are functions or
// channels.
func (d *deriver) unsetNote() {
	if len(d.unset) == 0 {
		return
	}
	first := d.unset[0]
	typ := first.typ
	for typ.Kind() == reflect.Array { // has no nil
		typ = typ.Elem()
	}
	advice := d.advise(typ, "declare some with allele.Values[%s], or that nil is intended: allele.Values[%[1]s](nil)")
	d.note(&d.world.Unset, first.path+first.typ.String(),
		fmt.Sprintf("%s always nil: functions and channels are not generated; %s", placesText(d.unset), advice))
}

// endlessNote adds a message if a method of t did not return.
func (d *deriver) endlessNote(t reflect.Type, path string) {
	method := attempt.Endless(t)
	if method == "" {
		return
	}
	d.note(&d.world.Unset, "endless "+t.String(), fmt.Sprintf("%s: method %s of %v did not return within %v; "+
		"allele calls it to learn how values are made, and does without it now; fix the method, or %s",
		path, method, t, attempt.Max, d.advise(t, "declare allele.Builder for %s")))
}
