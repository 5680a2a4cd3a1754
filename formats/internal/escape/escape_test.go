package escape

import "testing"

func TestEscape(t *testing.T) {
	name := func(s string) string { return Name(s, "other") }
	for _, c := range []struct {
		doc    string
		escape func(string) string
		text   string
		want   string
	}{
		{"a name has letters and digits", name, "a b-c_1", "abc_1"},
		{"a name does not begin with a digit", name, "12a3", "a3"},
		{"a text without letters has the other name", name, "1 é?", "other"},
		{"the characters of tags are written as entities", XML, "<a & b>", "&lt;a &amp; b&gt;"},
		{"XML has no control characters", XML, "a\x00b", "a\uFFFDb"},
		{"a word of the shell is quoted", Shell, "a b", "'a b'"},
		{"a quote ends the quoted text", Shell, "it's", `'it'\''s'`},
		{"the shell has no zero bytes", Shell, "a\x00b", "'ab'"},
	} {
		if got := c.escape(c.text); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.doc, c.text, got, c.want)
		}
	}
}
