//go:build go1.25

package schema

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// Messages of the opaque API hide their fields. The generator writes a builder for each: a struct with
// the same fields, and pointers for those that need not be set.
//
//	pb.Order_builder{Id: proto.String("a")}.Build()
//
// Nothing in the message leads to the type of its builder, so allele makes a struct like it. The schema
// of the message is a Struct with the fields of this struct. When a value is built, they are copied to the
// hidden fields, as the method Build does.
//
// Which fields are set is stored in bits of the field XXX_presence. Their order is up to the generator, so
// it is learnt: the runtime decodes a message in which one field is set, and the bit shows.
type opaque struct {
	builder  reflect.Type // the struct like the generated builder
	parts    []opaquePart // its fields
	presence uintptr      // offset of XXX_presence
}

// opaquePart is a field of a message of the opaque API.
type opaquePart struct {
	at     int          // index of the hidden field
	hidden reflect.Type // its type
	form   opaqueForm
	bit    int // in XXX_presence, or -1
}

// opaqueForm is how the field of the builder and the hidden field differ.
type opaqueForm uint8

const (
	asBuilt opaqueForm = iota // not at all
	pointed                   // *T in the builder, T in the message
	behind                    // []T in the builder, *[]T in the message
)

const hiddenPrefix = "xxx_hidden_"

// Opaque reports whether s is a message of the opaque API, which is printed as a call of its builder.
func (s *Schema) Opaque() bool { return s.opaque != nil }

// newOpaque describes a message, which p points to. It returns nil if the message is not opaque, or if it
// is unlike those of known generators.
func newOpaque(p reflect.Value) (o *opaque) {
	defer func() {
		if recover() != nil {
			o = nil
		}
	}()
	t := p.Type().Elem()
	o = &opaque{}
	if f, ok := t.FieldByName("XXX_presence"); ok && f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Uint32 {
		o.presence = f.Offset
	}
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := strings.CutPrefix(f.Name, hiddenPrefix)
		if !ok {
			continue
		}
		part := opaquePart{at: i, hidden: f.Type, bit: -1}
		if o.presence != 0 && f.Tag.Get("protobuf") != "" {
			part.bit = o.learn(reflect.New(t), f)
		}
		typ := f.Type
		switch {
		case typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Slice:
			typ, part.form = typ.Elem(), behind
		case part.bit >= 0 && typ.Kind() <= reflect.Float64:
			typ, part.form = reflect.PointerTo(typ), pointed
		}
		o.parts = append(o.parts, part)
		fields = append(fields, reflect.StructField{Name: name, Type: typ, Tag: f.Tag})
	}
	if len(o.parts) == 0 {
		return nil
	}
	o.builder = reflect.StructOf(fields)
	return o
}

