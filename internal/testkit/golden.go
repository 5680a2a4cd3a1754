//go:build go1.25

package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// update is a flag only of the test binaries that link testkit, so "go test ./... -update"
// fails: name the package whose files to update.
var update = flag.Bool("update", false, "rewrite golden files with what the tests got")

// Golden fails the test if got differs from the file, and prints the difference. With
// -update it writes the file instead; review the diff.
func Golden(t testing.TB, file string, got []byte) {
	t.Helper()
	if *update {
		rewrite(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("golden file: %v (run this test with -update to write it)", err)
		return
	}
	if diff := Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (- file, + got; -update accepts it):\n%s", file, diff)
	}
}

func rewrite(t testing.TB, file string, got []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Errorf("golden file: %v", err)
		return
	}
	if err := os.WriteFile(file, got, 0o666); err != nil {
		t.Errorf("golden file: %v", err)
	}
}
