//go:build go1.25

package schema

import (
	"errors"
	"reflect"
	"strconv"
	"testing"
)

// oldMessage has the form of messages of old generators and of gogo. Messages of current generators are tested
// in module eval, because they need the protobuf runtime.
type oldMessage struct {
	Name                 string     `protobuf:"bytes,1,req,name=name"`
	ID                   *int32     `protobuf:"varint,2,req,name=id"`
	Data                 []byte     `protobuf:"bytes,3,req,name=data"`
	Parts                []*oldPart `protobuf:"bytes,4,rep,name=parts"`
	Kind                 isOldKind  `protobuf_oneof:"kind"`
	XXX_NoUnkeyedLiteral struct{}
	XXX_unrecognized     []byte
	XXX_sizecache        int32
}

type oldPart struct {
	Text *string `protobuf:"bytes,1,opt,name=text"`
}

type (
	isOldKind interface{ isOldKind() }
	oldText   struct {
		Text string `protobuf:"bytes,5,opt,name=text,oneof"`
	}
	oldSub struct {
		Sub *oldPart `protobuf:"bytes,6,opt,name=sub,oneof"`
	}
)

func (*oldMessage) ProtoMessage()            {}
func (*oldMessage) XXX_OneofWrappers() []any { return []any{(*oldText)(nil), (*oldSub)(nil)} }
func (*oldPart) ProtoMessage()               {}
func (*oldText) isOldKind()                  {}
func (*oldSub) isOldKind()                   {}

