//go:build go1.25

package site

import "testing"

// An edit is made only in the source that it is for.
func TestEdit(t *testing.T) {
	const src = "return a < b"
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{Edit{Offset: 9, Old: "<", New: "<="}, "return a <= b"},
		{Edit{Offset: 0, Old: src, New: ""}, ""},
		{Edit{Offset: 12, Old: "", New: ";"}, "return a < b;"},
		{Edit{Offset: 9, Old: ">", New: "<="}, ""},
		{Edit{Offset: 11, Old: "bc", New: ""}, ""},
		{Edit{Offset: 13, Old: "", New: "x"}, ""},
		{Edit{Offset: -1, Old: "", New: "x"}, ""},
	} {
		got, ok := c.edit.Apply(src)
		if want := c.want != "" || c.edit.Old == src; ok != want || ok && got != c.want || !ok && got != src {
			t.Errorf("%+v: %q, %v", c.edit, got, ok)
		}
	}
}
