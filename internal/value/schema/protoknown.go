//go:build go1.25

package schema

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/term"
)

// Some messages of package google.protobuf have rules that are not in their descriptor. Code that
// receives them, such as the JSON encoder, refuses other values. Cases may contain other values too.

const valueName = "google.protobuf.Value"

// Bounds of google.protobuf.Timestamp and Duration: the years 1 to 9999, and 10,000 years.
const (
	timestampMin = -62135596800
	timestampMax = 253402300799
	durationMax  = 315576000000
	nanosMax     = 999_999_999
)

// known returns the scope of a field of a message. If the field has such a rule, the scope has a declaration
// for it, unless the user has declared something about the type of the field.
func (d *deriver) known(name string, f reflect.StructField, sc *scope) *scope {
	switch name + "." + f.Name {
	case "google.protobuf.Timestamp.Seconds":
		return sc.narrow(rangeOf[int64](timestampMin, timestampMax))
	case "google.protobuf.Timestamp.Nanos":
		return sc.narrow(rangeOf[int32](0, nanosMax))
	case "google.protobuf.Duration.Seconds":
		return sc.narrow(rangeOf[int64](-durationMax, durationMax))
	case "google.protobuf.Duration.Nanos":
		return sc.narrow(rangeOf[int32](-nanosMax, nanosMax))
	case valueName + ".Kind":
		return sc.narrow(rangeOf(-math.MaxFloat64, math.MaxFloat64)) // JSON has no other numbers
	case "google.protobuf.FieldMask.Paths":
		return sc.narrow(builders(maskFuncs(d.first.fields))...)
	case "google.protobuf.Any.TypeUrl":
		return sc.narrow(builders(urlsOf(d.first.name))...)
	case "google.protobuf.Any.Value": // the content of an empty message
		return sc.narrow(builders([]*Func{given(bytesType), nilBytes})...)
	}
	return sc
}

// narrow returns a copy of the scope with declarations about a type, if nothing is declared about it.
func (sc *scope) narrow(ds ...Decl) *scope {
	if e := sc.types[ds[0].Type]; e != nil && (e.limit != nil || e.values != nil || e.makers != nil || e.match != nil) {
		return sc
	}
	sub := sc.copy()
	sub.rules = sc.rules
	for _, decl := range ds {
		if limit, ok := decl.What.(Range); ok {
			limit.Narrow = true
			decl.What = limit
		}
		sub.add([]Decl{decl})
	}
	return sub
}

func builders(fs []*Func) (ds []Decl) {
	for _, f := range fs {
		ds = append(ds, makes(f))
	}
	return ds
}

// firstMessage is what masks and Any refer to: the first message of the input.
type firstMessage struct {
	name   string
	fields []maskName
}

// meet records the first message of the input.
func (d *deriver) meet(t reflect.Type, m *message) {
	if d.first.name != "" || m.name == "" {
		return
	}
	d.first.name = m.name
	for i := range t.NumField() {
		for part := range strings.SplitSeq(t.Field(i).Tag.Get("protobuf"), ",") {
			if name, ok := strings.CutPrefix(part, "name="); ok && reversible(name) {
				d.first.fields = append(d.first.fields, maskName(name))
			}
		}
	}
}

// reversible reports whether the JSON name of a field determines the field: user_name becomes
// userName and back. Masks with other names cannot be written as JSON.
func reversible(name string) bool {
	for i := range len(name) {
		c, word := name[i], i == 0 || name[i-1] == '_'
		if letter := 'a' <= c && c <= 'z'; !letter && (word || c != '_' && !('0' <= c && c <= '9')) {
			return false
		}
	}
	return name != "" && name[len(name)-1] != '_'
}

type (
	maskName string
	maskPath struct { // user.display_name
		Name maskName
		Next *maskPath
	}
)

// maskFuncs returns the builders of the paths of a FieldMask. Some are fields of the first message.
func maskFuncs(fields []maskName) []*Func {
	const fieldsMax = 16
	names := slices.Clone(fields[:min(len(fields), fieldsMax)])
	for _, name := range []maskName{"a", "id", "display_name", "x1"} {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	sp := spelling[maskPath, string]{
		write: func(p *maskPath) string {
			text := string(p.Name)
			for p = p.Next; p != nil; p = p.Next {
				text += "." + string(p.Name)
			}
			return text
		},
		parse: func(text string) (all maskPath, ok bool) {
			last := &all
			for i, name := range strings.Split(text, ".") {
				if i > 0 {
					last.Next = &maskPath{}
					last = last.Next
				}
				last.Name = maskName(name)
			}
			return all, true
		},
		decls: []Decl{valuesOf(names...)},
	}
	return texts(sp)
}

type typeURL string

// urlsOf returns the builders of the type of an Any: none, Any itself, or the first message.
// All of them are linked.
func urlsOf(first string) []*Func {
	const prefix, self = "type.googleapis.com/", "google.protobuf.Any"
	names := []typeURL{"", prefix + self}
	if first != "" && !strings.HasPrefix(first, "google.protobuf.") {
		names = append(names, typeURL(prefix+first))
	}
	return texts(spelling[typeURL, string]{
		write: func(u *typeURL) string { return string(*u) },
		parse: func(text string) (typeURL, bool) { return typeURL(text), true },
		decls: []Decl{valuesOf(names...)},
	})
}

// texts returns the builders of strings with a spelling, and of other strings in cases.
func texts[P any](sp spelling[P, string]) []*Func {
	sp.from = func(text string) (string, bool) { return text, true }
	sp.text = func(s *string) (string, bool) { return *s, true }
	fs := []*Func{verbatim(textHole, sp), spelled(textHole, sp)}
	for _, f := range fs {
		f.rejects = neverRejects
	}
	return fs
}

var bytesType = reflect.TypeFor[[]byte]()

var nilBytes = func() *Func {
	f := func0("[]byte(nil)", func() []byte { return nil })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.IsNil() }
	return f
}()

// follow makes the nanoseconds of a Duration take the sign of its seconds.
func follow(name string, fs []Field) {
	if name != "google.protobuf.Duration" || len(fs) != 2 {
		return
	}
	if a, b := fs[0].S, fs[1].S; a.Kind == Scalar && b.Kind == Scalar && a.signed && b.capped {
		b.follows = true
	}
}

// asIs is the constructor of a scalar that follows another, but is used as it is. Cases may contain it.
const asIs = 1

// Number returns the value of a scalar in a term. It may be the X of the node with another sign: a
// scalar that follows another one has the same sign, so that no change makes it invalid.
func (w *World) Number(t term.Term, at int) uint64 {
	if w.Of(t[at]).follows {
		return followed(&t[at], &t[at-1])
	}
	return t[at].X
}

func followed(n, before *term.Node) uint64 {
	if x, y := int64(n.X), int64(before.X); n.C != asIs && (x < 0 && y > 0 || x > 0 && y < 0) {
		return uint64(-x)
	}
	return n.X
}

// Verbatim returns the constructor of a scalar with value x that a case has after the node before.
func (s *Schema) Verbatim(x uint64, before term.Term) uint16 {
	if !s.follows || len(before) == 0 || followed(&term.Node{X: x}, &before[len(before)-1]) == x {
		return 0
	}
	return asIs
}
