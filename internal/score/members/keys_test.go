//go:build go1.25

package members

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/launch"
)

// The key of a member changes with what its verdicts depend on, and with nothing else.
func TestKeys(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o777)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := &Config{Limits: Limits{Timeout: time.Second}}
	read := func() string {
		k := c.keysIn(dir, "5f")
		key, searched := k.property(launch.Property{Package: "a", Name: "TestA", Dir: dir})
		if searched {
			t.Error("no search has run")
		}
		return fmt.Sprint(k.tests(nil, nil), key)
	}
	last := read()
	for _, row := range []struct {
		file          string
		tests, change bool // which keys change
	}{
		{"a_test.go", true, true}, {"testdata/x.txt", true, true}, {"testdata/deep/x.txt", true, true},
		{"testdata/allele/TestA/a.case", false, true}, {"golden/x.txt", true, true},
		{"sub/a.go", false, false}, {"sub/x.txt", false, false}, {".git/x.txt", false, false}, {"vendor/a/x.txt", false, false},
	} {
		write(row.file, row.file)
		now := read()
		if tests := now[:32] != last[:32]; tests != row.tests || (now != last) != row.change {
			t.Errorf("%s: tests %v, property %v", row.file, tests, now[32:] != last[32:])
		}
		last = now
	}
	t.Setenv("ALLELE_SEED", "7")
	if now := read(); now[:32] != last[:32] || now == last {
		t.Error("the seed of go test must change the key of a property alone")
	}
}
