//go:build go1.25 && linux

package program

import (
	"path/filepath"
	"testing"
)

// A program that does not read its input is noticed, however often it runs. One that reads it is not suspected later.
func TestUnread(t *testing.T) {
	if !setsAccess(filepath.Join(t.TempDir(), "access")) {
		t.Skip("the file system sets no access times")
	}
	for _, c := range []struct {
		name   string
		args   []string
		inputs []string
		want   string // a letter for each run
	}{
		{"it ignores the file", []string{"true", "@@"}, []string{"a", "b", "c"}, "uuu"},
		{"it ignores standard input", []string{"true"}, []string{"a", "b"}, "uu"},
		{"it reads the file", []string{"cat", "@@"}, []string{"a", "b"}, ".."},
		{"it reads standard input", []string{"cat"}, []string{"a", "b"}, ".."},
		{"by a name for standard input", []string{"sort", "/dev/stdin"}, []string{"a"}, "."},
		{"it only looks at the file", []string{"test", "-f", "@@"}, []string{"a"}, "u"},
		{"it opens the file", []string{"sh", "-c", "exec 3< $1", "sh", "@@"}, []string{"a"}, "u"},
		{"it removes the file", []string{"rm", "@@"}, []string{"a"}, "."},
		{"it reads later", []string{"sh", "-c", "test $(stat -c %s $1) = 1 || cat $1", "sh", "@@"}, []string{"a", "b", "cc", "d"}, "uu.."},
		{"an empty file", []string{"true", "@@"}, []string{"", "a", ""}, ".uu"},
	} {
		p := &Program{Args: c.args}
		got := ""
		for _, input := range c.inputs {
			if run(t, p, input).Unread {
				got += "u"
			} else {
				got += "."
			}
		}
		p.Close()
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
