//go:build go1.25

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The operand binary is built if the search uses it, and its path is passed to the worker.
func TestBuildsOperands(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	for _, c := range []struct {
		name string
		args []string
		want bool
	}{
		{"by default", nil, true},
		{"again", []string{"-operands=auto"}, true},
		{"off", []string{"-operands=off"}, false},
		{"random", []string{"-strategy", "random"}, false},
		{"race", []string{"-race"}, false},
		{"no property", []string{"-run", "NoSuch"}, false},
	} {
		if testing.Short() && c.name == "race" {
			continue
		}
		out, exit := allele(t, append([]string{"test", "-x", "-C", dir, "-run", "Passes", "-tests", "50"}, append(c.args, ".")...)...)
		if want := map[bool]int{true: exitFailed, false: exitOK}[c.name == "no property"]; exit != want {
			t.Fatalf("%s: exit %d\n%s", c.name, exit, out)
		}
		built, passed := strings.Contains(out, "-gcflags=scratch=-d=libfuzzer"), strings.Contains(out, `"operands":`)
		if built != c.want || passed != c.want {
			t.Errorf("%s: built %v, passed %v\n%s", c.name, built, passed, out)
		}
	}
}

// A failed build of the operand binary is only a warning.
func TestOperandsThatDoNotBuild(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *libfuzzer*) echo no such thing >&2; exit 1;; esac\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, exit := allele(t, "test", "-C", dir, "-run", "Passes", "-tests", "50", ".")
	if exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "allele test: the search goes on without operands: go test -c scratch: exit status 1 (-v shows more)\n", "  ok\n")
	out, _ = allele(t, "test", "-v", "-C", dir, "-run", "Passes", "-tests", "50", ".")
	has(t, out, "no such thing\n", "  ok\n")
}
