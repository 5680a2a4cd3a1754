//go:build go1.25

package codec

import (
	"strings"
	"testing"
)

// The second expression of a file is found again, with its lines, unless someone has edited
// the first one.
func TestFields(t *testing.T) {
	file := Encode(Header{Test: "TestX"}, "NewNote(\n\t`a\n// fields 123456\n// b`,\n)")
	for _, fields := range []string{"Note{s: 1}", "Note{\n\ts: `a  \n\n// fields 000000`,\n}"} {
		both := string(WithFields(file, fields))
		for name, text := range map[string]string{
			"as written":        both,
			"another header":    strings.Replace(both, "TestX", "TestY", 1),
			"more blank lines":  strings.Replace(both, "\n)\n", "\n)\n\n", 1),
			"written elsewhere": strings.ReplaceAll(both, "\n", "\r\n"),
		} {
			got, ok := Fields([]byte(text))
			if s := strings.ReplaceAll(strings.TrimSpace(string(got)), "\r\n", "\n"); !ok || s != fields {
				t.Errorf("%s: %v, %q, want %q", name, ok, s, fields)
			}
			if want := strings.Count(text[:strings.LastIndex(text, "\n"+fieldsKey)], "\n") + 2; ok && strings.Count(string(got), "\n")-strings.Count(fields, "\n")-1 != want {
				t.Errorf("%s: not at line %d: %q", name, want+1, got)
			}
		}
		for name, text := range map[string]string{
			"none":                   string(file),
			"the first was edited":   strings.Replace(both, "`a\n", "`c\n", 1),
			"the second was removed": both[:strings.LastIndex(both, "\n"+fieldsKey)],
			"code follows":           both + "x",
		} {
			if got, ok := Fields([]byte(text)); ok {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}
