//go:build go1.25

package schema

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A protobuf message is a struct with rules that its Go type does not show. Its unexported fields
// belong to the protobuf runtime and stay zero. A field for a oneof takes one of the generated
// wrappers. Elements of lists and maps, and messages in a oneof, are never nil. Required fields
// are set. Texts are valid UTF-8.
//
// A message is recognised by its methods, and the rest is read from the tags of its fields and
// from its descriptor. Methods are called by reflection, so that no protobuf package is linked.
// Their names are constants, because a computed name makes the linker keep all methods of a program.
type message struct {
	name     string         // full name, such as google.protobuf.Timestamp; empty if there is no descriptor
	reflects bool           // it has the method ProtoReflect; messages of old generators and of gogo do not
	wrappers []reflect.Type // of all its oneofs
	opaque   *opaque        // set if its fields are hidden, see protoopaque.go
}

var messages sync.Map // from reflect.Type to *message

// messageOf returns what is known about t as a message. It returns nil if t is not one.
func messageOf(t reflect.Type) *message {
	if t.Kind() != reflect.Struct || t.PkgPath() == "" {
		return nil
	}
	if m, ok := messages.Load(t); ok {
		return m.(*message)
	}
	m, _ := messages.LoadOrStore(t, newMessage(t))
	return m.(*message)
}

// newMessage calls methods of t, which may be anybody's. If they panic, t is not a message.
func newMessage(t reflect.Type) (m *message) {
	defer func() {
		if recover() != nil {
			m = nil
		}
	}()
	p := reflect.New(t)
	if r := result(p.MethodByName("ProtoReflect")); r.IsValid() && r.Kind() == reflect.Interface && !r.IsNil() {
		name := result(result(r.MethodByName("Descriptor")).MethodByName("FullName")).String()
		info := result(r.Elem().MethodByName("ProtoMessageInfo"))
		m = &message{name: name, reflects: true, opaque: newOpaque(p)}
		if info.Kind() == reflect.Pointer && !info.IsNil() && info.Elem().Kind() == reflect.Struct {
			m.wrap(info.Elem().FieldByName("OneofWrappers"))
		}
		return m
	}
	if _, ok := p.Interface().(interface{ ProtoMessage() }); !ok {
		return nil
	}
	m = &message{}
	if m.wrap(result(p.MethodByName("XXX_OneofWrappers"))); m.wrappers == nil {
		m.wrap(result(p.MethodByName("XXX_OneofFuncs")))
	}
	return m
}

// result calls a method without arguments and returns its last result. It returns the zero Value if there
// is no such method.
func result(method reflect.Value) reflect.Value {
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() == 0 {
		return reflect.Value{}
	}
	out := method.Call(nil)
	return out[len(out)-1]
}

// wrap reads the types of the wrappers from a list of nil pointers to them.
func (m *message) wrap(list reflect.Value) {
	if list.Kind() != reflect.Slice || list.Type() != reflect.TypeFor[[]any]() {
		return
	}
	for _, w := range list.Interface().([]any) {
		m.wrappers = append(m.wrappers, reflect.TypeOf(w))
	}
}

// isMessage reports whether the unexported fields of t belong to the protobuf runtime, and not to
// invariants of t.
func isMessage(t reflect.Type) bool {
	m := messageOf(t)
	return m != nil && m.reflects
}

// isWrapper reports whether t is the struct around a member of a oneof.
func isWrapper(t reflect.Type) bool {
	return t.NumField() == 1 && tagHas(t.Field(0), "oneof")
}

// tagHas reports whether the protobuf tag of a field has a certain word, such as req in
// `protobuf:"bytes,1,req,name=id"`.
func tagHas(f reflect.StructField, word string) bool {
	for part := range strings.SplitSeq(f.Tag.Get("protobuf"), ",") {
		if part == word {
			return true
		}
	}
	return false
}

// inMessage returns the scope of the messages in sc: the same declarations apply, and texts
// are valid UTF-8.
func (sc *scope) inMessage() *scope {
	if sc.message {
		return sc
	}
	if sc.messages == nil {
		sc.messages = sc.copy()
		sc.messages.rules, sc.messages.message = sc.rules, true
	}
	return sc.messages
}

// allPlaces returns the places of a scope, and of the messages in it.
func (sc *scope) allPlaces() []place {
	if sc.messages == nil {
		return sc.places
	}
	return slices.Concat(sc.places, sc.messages.places)
}

