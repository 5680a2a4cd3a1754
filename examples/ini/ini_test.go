//go:build go1.25

package ini

import (
	"maps"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele"
)

// TestDecode decodes texts as people write them. Each row has the text that
// Encode writes for the decoded file, or the error.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"extra spaces", " [ s ]\r\n\tk=v", "[s]\nk = v\n"},
		{"comments", "; all\nk = v # about v", "k = v\n"},
		{"comment characters in quotes", `k = "; #"`, `k = "; #"` + "\n"},
		{"quotes that are not needed", `"k" = "v"`, "k = v\n"},
		{"empty value", "k =", "k = \"\"\n"},
		{"empty key without quotes", "= v", `line 1: key: "" must be in quotes`},
		{"key without a value", "k", `line 1: key "k": want = and a value after the key`},
		{"text after a header", "[s] k = v", `line 1: section "s": want only ] after the name`},
		{"no closing quote", "\nk = \"v", `line 2: value of "k": want a closing quote and Go's escape sequences: "v`},
		{"text after a quoted value", `k = "v" w`, `line 1: value of "k": unexpected "w" after the closing quote`},
		{"duplicate key", "k = 1\nk = 2", `line 2: duplicate key "k"`},
		{"duplicate section", "k = v\n[\"\"]", `line 2: duplicate section ""`},
	} {
		f, err := Decode(c.text)
		got := Encode(f)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func equal(f, g File) bool {
	return maps.EqualFunc(f, g, func(a, b Section) bool { return maps.Equal(a, b) })
}

// Decode returns the file that Encode was given. The strings are arbitrary: they
// may be empty, contain quotes and newlines, or be invalid UTF-8.
func TestRoundTrip(t *testing.T) {
	allele.Check(t, func(t *allele.T, f File) {
		text := Encode(f)
		got, err := Decode(text)
		if err != nil {
			t.Fatalf("cannot read %q: %v", text, err)
		}
		if !equal(got, f) {
			t.Errorf("got %q from %q", got, text)
		}
		t.Label("quotes", strings.Contains(text, `"`))
	})
}

// An encoded file is plain text: valid UTF-8 without hidden characters.
func TestEncodePlain(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ Section, Key, Value string }) {
		text := Encode(File{in.Section: {in.Key: in.Value}})
		hidden := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
		if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
			t.Errorf("wrote %q", text)
		}
	})
}

// A text is a well-formed file with mostly valid names, or random scraps of a
// file, or an arbitrary string. Arbitrary strings alone could find panics, but
// hardly any of them is a valid file with settings in it.
type (
	text  string
	line  string
	name  string
	scrap string
)

func lines(ls []line) text         { return text(join(ls, "\n")) }
func header(s name) line           { return line("[" + s + "]") }
func setting(key, value name) line { return line(key + " = " + value + " # why") }
func scraps(ss []scrap) text       { return text(join(ss, "")) }
func anything(s string) text       { return text(s) }

// Decode does not panic on any text. If it accepts a text, encoding the result
// and decoding it again yields the same settings and the same text.
func TestDecodeAnyText(t *testing.T) {
	allele.Check(t, func(t *allele.T, s text) {
		f, err := Decode(string(s))
		t.Label("accepted", err == nil)
		if err != nil {
			return
		}
		t.Label("sections", min(len(f), 3))
		again, err := Decode(Encode(f))
		if err != nil {
			t.Fatalf("written as %q: %v", Encode(f), err)
		}
		if !equal(again, f) || Encode(again) != Encode(f) {
			t.Errorf("%q became %q", f, again)
		}
	},
		allele.Builder(lines), allele.Builder(scraps), allele.Builder(anything),
		allele.Builder(header), allele.Builder(setting),
		allele.Values[name]("a", "b", "c", "d", "e", `"d e"`, `"\";"`, `"\xff"`, "é", "", "="),
		allele.Values[scrap]("a", "=", "[", "]", `"`, `\`, ";", "#", " ", "\n", "\x00", "\xff"))
}

func join[S ~string](parts []S, between string) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(string(p))
	}
	return b.String()
}
