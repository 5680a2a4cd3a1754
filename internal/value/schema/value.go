//go:build go1.25

package schema

import (
	"reflect"

	"github.com/allele-go/allele/internal/value/term"
)

// Value returns the Go value of a term of the root type. It is slow. ok is false if a
// builder function rejected its arguments. A panic of a builder function is not recovered.
func (w *World) Value(t term.Term) (v reflect.Value, ok bool) {
	b := NewBuilder(w)
	b.Single = true // values must share no memory
	v = reflect.New(w.Root.Type)
	ok = b.Build(t, v.UnsafePointer())
	return v.Elem(), ok
}

// Calls reports whether a term contains a call of a builder that does not come with allele.
func (w *World) Calls(t term.Term) bool {
	for at := range t.Nodes() {
		if s := w.Of(t[at]); s.Kind == Made && !s.Ctors[t[at].C].Func.IsReady() {
			return true
		}
	}
	return false
}

// IsReady reports whether a builder comes with allele. The template of such a builder may be
// any expression. The template of a user's builder is always a call.
func (m *Func) IsReady() bool { return m.Name == m.Template }

// IsMade reports whether the values of a type are made by builders.
func (w *World) IsMade(t reflect.Type) bool {
	for _, s := range w.Schemas {
		if s.Type == t && s.Kind == Made {
			return true
		}
	}
	return false
}

// Content returns the struct type whose fields the node has: that of a struct, or of what
// a pointer or an interface holds. It returns nil for any other node.
func (w *World) Content(n term.Node) reflect.Type {
	s := w.Of(n)
	var t reflect.Type
	switch {
	case s.Kind == Struct:
		t = s.Type
	case s.Kind == Pointer && n.C != 0:
		t = s.Type.Elem()
	case s.Kind == Interface && n.C != 0:
		if t = s.Variant(int(n.C)); t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	if t == nil || t.Kind() != reflect.Struct || len(s.Ctors[n.C].Fields) == 1 && s.Ctors[n.C].Fields[0].Name == "" {
		return nil
	}
	return t
}