func TestMessageOfOldGenerator(t *testing.T) {
	w, err := Derive(reflect.TypeFor[oldMessage](), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	by := map[string]*Schema{}
	for _, f := range w.Root.Ctors[0].Fields {
		names, by[f.Name] = append(names, f.Name), f.S
	}
	if want := []string{"Name", "ID", "Data", "Parts", "Kind"}; !reflect.DeepEqual(names, want) {
		t.Errorf("fields %v, want %v", names, want)
	}
	kind := by["Kind"]
	for _, x := range []struct {
		what string
		ok   bool
	}{
		{"texts are UTF-8", by["Name"].UTF8},
		{"a required number is set", by["ID"].First() == 1},
		{"required bytes are set", by["Data"].Kind == Made},
		{"elements are not nil", by["Parts"].Elem.First() == 1},
		{"a oneof has its wrappers, and may be nil", len(kind.Ctors) == 3 && kind.First() == 0},
		{"a message in a oneof is not nil", kind.Ctors[2].Fields[0].S.First() == 1},
		{"an optional text may be nil", by["Parts"].Elem.Ctors[1].Fields[0].S.First() == 0},
		{"nothing is said", len(w.Notes) == 0},
	} {
		if !x.ok {
			t.Errorf("%s: no", x.what)
		}
	}
}

// What older versions have stored is read, although it is not generated any more.
func TestMessageReadsOldValues(t *testing.T) {
	w, err := Derive(reflect.TypeFor[oldMessage](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []oldMessage{
		{Name: "\xff", Parts: []*oldPart{nil}, Kind: &oldSub{}},
		{ID: new(int32), Data: []byte{0xff}, Kind: &oldText{}},
	} {
		x, err := w.Read(reflect.ValueOf(in))
		if err != nil {
			t.Errorf("%+v: %v", in, err)
			continue
		}
		if v, ok := w.Value(x); !ok || !reflect.DeepEqual(v.Interface(), in) {
			t.Errorf("got %+v, want %+v", v, in)
		}
	}
}

func TestReversibleNames(t *testing.T) {
	for name, want := range map[string]bool{
		"id": true, "user_name": true, "x1": true, "": false, "a_": false, "_a": false, "a__b": false, "a_1": false, "userName": false, "a.b": false,
	} {
		if got := reversible(name); got != want {
			t.Errorf("reversible(%q) = %v, want %v", name, got, want)
		}
	}
}

// oldColour is an enum of gogo.
type oldColour int32

func (c oldColour) String() string {
	if name := map[oldColour]string{0: "RED", 5: "BLUE"}[c]; name != "" {
		return name
	}
	return strconv.Itoa(int(c))
}

func (oldColour) EnumDescriptor() ([]byte, []int) { return nil, nil }

// jsonMessage writes itself as JSON: only if its bytes are JSON, and if its number is 0 or 1.
type jsonMessage struct {
	Type   jsonKind  `protobuf:"varint,1,opt,name=type,casttype=jsonKind"`
	Raw    []byte    `protobuf:"bytes,2,opt,name=raw"`
	Colour oldColour `protobuf:"varint,3,opt,name=colour,enum=x.Colour"`
}

type jsonKind int64

func (*jsonMessage) ProtoMessage() {}

func (m jsonMessage) MarshalJSON() ([]byte, error) {
	if m.Type != 0 && m.Type != 1 {
		return nil, errors.New("impossible type")
	}
	if m.Raw == nil {
		return []byte("null"), nil
	}
	return m.Raw, nil
}

func TestMessageWritesItself(t *testing.T) {
	w, err := Derive(reflect.TypeFor[jsonMessage](), nil)
	if err != nil {
		t.Fatal(err)
	}
	fs := w.Root.Ctors[0].Fields
	if kind := fs[0].S; !kind.Only || !reflect.DeepEqual(kind.Consts, []uint64{0, 1}) {
		t.Errorf("Type: %v, only these: %v", kind.Consts, kind.Only)
	}
	if raw := fs[1].S; raw.Kind != Made || len(raw.Ctors) != 3 {
		t.Errorf("Raw is not JSON")
	}
	if colour := fs[2].S; !colour.Only || !reflect.DeepEqual(colour.Consts, []uint64{0, 5}) {
		t.Errorf("Colour: %v, only these: %v", colour.Consts, colour.Only)
	}
	in := jsonMessage{Type: 7, Raw: []byte{0xff}, Colour: -3} // of an older version
	x, err := w.Read(reflect.ValueOf(in))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := w.Value(x); !reflect.DeepEqual(v.Interface(), in) {
		t.Errorf("got %+v, want %+v", v, in)
	}
}

// A message in a pointer is not one that is written as null, which would be read as a nil pointer.
// Cases may contain one.
func TestMessageIsNotNull(t *testing.T) {
	w, err := Derive(reflect.TypeFor[*jsonMessage](), nil)
	if err != nil {
		t.Fatal(err)
	}
	if raw := w.Root.Ctors[1].Fields[1].S; raw.First() != 2 || len(raw.Ctors) != 3 {
		t.Errorf("Raw has %d builders, %d of them hidden", len(raw.Ctors), raw.First())
	}
	for _, text := range []string{"null", " {}", `"<"`} {
		for _, raw := range [][]byte{nil, []byte(text)} {
			in := &jsonMessage{Raw: raw}
			x, err := w.Read(reflect.ValueOf(in))
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := w.Value(x); !reflect.DeepEqual(v.Interface(), in) {
				t.Errorf("got %+v, want %+v", v, in)
			}
		}
	}
}

// A declaration replaces what is known about a message.
func TestMessageDeclared(t *testing.T) {
	kind, raw := reflect.TypeFor[jsonKind](), reflect.TypeFor[[]byte]()
	w, err := Derive(reflect.TypeFor[jsonMessage](), []Decl{
		{Type: kind, What: Range{Lo: reflect.ValueOf(jsonKind(3)), Hi: reflect.ValueOf(jsonKind(9))}, Tier: Local},
		{Type: raw, What: Values{All: []reflect.Value{reflect.ValueOf([]byte("x"))}}, Tier: Local},
		{What: At{Path: "Colour", Sub: []Decl{{Type: reflect.TypeFor[oldColour](), What: Values{All: []reflect.Value{reflect.ValueOf(oldColour(9))}}}}}, Tier: Local},
	})
	if err != nil {
		t.Fatal(err)
	}
	fs := w.Root.Ctors[0].Fields
	if kind := fs[0].S; kind.Only || kind.Lo != 3 || kind.Hi != 9 {
		t.Errorf("Type: from %d to %d, only constants: %v", kind.Lo, kind.Hi, kind.Only)
	}
	if fs[1].S.Kind != Choice || fs[2].S.Kind != Choice {
		t.Error("declared values are not used")
	}
}
