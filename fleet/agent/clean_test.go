package agent

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What a killed agent has left is removed, and nothing else, also in a folder whose name looks like a pattern.
func TestClean(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my [a-z] *fleet")
	for _, name := range []string{"work-1/x", "bundle-2", "bundles/aa.part/bin/0.test", "bundles/bb/manifest.json", "spool/1.failure", "order.json"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := &Agent{config: Config{Dir: dir}}
	a.clean()
	if got, want := names(t, dir), []string{"bundles", "order.json", "spool"}; !slices.Equal(got, want) {
		t.Errorf("left: %v, want %v", got, want)
	}
	if got := names(t, filepath.Join(dir, "bundles")); !slices.Equal(got, []string{"bb"}) {
		t.Errorf("bundles left: %v", got)
	}
}

// The new bundle and the one before it are kept.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d"} {
		folder := filepath.Join(dir, "bundles", name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		when := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(folder, when, when); err != nil {
			t.Fatal(err)
		}
	}
	a := &Agent{config: Config{Dir: dir}}
	a.prune("b")
	if got := names(t, filepath.Join(dir, "bundles")); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("kept: %v", got)
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
