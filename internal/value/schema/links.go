//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// backNames are names of fields that point back to the value that contains a value.
var backNames = []string{"parent", "prev", "previous", "owner", "up", "back", "container", "list"}

func isBack(f reflect.StructField) bool {
	return f.Type.Kind() == reflect.Pointer && slices.Contains(backNames, strings.ToLower(f.Name))
}

// link is a field that points back, and the field of the struct whole to whose values it points.
type link struct {
	whole      reflect.Type
	back, down reflect.StructField
}

// linkOf returns the field of a struct t that points back to what contains a t, if there is one.
func linkOf(t reflect.Type) (l link, ok bool) {
	for i := range t.NumField() {
		back := t.Field(i)
		if !isBack(back) || !back.IsExported() && !Own(t) || back.Type.Elem().Kind() != reflect.Struct {
			continue
		}
		whole := back.Type.Elem()
		for j := range whole.NumField() {
			if down := whole.Field(j); !isBack(down) && leadsTo(down.Type, t) && (down.IsExported() || Own(whole)) {
				return link{whole, back, down}, true
			}
		}
	}
	return link{}, false
}

// links notes that the values in a struct t never point back to it, if it is made from its
// fields. A term is a tree: the value at a pointer is a new one, so a parent that is made from
// its fields is not the parent of its children.
func (d *deriver) links(t reflect.Type, path string) {
	l, ok := linkOf(t)
	if key := fmt.Sprintf("link %v", t); ok && !d.noted[key] {
		d.noted[key] = true
		d.world.Links = append(d.world.Links, l.note(t, path, d.named(t)))
	}
}

// onlyMade reports whether values of t, which is T or *T, are made by the functions that were found
// rather than from its fields: T has unexported fields, or it has values that point back to it
// and a function that links values of T, or a method whose name says so.
func (sc *scope) onlyMade(t reflect.Type) bool {
	if Hides(t) {
		return true
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	if l, ok := linkOf(t); !ok || l.whole != t {
		return false
	}
	joins := func(m *Func) bool {
		args := m.Args
		if Is[Mutator](m) {
			args = args[1:] // without the receiver
			if adds(m.Name) {
				return true
			}
		}
		return slices.ContainsFunc(args, func(a Arg) bool { return a.Type == t || leadsTo(a.Type, t) })
	}
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if e := sc.types[t]; e != nil && slices.ContainsFunc(e.found, joins) {
			return true
		}
	}
	return false
}

// leadsTo reports whether a field of type f holds values of t: one, or several.
func leadsTo(f, t reflect.Type) bool {
	switch f.Kind() {
	case reflect.Pointer:
		return f.Elem() == t
	case reflect.Slice, reflect.Array, reflect.Map:
		return f.Elem() == t || f.Elem().Kind() == reflect.Pointer && f.Elem().Elem() == t
	}
	return false
}

// note returns the message. The advice is a whole function if t has a name in the property's
// package, and the function needs only exported fields.
func (l link) note(t reflect.Type, path, name string) string {
	visible := l.down.IsExported() && l.back.IsExported()
	what := fmt.Sprintf("%s: %v is made from its fields", path, l.whole)
	if visible {
		what += fmt.Sprintf(", so %s never points back from a value in %s", l.back.Name, l.down.Name)
	} else {
		what += ", so the values in it never point back to it"
	}
	if l.whole != t || l.down.Type != reflect.SliceOf(reflect.PointerTo(t)) || !visible || name == "" {
		return what + "; declare the functions that link them with allele.Builder: a constructor, and a method that adds a value"
	}
	return what + fmt.Sprintf("; declare a function that links them: allele.Builder(func(all []*%s) *%s "+
		"{ v := &%s{%s: all}; for _, x := range all { x.%s = v }; return v })", name, name, name, l.down.Name, l.back.Name)
}

// adds reports whether the name of a method says that it adds a value to its receiver.
func adds(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return slices.ContainsFunc([]string{"add", "append", "insert", "push", "attach"}, func(word string) bool {
		return strings.HasPrefix(name, word)
	})
}