// messageFields derives the fields of a message, or of the wrapper of a oneof.
func (d *deriver) messageFields(t reflect.Type, m *message, sc *scope, path string, pointed bool) (fs []Field) {
	if m == nil {
		m = &message{reflects: true} // a wrapper
	}
	if m.opaque != nil {
		return d.opaqueFields(t, m, sc, path)
	}
	d.meet(t, m)
	sc = sc.inMessage()
	hidden := 0
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "_", strings.HasPrefix(f.Name, "XXX_"), !f.IsExported() && m.reflects:
		case !f.IsExported() && !Own(t):
			hidden++
		default:
			in := sc.into(t, f.Name)
			if !m.reflects {
				in = in.refusing(t, f, pointed)
			}
			s := d.messageField(t, f, m, in, path+"."+f.Name)
			fs = append(fs, Field{f.Name, s, f.Offset})
		}
	}
	follow(m.name, fs)
	if hidden > 0 {
		d.shut = append(d.shut, shut{t, path, fs})
	}
	return fs
}

func (d *deriver) messageField(t reflect.Type, f reflect.StructField, m *message, sc *scope, path string) *Schema {
	sc = d.known(m.name, f, sc)
	switch {
	case f.Type.Kind() == reflect.Interface && f.Tag.Get("protobuf_oneof") != "":
		return d.oneof(f.Type, m, sc, path)
	case tagHas(f, "req") || isWrapper(t):
		return d.filled(f.Type, sc, path)
	}
	return d.schema(f.Type, sc, path)
}

// oneof derives the field of a oneof. Its variants are the wrappers, and nil means that the
// oneof is not set.
func (d *deriver) oneof(t reflect.Type, m *message, sc *scope, path string) *Schema {
	e := entry{}
	if old := sc.types[t]; old != nil {
		e = *old
	}
	if e.variants != nil || e.values != nil || e.makers != nil || sc.schemas[t] != nil {
		return d.schema(t, sc, path)
	}
	for _, w := range m.wrappers {
		if w.Implements(t) {
			e.variants = append(e.variants, w)
		}
	}
	sc.types[t] = &e
	s := d.schema(t, sc, path)
	if m.name != valueName {
		s.first = 0
	}
	return s
}

// elem derives the elements of a list or a map.
func (d *deriver) elem(t reflect.Type, sc *scope, path string) *Schema {
	if sc.message && (t.Kind() != reflect.Pointer || messageOf(t.Elem()) != nil) {
		return d.filled(t, sc, path)
	}
	return d.schema(t, sc, path)
}

// filled returns a schema of t whose values are never nil, if t is a pointer or []byte. Cases
// that older versions have stored may contain nil, so it is a valid term.
func (d *deriver) filled(t reflect.Type, sc *scope, path string) *Schema {
	e := sc.types[t]
	bytes := t == bytesType
	if t.Kind() != reflect.Pointer && !bytes || t.Size() > valueBytes ||
		e != nil && (e.values != nil || e.match != nil) || sc.makers(t) != nil {
		return d.schema(t, sc, path)
	}
	sc.places = append(sc.places, place{path, t})
	if s := sc.filled[t]; s != nil {
		return s
	}
	s := d.add(t)
	if sc.filled == nil {
		sc.filled = map[reflect.Type]*Schema{}
	}
	sc.filled[t] = s
	declared := sc.lookup(t)
	if bytes {
		d.made(s, []*Func{given(t), textBytesFunc}, sc, path)
	} else {
		d.shape(s, declared, sc, path)
		s.first = 1
	}
	d.mix(s, declared)
	d.declare(s, declared, path)
	return s
}

// textBytesFunc makes bytes that are not nil.
var textBytesFunc = func() *Func {
	f := spelled("[]byte(_text)", spelling[string, []byte]{
		write: func(s *string) string { return *s },
		parse: func(text string) (string, bool) { return text, true },
		from:  func(text string) ([]byte, bool) { return append(make([]byte, 0, len(text)), text...), true },
		text:  func(b *[]byte) (string, bool) { return string(*b), *b != nil },
		decls: []Decl{}, // declarations about texts do not apply, nor must it be UTF-8
	})
	f.rejects = neverRejects
	return f
}()
