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
		{Edit{9, "<", "<="}, "return a <= b"},
		{Edit{0, src, ""}, ""},
		{Edit{12, "", ";"}, "return a < b;"},
		{Edit{9, ">", "<="}, ""},
		{Edit{11, "bc", ""}, ""},
		{Edit{13, "", "x"}, ""},
		{Edit{-1, "", "x"}, ""},
	} {
		got, ok := c.edit.Apply(src)
		if want := c.want != "" || c.edit.Old == src; ok != want || ok && got != c.want || !ok && got != src {
			t.Errorf("%+v: %q, %v", c.edit, got, ok)
		}
	}
}