// learn returns the bit of a field in XXX_presence, or -1 if it has none.
func (o *opaque) learn(p reflect.Value, f reflect.StructField) int {
	r := result(p.MethodByName("ProtoReflect"))
	unmarshal := result(r.MethodByName("ProtoMethods")).Elem().FieldByName("Unmarshal")
	in := reflect.New(unmarshal.Type().In(0)).Elem()
	in.FieldByName("Message").Set(r)
	in.FieldByName("Buf").SetBytes(wireOf(f))
	const notLazy, depth = 1 << 4, 100
	in.FieldByName("Flags").SetUint(notLazy)
	in.FieldByName("Depth").SetInt(depth)
	if out := unmarshal.Call([]reflect.Value{in}); !out[1].IsNil() {
		panic(out[1].Interface())
	}
	words := p.Elem().FieldByName("XXX_presence")
	for i := range words.Len() {
		if x := words.Index(i).Uint(); x != 0 {
			return 32*i + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// wireOf returns a message in the wire format in which one field is set.
func wireOf(f reflect.StructField) []byte {
	const varint, fixed64, length, start, end, fixed32 = 0, 1, 2, 3, 4, 5
	kind, rest, _ := strings.Cut(f.Tag.Get("protobuf"), ",")
	digits, _, _ := strings.Cut(rest, ",")
	number, _ := strconv.ParseUint(digits, 10, 32)
	tag := func(b []byte, wire uint64) []byte { return binary.AppendUvarint(b, number<<3|wire) }
	switch kind {
	case "fixed32":
		return append(tag(nil, fixed32), make([]byte, 4)...)
	case "fixed64":
		return append(tag(nil, fixed64), make([]byte, 8)...)
	case "bytes":
		return append(tag(nil, length), 0)
	case "group":
		return tag(tag(nil, start), end)
	}
	x := uint64(0)
	if f.Type.Kind() == reflect.Int32 && f.Type.PkgPath() != "" { // 0 may not be a number of a closed enum
		if en := enumOf(f.Type); en != nil {
			x = en.numbers[0]
		}
	}
	return binary.AppendUvarint(tag(nil, varint), x)
}

// set copies the fields of a builder to a new message.
func (o *opaque) set(message, builder unsafe.Pointer, t reflect.Type) {
	m, b := reflect.NewAt(t, message).Elem(), reflect.NewAt(o.builder, builder).Elem()
	for i, part := range o.parts {
		from := b.Field(i)
		if isUnset(from) {
			continue
		}
		to := reflect.NewAt(part.hidden, m.Field(part.at).Addr().UnsafePointer()).Elem()
		switch part.form {
		case pointed:
			to.Set(from.Elem())
		case behind:
			to.Set(from.Addr())
		default:
			to.Set(from)
		}
		if part.bit >= 0 {
			*o.word(message, part.bit) |= 1 << (part.bit % 32)
		}
	}
}

func isUnset(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		return v.IsNil()
	}
	return v.IsZero()
}

func (o *opaque) word(message unsafe.Pointer, bit int) *uint32 {
	return (*uint32)(unsafe.Add(message, o.presence+uintptr(bit/32*4)))
}

// get returns the builder of a message.
func (o *opaque) get(m reflect.Value) reflect.Value {
	b := reflect.New(o.builder).Elem()
	for i, part := range o.parts {
		from := settable(m.Field(part.at))
		switch part.form {
		case pointed:
			if *o.word(m.Addr().UnsafePointer(), part.bit)>>(part.bit%32)&1 != 0 {
				b.Field(i).Set(reflect.New(part.hidden))
				b.Field(i).Elem().Set(from)
			}
		case behind:
			if !from.IsNil() {
				b.Field(i).Set(from.Elem())
			}
		default:
			b.Field(i).Set(from)
		}
	}
	return b
}

// opaqueFields derives the fields of a message of the opaque API.
func (d *deriver) opaqueFields(t reflect.Type, m *message, sc *scope, path string) (fs []Field) {
	d.meet(t, m)
	sc = sc.inMessage()
	for i := range m.opaque.builder.NumField() {
		f := m.opaque.builder.Field(i)
		s := d.messageField(t, f, m, sc.into(t, f.Name), path+"."+f.Name)
		fs = append(fs, Field{f.Name, s, f.Offset})
	}
	return fs
}

// opaque makes a Struct that of an opaque message, if its type is one.
func (d *deriver) opaque(s *Schema) {
	if m := messageOf(s.Type); m != nil && m.opaque != nil {
		s.opaque, s.Ctors[0].box = m.opaque, d.cell(m.opaque.builder)
	}
}

// isOpaque reports whether a pointer to t leads to a term of t, because the fields of t are not in its memory.
func isOpaque(t reflect.Type) bool {
	m := messageOf(t)
	return m != nil && m.opaque != nil
}

func (b *Builder) message(c *cursor, s *Schema, q unsafe.Pointer) {
	args := b.alloc(s.Ctors[0].box)
	b.exec(c, s.Ctors[0].ops, args)
	s.opaque.set(q, args, s.Type)
}
