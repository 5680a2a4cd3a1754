package formats

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A mutator makes the same of the same input. radamsa is called like a program of that name in a folder of this test.
func TestMutators(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --seed ] && [ \"$2\" -ge 0 ] && tr a b\n"
	if err := os.WriteFile(filepath.Join(bin, "radamsa"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	if got, err := mutated("radamsa", []byte("banana")); string(got) != "bbnbnb" || err != nil {
		t.Errorf("radamsa: %q, %v", got, err)
	}
	if got, err := mutated("", []byte("banana")); string(got) != "banana" || err != nil {
		t.Errorf("none: %q, %v", got, err)
	}
	if _, err := exec.LookPath("zzuf"); err != nil {
		t.Skip("zzuf is not installed")
	}
	input := slices.Repeat([]byte("abcdefgh"), 1000)
	one, err := mutated("zzuf", input)
	two, _ := mutated("zzuf", input)
	if err != nil || !slices.Equal(one, two) || slices.Equal(one, input) || len(one) != len(input) {
		t.Errorf("zzuf: %d and %d bytes, %v", len(one), len(two), err)
	}
}
