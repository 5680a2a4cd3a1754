//go:build go1.25

package operand

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A number that was compared is found in a text in several forms, and replaced there.
func TestWritten(t *testing.T) {
	raw, text := reflect.TypeFor[[]byte](), reflect.TypeFor[string]()
	for _, c := range []struct {
		name     string
		typ      reflect.Type
		now      string
		compared Compared
		want     string
	}{
		{"letter", text, "a?b", Compared{A: '?', B: ':', Width: 1}, "a:b"},
		{"rune", text, "a?b", Compared{A: ':', B: '?', Width: 4}, "a:b"},
		{"decimal", text, "n=12", Compared{A: 12, B: 31337, Width: 8}, "n=31337"},
		{"negative", text, "n=-1", Compared{A: ^uint64(0), B: 7, Width: 8}, "n=7"},
		{"hexadecimal", text, "0xff", Compared{A: 255, B: 4096, Width: 8}, "0x1000"},
		{"byte", raw, "\xa6ab", Compared{A: 0xa6, B: 0xa7, Width: 1}, "\xa7ab"},
		{"big endian", raw, "k\x01\x02abc", Compared{A: 0x0102, B: 3, Width: 2}, "k\x00\x03abc"},
		{"little endian", raw, "k\x02\x01abc", Compared{A: 0x0102, B: 3, Width: 2}, "k\x03\x00abc"},
		{"32 bits", raw, "k\x01\x02\x03\x04", Compared{A: 0x01020304, B: 5, Width: 4}, "k\x00\x00\x00\x05"},
		{"converted to int", raw, "k\x01\x02abc", Compared{A: 0x0102, B: 3, Width: 8}, "k\x00\x03abc"},
		{"a byte converted to int", raw, "k\x09abc", Compared{A: 9, B: 3, Width: 8}, "k\x03abc"},
		{"zero converted to int", raw, "k\x00\x00abc", Compared{A: 0, B: 3, Width: 8}, "k\x00\x03abc"},
	} {
		w, err := schema.Derive(c.typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range Candidates(w.Root, term.AppendRaw(nil, w.Root.ID, c.now), []Compared{c.compared}, 100) {
			got = append(got, string(x.Bytes(0)))
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%s: %q instead of %q is not among %q", c.name, c.want, c.now, got)
		}
	}
}

// Bytes in a string are not a number, and wide numbers do not fit into few bytes.
func TestNotWritten(t *testing.T) {
	for _, c := range []struct {
		typ      reflect.Type
		now      string
		compared Compared
	}{
		{reflect.TypeFor[string](), "k\x01\x02abc", Compared{A: 0x0102, B: 3, Width: 2}},
		{reflect.TypeFor[[]byte](), "k\x01\x02abc", Compared{A: 0x0102, B: 1 << 20, Width: 8}},
	} {
		w, err := schema.Derive(c.typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Candidates(w.Root, term.AppendRaw(nil, w.Root.ID, c.now), []Compared{c.compared}, 100); len(got) > 0 {
			t.Errorf("%q: %q", c.now, got[0].Bytes(0))
		}
	}
}
