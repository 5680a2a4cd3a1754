//go:build go1.25

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// signs returns packages that have the same function and property.
func signs(names ...string) map[string]string {
	files := map[string]string{}
	for _, name := range names {
		files[name+"/sign.go"] = "package " + name + "\n\nfunc Sign(n int8) int {\n\tswitch {\n\tcase n < 0:\n\t\treturn -1\n" +
			"\tcase n > 0:\n\t\treturn 1\n\t}\n\treturn 0\n}\n"
		files[name+"/sign_test.go"] = "package " + name + "\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
			"func TestSign(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, n int8) {\n" +
			"\t\tif Sign(n)*int(n) < 0 {\n\t\t\tt.Error(n)\n\t\t}\n\t})\n}\n"
	}
	return files
}

// Commands for different packages use the same work folder at the same time. Before they built
// in turns, one of them could build with the overlay of another: then it failed, or its binary
// had no probes, its search was blind, and it passed.
func TestCommandsAtOnce(t *testing.T) {
	apart(t)
	names := []string{"a", "b", "c"}
	dir := testkit.Module(t, signs(names...))
	var wg sync.WaitGroup
	for i := range 6 {
		name := names[i%len(names)]
		wg.Go(func() {
			var out bytes.Buffer
			exit := execute([]string{"test", "-C", dir, "-tests", "50", "-operands=off", "./" + name}, &out, &out)
			if !regexp.MustCompile(`TestSign .* 3  ok`).Match(out.Bytes()) || exit != 0 {
				t.Errorf("command %d for %s: exit %d, want 3 paths, in\n%s", i, name, exit, out.Bytes())
			}
		})
	}
	wg.Wait()
}

// If the go command builds a binary without probes, for whatever reason, the command fails.
func TestBinaryWithoutProbes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	apart(t)
	dir := testkit.Module(t, signs("a"))
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ntest \"$1\" = test || exec '%s' \"$@\"\n"+
		"for arg; do shift; case $skip$arg in -overlay) skip=1;; 1*) skip=;; *) set -- \"$@\" \"$arg\";; esac; done\nexec '%s' \"$@\"\n", real, real)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{{"test", "-C", dir, "./a"}, {"dist", "-C", dir, "TestSign", "./a"}} {
		out, exit := allele(t, args...)
		if exit != exitUsage {
			t.Errorf("allele %s: exit %d", args, exit)
		}
		has(t, out, "the test binary of scratch/a was built without the probes of scratch/a", "delete the folder")
	}
}
