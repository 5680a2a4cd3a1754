//go:build go1.25

package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The name of a target is the name of a test and of a file.
func TestPlainName(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"conf", "conf"}, {"lua5.1", "lua51"}, {"7z", "7z"}, {"gif-fix", "giffix"}, {"...", "program"}, {"Größe", "gre"},
		{strings.Repeat("long", 10), strings.Repeat("long", 10)[:plainMax]},
	} {
		if got := plainName(c.program); got != c.want {
			t.Errorf("%s: %s, want %s", c.program, got, c.want)
		}
	}
}

// A command line has its own name, and so has the same command line in another folder.
func TestTargets(t *testing.T) {
	module, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	name := func(dir string, args ...string) string {
		t.Chdir(dir)
		name, err := Target{Format: "json", Findings: filepath.Join(one, "findings"), Args: args}.Write(module)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	first := name(one, "jq", ".", "@@")
	if again := name(one, "jq", ".", "@@"); again != first || !strings.HasPrefix(first, "jq-json-") {
		t.Errorf("%s, then %s", first, again)
	}
	if first == name(two, "jq", ".", "@@") || first == name(one, "jq", ".a", "@@") || first == name(one, "jq", ". @@") {
		t.Error("two command lines have the same name")
	}
	files, _ := os.ReadDir(filepath.Join(module, "targets"))
	if len(files) != 4 {
		t.Errorf("files %v, want 4", files)
	}
}

func TestRemoveOldest(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"c", "a", "d", "b"} {
		file, at := filepath.Join(dir, name), time.Unix(int64(1000+i), 0)
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	removeOldest(dir, 2)
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 || filepath.Base(left[0]) != "b" || filepath.Base(left[1]) != "d" {
		t.Errorf("left: %v, want b and d, the newest", left)
	}
}
