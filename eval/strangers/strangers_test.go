package strangers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a command leaves in the tree of a module is found: new, changed and removed files.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("same", "1")
	write("changed", "1")
	write("removed", "1")
	before, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	write("changed", "2")
	write("new", "")
	if err := os.Remove(filepath.Join(dir, "removed")); err != nil {
		t.Fatal(err)
	}
	after, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := changes(before, after), []string{"changed", "new", "removed"}; !slices.Equal(got, want) {
		t.Errorf("changes: %q, want %q", got, want)
	}
}

func TestList(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range subjects {
		if seen[s.Path] || s.name == "" || s.in == "" || s.body == "" {
			t.Errorf("%s: listed twice or incomplete", s.Path)
		}
		seen[s.Path] = true
	}
	if len(subjects) < 30 {
		t.Errorf("%d modules, want 30", len(subjects))
	}
}
