//go:build go1.25

package apply

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
)

// compiler returns a function that compiles a file of a module with the go command.
func compiler(t *testing.T) (file string, build func(text string) (string, error)) {
	dir := t.TempDir()
	file = filepath.Join(dir, "a.go")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/a\n\ngo 1.25\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, func(text string) (string, error) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return "", err
		}
		cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && len(out) > 0 {
			return string(out), nil
		}
		return "", err
	}
}

const head = "package a\n\nimport \"strings\"\n\nfunc f(s string, n int) (r int, err error) {\n"

func TestEdit(t *testing.T) {
	file, build := compiler(t)
	for _, c := range []struct{ what, body, old, new, want string }{
		{"a number", "\treturn len(strings.Fields(s)) + 1, nil", "+", "-", "\treturn len(strings.Fields(s)) - 1, nil"},
		{"a deleted statement leaves an empty line", "\tn += len(strings.Fields(s))\n\tn++\n\treturn n, nil", "n++", "",
			"\tn += len(strings.Fields(s))\n\n\treturn n, nil"},
		{"a variable", "\tx := len(strings.Fields(s))\n\treturn x, nil", "x,", "0,", "\tx := len(strings.Fields(s))\n\t_ = x\n\treturn 0, nil"},
		{"two variables", "\tx, y := len(strings.Fields(s)), 1\n\treturn x + y, nil", "x + y", "0",
			"\tx, y := len(strings.Fields(s)), 1\n\t_ = y\n\t_ = x\n\treturn 0, nil"},
		{"a variable of an if", "\tif x := len(strings.Fields(s)); n > 0 {\n\t\tr = x\n\t}\n\treturn", "r = x", "",
			"\tif x := len(strings.Fields(s)); n > 0 {\n\t\t_ = x\n\n\t}\n\treturn"},
		{"of a loop", "\tfor _, x := range strings.Fields(s) {\n\t\tr += len(x)\n\t}\n\treturn", "r += len(x)", "",
			"\tfor _, x := range strings.Fields(s) {\n\t\t_ = x\n\n\t}\n\treturn"},
		{"of a type switch", "\tswitch x := any(strings.Fields(s)).(type) {\n\tcase []string:\n\t\tr = len(x)\n\t}\n\treturn", "r = len(x)", "",
			"\tswitch x := any(strings.Fields(s)).(type) {\n\tcase []string:\n\t\t_ = x\n\n\t}\n\treturn"},
		{"in one line", "\tif n > 0 { x := len(strings.Fields(s)); r = x }\n\treturn", "r = x", "",
			"\tif n > 0 { x := len(strings.Fields(s))\n\t_ = x;  }\n\treturn"},
	} {
		src := head + c.body + "\n}\n"
		e := site.Edit{Offset: len(head) + strings.Index(c.body, c.old), Old: c.old, New: c.new}
		got, err := Edit(file, src, e, build)
		if want := head + c.want + "\n}\n"; err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.what, err, got, want)
		}
	}
	src := head + "\tr = len(strings.Fields(s))\n\treturn\n}\n"
	got, err := Edit(file, src, site.Edit{Offset: len(head) + 5, Old: "len(strings.Fields(s))", New: "0"}, build)
	if err != nil || !strings.Contains(got, `import _ "strings"`) {
		t.Errorf("an import: %v\n%s", err, got)
	}
}

func TestEditRefuses(t *testing.T) {
	file, build := compiler(t)
	src := head + "\treturn len(strings.Fields(s)), nil\n}\n"
	if _, err := Edit(file, src, site.Edit{Offset: 3, Old: "x", New: "y"}, build); !errors.Is(err, ErrOther) {
		t.Error(err)
	}
	if _, err := Edit(file, src, site.Edit{Offset: len(head) + 1, Old: "return len(strings.Fields(s)), nil", New: ""}, build); err == nil ||
		!strings.Contains(err.Error(), "does not compile") || !strings.Contains(err.Error(), "missing return") {
		t.Error(err)
	}
}
