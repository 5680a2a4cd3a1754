//go:build go1.25

package scoring

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A request is read as it was written.
func TestRequest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "request")
	want := Request{Version: Version}
	fill(t, reflect.ValueOf(&want).Elem())
	if err := want.Write(file); err != nil {
		t.Fatal(err)
	}
	want.Version = Version
	got, err := ReadRequest(file)
	if err != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
	for _, text := range []string{"", "{", "[]", `{"version": 1, "faults": 3}`, `{"version": "1"}`} {
		if _, err := readText(t, text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

func readText(t *testing.T, request string) (*Request, error) {
	file := filepath.Join(t.TempDir(), "request")
	if err := os.WriteFile(file, []byte(request), 0o666); err != nil {
		t.Fatal(err)
	}
	return ReadRequest(file)
}

// fill sets every field to another value than zero.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.String:
		v.SetString("a\nb\x00\u2028<&>")
	case reflect.Int, reflect.Int64:
		v.SetInt(-1 << 40)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf("y"))
	default:
		t.Fatalf("a field of type %v", v.Type())
	}
}

// What the command reads is what a test binary wrote, for every event, with all fields and without.
func TestLines(t *testing.T) {
	r := &Request{Results: filepath.Join(t.TempDir(), "lines")}
	out, err := r.Open()
	if err != nil {
		t.Fatal(err)
	}
	var want []Line
	for _, event := range []string{Begin, Start, Note, Judged, Check, Good, Polluted, Busy, Stuck, Tested, Killer, Done, "other"} {
		var full Line
		fill(t, reflect.ValueOf(&full).Elem())
		for _, l := range []Line{full, {Fault: NoFault}} {
			if l.Event = event; event == Begin {
				l.Version = Version
			}
			if want = append(want, l); out.Put(l) != nil {
				t.Fatal("cannot write")
			}
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(r.Results)
	if err != nil {
		t.Fatal(err)
	}
	if got, rest := Lines(data); !reflect.DeepEqual(got, want) || len(rest) > 0 {
		t.Errorf("got %+v and %q, want %+v", got, rest, want)
	}
	for cut := 0; cut < len(data); cut += 13 { // the command reads while lines are written
		a, rest := Lines(data[:cut])
		b, _ := Lines(append(rest[:len(rest):len(rest)], data[cut:]...))
		if !reflect.DeepEqual(append(a, b...), want) {
			t.Fatalf("cut after %d bytes: got %+v and %+v", cut, a, b)
		}
	}
	for i := 0; i < len(data); i += 13 { // a damaged line costs no other line
		damaged := append([]byte(nil), data...)
		if damaged[i] ^= 0x55; data[i] == '\n' {
			continue
		}
		if got, rest := Lines(damaged); len(got) < len(want)-1 || len(rest) > 0 {
			t.Fatalf("damaged at %d: %d lines, want %d", i, len(got), len(want))
		}
	}
}

// What a test writes to the file is left out.
func TestForeignLines(t *testing.T) {
	for text, want := range map[string]int{
		"":                         0,
		"\n\n":                     0,
		"hello\n{}\n":              1,
		"[1]\n\"x\"\n3\n":          0,
		"{\"event\": 3}\n":         0,
		"{\"fault\": 1e99}\n":      0,
		"{\"event\":\"done\"}\r\n": 1,
		"{\"event\":\"done\"}":     0,
		strings.Repeat("[", 100_000) + "\n{\"event\":\"x\",\"more\":{}}\n": 1,
		"\xff\x00\n{\"event\":\"\xff\"}\n":                                 1,
	} {
		if got, _ := Lines([]byte(text)); len(got) != want {
			t.Errorf("%.40q: %+v", text, got)
		}
	}
}

// Each side refuses another version, and says which one is older.
func TestVersions(t *testing.T) {
	results := filepath.Join(t.TempDir(), "lines")
	for text, want := range map[string]string{
		`{"version": 9, "results": ` + quoted(results) + `, "faults": "of another form"}`: "the tests are older: run go get -tool ",
		`{"results": ` + quoted(results) + `}`:                                            "the command is older: run go get -tool ",
		`{"version": 9, "results": "/none/at/all"}`:                                       "command has version 9",
	} {
		if _, err := readText(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	data, err := os.ReadFile(results)
	if lines, _ := Lines(data); err != nil || len(lines) != 2 || lines[0].Event != Begin || lines[0].Version != Version {
		t.Errorf("a binary that refuses a request answers %s (%v)", data, err)
	}
	for _, c := range []struct {
		line Line
		want string
	}{
		{Line{Event: Begin, Version: Version}, ""},
		{Line{Event: Judged}, ""},
		{Line{Event: Begin}, "the tests are older"},
		{Line{Event: Begin, Version: 9}, "the command is older"},
	} {
		if err := c.line.Refused(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.line, err)
		}
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }
