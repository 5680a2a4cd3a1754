//go:build go1.25

package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// The name of a kind is that of its type, and a line of this kind has the common fields and
// the object of this kind, and nothing else.
func TestKinds(t *testing.T) {
	for _, b := range bodies {
		if want := strings.ToLower(reflect.TypeOf(b).Name()); string(b.kind()) != want {
			t.Errorf("%T: kind %s, want %s", b, b.kind(), want)
		}
		for _, e := range []Event{full(b), {Body: b}} {
			line, err := Line(e)
			var fields map[string]json.RawMessage
			if err = errors.Join(err, json.Unmarshal(line, &fields)); err != nil {
				t.Fatal(err)
			}
			for _, common := range []string{"v", "time", "kind", "package", "property"} {
				delete(fields, common)
			}
			if names := slices.Collect(maps.Keys(fields)); len(names) != 1 || names[0] != string(b.kind()) {
				t.Errorf("%s has the objects %v", b.kind(), names)
			}
		}
	}
}

// All types that can be a body are in the list of bodies.
func TestBodies(t *testing.T) {
	listed := map[string]bool{}
	for _, b := range bodies {
		if listed[reflect.TypeOf(b).Name()] {
			t.Errorf("%T is there twice", b)
		}
		listed[reflect.TypeOf(b).Name()] = true
	}
	for _, name := range parseSource(t).bodies {
		if !listed[name] {
			t.Errorf("%s is missing in bodies", name)
		}
	}
}

// All fields have a name in JSON, and lists have a bound. No type has more fields than a
// reader can grasp.
func TestFields(t *testing.T) {
	const fieldsMax = 15
	check := func(at reflect.Type) {
		if n := at.NumField(); n > fieldsMax {
			t.Errorf("%s has %d fields, at most %d", at.Name(), n, fieldsMax)
		}
		names := map[string]bool{}
		for i := range at.NumField() {
			f := at.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || names[name] || f.Anonymous {
				t.Errorf("%s.%s has no name of its own in JSON", at.Name(), f.Name)
			}
			names[name] = true
			if f.Type.Kind() == reflect.Slice && f.Tag.Get("max") == "" {
				t.Errorf("%s.%s: a list needs the tag max", at.Name(), f.Name)
			}
		}
	}
	for _, at := range parts(bodies) {
		check(at)
	}
	check(reflect.TypeFor[header]())
}

// parts returns the types of bodies, and the types of their fields.
func parts(of []Body) (all []reflect.Type) {
	var add func(reflect.Type)
	add = func(at reflect.Type) {
		switch at.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(at.Elem())
		case reflect.Struct:
			if slices.Contains(all, at) {
				return
			}
			all = append(all, at)
			for i := range at.NumField() {
				add(at.Field(i).Type)
			}
		}
	}
	for _, b := range of {
		add(reflect.TypeOf(b))
	}
	return all
}

// stream has a line of each kind, with all fields. A change of the file is a change of what
// other programs read.
const stream = "testdata/stream.jsonl"

func TestStream(t *testing.T) {
	var text []byte
	var want []Event
	for _, b := range bodies {
		v := reflect.New(reflect.TypeOf(b)).Elem()
		fill(v, "a %s")
		e := Event{Time: noon, Package: "example.com/p", Property: "TestIt", Body: v.Interface().(Body)}
		want = append(want, e)
		line, err := Line(e)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, line...)
	}
	testkit.Golden(t, stream, text)
	if t.Failed() {
		return
	}
	if got := readFile(t, stream); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A stream of a later version, which has more kinds and more fields, is read as the same events.
func TestFuture(t *testing.T) {
	data, err := os.ReadFile(stream)
	if err != nil {
		t.Fatal(err)
	}
	var later bytes.Buffer
	for line := range strings.Lines(string(data)) {
		later.WriteString(`{"v":2,"kind":"foreseen","foreseen":{"died":{"run":7}},"run":[]}` + "\n")
		line = strings.Replace(line, `{"v":2,`, `{"v":2,"weather":{"rain":[1]},"mood":7,`, 1)
		line = strings.TrimSuffix(line, "}}\n") + `,"colour":{"red":null},"size":[{}]}}` + "\n"
		later.WriteString(strings.Replace(line, "{,", "{", 1))
	}
	var got []Event
	for e, err := range Read(&later) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if want := readFile(t, stream); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
