//go:build go1.25

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two packages need one go command, and if nothing has changed, none. Whatever happens to a
// binary in the cache, it is not run.
func TestUnchanged(t *testing.T) {
	test := func(pkg string) string {
		return "package " + pkg + "\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
			"func TestOK(t *testing.T) { allele.Check(t, func(t *allele.T, n int) {}) }\n"
	}
	dir := module(t, "list.go")
	for _, name := range []string{"a", "b", "c/a"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name, "x_test.go")
		if err := os.WriteFile(file, []byte(test(filepath.Base(name))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	age(t, dir)
	builds := func() int {
		t.Helper()
		out, exit := allele(t, "test", "-x", "-C", dir, "-tests", "20", "./...")
		if exit != exitOK {
			t.Fatalf("exit %d\n%s", exit, out)
		}
		has(t, out, "a.TestOK", "b.TestOK", "3 properties")
		return strings.Count(out, "go test -c ")
	}
	binary := func() string {
		all, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "allele", "*", "bin", "scratch", "b.test"))
		if err != nil || len(all) != 1 {
			t.Fatalf("%q, %v", all, err)
		}
		return all[0]
	}
	damage := func(change func(data []byte) []byte) func() {
		return func() {
			file := binary()
			data, err := os.ReadFile(file)
			if err == nil {
				data = change(data)
				os.Remove(file)
				err = os.WriteFile(file, data, 0o777)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		what   string
		change func()
		want   int // go commands that build
	}{
		{"at first; two packages have the same name", func() {}, 2},
		{"nothing", func() {}, 0},
		{"a bit of the binary", damage(func(data []byte) []byte { data[len(data)/2] ^= 1; return data }), 1},
		{"the binary of another package", damage(func([]byte) []byte {
			data, err := os.ReadFile(filepath.Join(filepath.Dir(binary()), "a.test"))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}), 1},
		{"nothing again", func() {}, 0},
	} {
		step.change()
		if got := builds(); got != step.want {
			t.Errorf("%s: %d go commands, want %d", step.what, got, step.want)
		}
	}
}

// age makes the files in a folder a minute old: a binary is kept only if its source was not written
// just now.
func age(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Minute)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, old, old))
	})
	if err != nil {
		t.Fatal(err)
	}
}
