package ini

import (
	"maps"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele"
)

// What people write, and what they are told when it is not a file.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"blanks do not matter", " [ s ]\r\n\tk=v", "[s]\nk = v\n"},
		{"comments are dropped", "; all\nk = v # about v", "k = v\n"},
		{"not if they are in quotes", `k = "; #"`, `k = "; #"` + "\n"},
		{"quotes are dropped where there is no need", `"k" = "v"`, "k = v\n"},
		{"an empty value needs no quotes", "k =", "k = \"\"\n"},
		{"an empty key does", "= v", `line 1: key: "" must be in quotes`},
		{"a key has a value", "k", `line 1: key "k": want = and a value after it`},
		{"a header is alone on its line", "[s] k = v", `line 1: section "s": want nothing but ] after the name`},
		{"quotes end on the line", "\nk = \"v", `line 2: value of "k": want a closing quote, and escapes as in Go: "v`},
		{"nothing follows the quotes", `k = "v" w`, `line 1: value of "k": want nothing after the closing quote, not "w"`},
		{"a key is there once", "k = 1\nk = 2", `line 2: key "k" is there twice`},
		{"and so is a section", "k = v\n[\"\"]", `line 2: section "" is there twice`},
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

// Nothing is lost on the way to a file and back, whatever the strings are:
// empty, with quotes and line ends in them, not even UTF-8.
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

// A file is plain text that an editor shows as it is.
func TestEncodePlain(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ Section, Key, Value string }) {
		text := Encode(File{in.Section: {in.Key: in.Value}})
		hidden := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
		if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
			t.Errorf("wrote %q", text)
		}
	})
}

// A text is a file as people write it, of names that are mostly right, or scraps
// of one, or anything. Strings alone would do to look for panics, but hardly one
// of them is a file that says something.
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

// No text makes Decode panic. What it accepts, Encode writes so that it means
// the same, and in the same way each time.
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
