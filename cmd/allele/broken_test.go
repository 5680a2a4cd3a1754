//go:build go1.25 && unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrapGo puts a go command first in the PATH that runs a shell script before some builds:
// those of tests with probes. In the script, $work is the work folder.
func wrapGo(t *testing.T, script string) {
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	text := "#!/bin/sh\nfor arg in \"$@\"; do\n\tcase \"$arg\" in */overlay.json) work=$(dirname \"$arg\")\n" + script +
		"\n\tesac\ndone\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func twoPackages(t *testing.T) (dir string) {
	dir = module(t, "list.go", "list_test.go")
	put(t, dir, map[string]string{
		"sub/sub.go": "package sub\n\nfunc Half(n int) int {\n\tif n > 0 {\n\t\treturn n / 2\n\t}\n\treturn n\n}\n",
		"sub/sub_test.go": "package sub\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestHalfPasses(t *testing.T) {\n" +
			"\tallele.Check(t, func(t *allele.T, in int8) { Half(int(in)) })\n}\n",
	})
	return dir
}

// A package that compiles only without probes runs without probes, and the user reads that
// it is our fault. The same holds if the error is in the file that allele adds to the package,
// although this file also belongs to the binary without probes.
func TestCompilesWithoutProbesOnly(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"rewritten file", `echo 'var _ = nothing' >>"$work/src/scratch/sub/sub.go"`, "sub/sub.go:9:9: undefined: nothing\n"},
		{"added file", `for part in src operands; do echo 'var _ = nothing' >>"$work/$part/scratch/sub/zz_allele.go"; done`, "undefined: nothing\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := twoPackages(t)
			wrapGo(t, c.script)
			out, exit := allele(t, "test", "-C", dir, "-run", "Passes", "-tests", "50", "./...")
			if exit != exitOK {
				t.Errorf("exit %d", exit)
			}
			has(t, out, c.want,
				"allele test: scratch/sub runs without probes: with probes it does not compile, which is a bug in allele; please report the errors above\n",
				"sub.TestHalfPasses ", "2 properties")
			if n := strings.Count(out, "  ok\n"); n != 2 {
				t.Errorf("%d properties passed\n%s", n, out)
			}
		})
	}
}

// If no package can be blamed, as for an error of the linker, the test is left out.
func TestLinksWithoutProbesOnly(t *testing.T) {
	dir := twoPackages(t)
	wrapGo(t, `case "$*" in */sub) echo '# scratch/sub.test'; echo 'link: duplicated symbol' >&2; exit 1; esac`)
	out, exit := allele(t, "test", "-C", dir, "-run", "Passes", "-tests", "50", "./...")
	if exit != exitFailed {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "link: duplicated symbol\nscratch/sub can be built without probes, so this is a bug in allele: please report it\n",
		"1 property", "  ok\n", "allele test: 1 package was left out, because it does not compile: scratch/sub\n")
}
