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
		name   string
		args   []string
		built  bool
		passed bool
	}{
		{"few tests, which ask for no operands", []string{"-tests", "50"}, false, true},
		{"by default", nil, true, true},
		{"again, and it is up to date", []string{"-operands=auto"}, false, true},
		{"off", []string{"-operands=off"}, false, false},
		{"random", []string{"-strategy", "random"}, false, false},
		{"race", []string{"-race"}, false, false},
		{"no property", []string{"-run", "NoSuch"}, false, false},
	} {
		if testing.Short() && c.name == "race" {
			continue
		}
		out, exit := allele(t, append([]string{"test", "-x", "-C", dir, "-run", "Passes", "-tests", "300"}, append(c.args, ".")...)...)
		if want := map[bool]int{true: exitFailed, false: exitOK}[c.name == "no property"]; exit != want {
			t.Fatalf("%s: exit %d\n%s", c.name, exit, out)
		}
		built, passed := strings.Contains(out, "-gcflags=scratch=-d=libfuzzer"), strings.Contains(out, `"operands":`)
		if built != c.built || passed != c.passed {
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
	out, exit := allele(t, "test", "-C", dir, "-run", "Passes", "-tests", "300", ".")
	if exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "allele test: the search goes on without operands: go test -c scratch: exit status 1 (-v shows more)\n", "  ok\n")
	out, _ = allele(t, "test", "-v", "-C", dir, "-run", "Passes", "-tests", "300", ".")
	has(t, out, "no such thing\n", "  ok\n")

	// A search that asks goes on without them too.
	if err := os.WriteFile(filepath.Join(dir, "rare_test.go"), []byte(rareTest), 0o666); err != nil {
		t.Fatal(err)
	}
	out, exit = allele(t, "test", "-x", "-C", dir, "-run", "Rare", "-tests", "100", ".")
	if exit != exitFailed {
		t.Errorf("exit %d\n%s", exit, out)
	}
	has(t, out, "libfuzzer", "the search goes on without operands", "vacuous")
}

// rareTest has a property whose assumption hardly any input satisfies. Its search asks for
// operands soon.
const rareTest = `package list

import (
	"testing"

	"github.com/allele-go/allele"
)

var rare, name = 123456, "rose" + string([]byte{'b', 'u', 'd'})

type key struct {
	Number int
	Name   string
}

func open(k key) bool {
	if k.Number != rare {
		return false
	}
	return k.Name == name
}

func TestRare(t *testing.T) {
	allele.Check(t, func(t *allele.T, k key) {
		t.Assume(open(k))
	})
}
`

// A search with few tests that asks for operands gets them, and finds the same as one whose
// binary was built before.
func TestOperandsOnRequest(t *testing.T) {
	dir := module(t, "list.go")
	if err := os.WriteFile(filepath.Join(dir, "rare_test.go"), []byte(strings.ReplaceAll(rareTest, "})\n}", "\tt.Fatal(\"found\")\n\t})\n}")), 0o666); err != nil {
		t.Fatal(err)
	}
	search := func() (report string, built bool) {
		age(t, dir)
		out, exit := allele(t, "test", "-x", "-C", dir, "-seed", "1", "-tests", "100", ".")
		if exit != exitFailed {
			t.Fatalf("exit %d\n%s", exit, out)
		}
		has(t, out, "found", "FAILED")
		if err := os.RemoveAll(filepath.Join(dir, "testdata")); err != nil {
			t.Fatal(err)
		}
		_, report, _ = strings.Cut(out, "counterexample")
		return report, strings.Contains(out, "-gcflags=scratch=-d=libfuzzer")
	}
	cold, built := search()
	if !built {
		t.Error("nothing was built")
	}
	warm, built := search()
	if built {
		t.Error("it was built again")
	}
	if cold != warm {
		t.Errorf("a search that waited for the build reports\n%s\nand one that did not\n%s", cold, warm)
	}
}
