//go:build go1.25

package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CommandBuilds builds the allele command of this repository and runs `allele test` with args
// in a module. It returns the output, and the path of the binary that the command has built
// and that matches the pattern name.
func CommandBuilds(t testing.TB, dir, name string, args ...string) (out, binary string) {
	t.Helper()
	cache := t.TempDir()
	command := filepath.Join(cache, "command")
	if out, exit := Go(t, Root(t), nil, "build", "-buildvcs=false", "-o", command, "./cmd/allele"); exit != 0 {
		t.Fatal(out)
	}
	goCache, _ := Go(t, dir, nil, "env", "GOCACHE")
	cmd := exec.Command(command, append([]string{"test"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off",
		"XDG_CACHE_HOME="+cache, "GOCACHE="+strings.TrimSpace(goCache))
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	binaries, err := filepath.Glob(filepath.Join(cache, "allele", "*", "bin", name))
	if err != nil || len(binaries) != 1 {
		t.Fatal(binaries, err)
	}
	return string(text), binaries[0]
}
