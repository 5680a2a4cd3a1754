//go:build go1.25

package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// The key of a test changes with everything that its binary is built from, and stays the same
// otherwise. If not everything can be known, there is none.
func TestKeys(t *testing.T) {
	var dir string
	var c Config
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	replace := map[string]string{}
	key := func() string {
		t.Helper()
		l, err := List(c)
		if err != nil {
			t.Fatal(err)
		}
		return l.Inputs().Keys(replace, nil)("scratch/a")
	}
	for _, row := range []struct {
		what   string
		change func()
		want   string
	}{
		{"nothing", func() {}, "same"},
		{"a file of another package", func() { put("b/b.go", "package b\n\nvar X int\n") }, "same"},
		{"a new file of another package", func() { put("b/c.go", "package b\n") }, "same"},
		{"a test of a package that it imports", func() { put("dep/dep_test.go", "package dep\n") }, "same"},
		{"a file that is not built", func() { put("a/other.go", "//go:build other\n\npackage a\n") }, "same"},
		{"a package that it imports", func() { put("dep/dep.go", "package dep\n\nvar X int8\n") }, "other"},
		{"a new file of a package that it imports", func() { put("dep/more.go", "package dep\n") }, "other"},
		{"an assembly file", func() { put("dep/add.s", "// nothing\n") }, "other"},
		{"a test", func() { put("a/a_test.go", "package a\n\nvar Y int\n") }, "other"},
		{"an external test", func() { put("a/x_test.go", "package a_test\n") }, "other"},
		{"go.mod", func() { put("go.mod", "module scratch\n\ngo 1.25.0\n") }, "other"},
		{"the list of vendored packages", func() { put("vendor/modules.txt", "# x\n"); c.Flags = []string{"-mod=mod"} }, "other"},
		{"a tag", func() { c.Flags = []string{"-tags=other"} }, "other"},
		{"a tag in GOFLAGS", func() { c.Env = append(c.Env, "GOFLAGS=-tags=other") }, "other"},
		{"another system", func() { c.Env = append(c.Env, "CGO_ENABLED=0", "GOOS=plan9") }, "other"},
		{"a variable of the compiler", func() { c.Env = append(c.Env, "LIBRARY_PATH=/lib/other") }, "other"},
		{"a variable of no tool", func() { c.Env = append(c.Env, "NOBODY=reads it") }, "same"},
		{"an overlay", func() { replace[filepath.Join(dir, "dep", "dep.go")] = filepath.Join(dir, "b", "b.go") }, "other"},
		{"an overlay of a test of an import", func() { replace[filepath.Join(dir, "dep", "z_test.go")] = filepath.Join(dir, "b", "b.go") }, "same"},
		{"an overlay of another package", func() { replace[filepath.Join(dir, "b", "z.go")] = filepath.Join(dir, "b", "b.go") }, "same"},
		{"an overlay of no package", func() { replace[filepath.Join(dir, "go.mod")] = filepath.Join(dir, "b", "b.go") }, "other"},
		{"flags for the linker", func() { c.Env = append(c.Env, "GOFLAGS=-ldflags=-w") }, "none"},
		{"another tool runs the compiler", func() { c.Env = append(c.Env, "GOFLAGS=-toolexec=env") }, "none"},
		{"C", func() { put("dep/c.go", "package dep\n\nimport \"C\"\n"); c.Env = append(c.Env, "CGO_ENABLED=1") }, "none"},
		{"a file that cannot be read", func() {
			os.Remove(filepath.Join(dir, "dep", "dep.go"))
			put("dep/dep.go/x", "")
			put("dep/more.go", "package dep\n")
			replace[filepath.Join(dir, "dep", "more.go")] = filepath.Join(dir, "dep")
		}, "none"},
	} {
		t.Run(row.what, func(t *testing.T) {
			clear(replace)
			dir = testkit.Module(t, map[string]string{
				"a/a.go":      "package a\n\nimport _ \"scratch/dep\"\n",
				"a/a_test.go": "package a\n",
				"b/b.go":      "package b\n",
				"dep/dep.go":  "package dep\n",
			})
			put("go.mod", "module scratch\n\ngo 1.25\n")
			c = Config{Dir: dir, Patterns: []string{"./..."}, All: true, Env: []string{"GOFLAGS=", "GOWORK=off", "GOPROXY=off"}}
			before := key()
			if before == "" {
				t.Fatal("there is no key")
			}
			row.change()
			got := "other"
			switch key() {
			case "":
				got = "none"
			case before:
				got = "same"
			}
			if got != row.want {
				t.Errorf("the key is %s, want %s", got, row.want)
			}
		})
	}
}
