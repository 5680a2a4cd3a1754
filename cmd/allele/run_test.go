//go:build go1.25

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The module for a program has a name that the go command accepts, and that is not the name of a package of the standard
// library.
func TestModuleName(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"conf", "conf"}, {"lua5.1", "lua51"}, {"7z", "p7z"}, {"gif-fix", "giffix"}, {"...", "p"},
		{"tool", "toolprogram"}, {"sort", "sortprogram"}, {"go", "goprogram"}, {"select", "selectprogram"}, {"main", "mainprogram"},
	} {
		if got := moduleName(c.program); got != c.want {
			t.Errorf("%s: %s, want %s", c.program, got, c.want)
		}
	}
	std, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(std)) {
		first, _, _ := strings.Cut(strings.TrimSpace(line), "/")
		if moduleName(first) == first {
			t.Errorf("the module for a program %s would have the name of a package of the standard library", first)
		}
	}
}
