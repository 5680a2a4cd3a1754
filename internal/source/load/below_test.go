//go:build go1.25

package load

import (
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// Below returns what tests use, the nearest first: not the library, not the runtime, not the plumbing,
// and not what only other tests use.
func TestBelow(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport (\n\t\"scratch/b\"\n\t\"fmt\"\n)\n\nfunc A() { fmt.Println(b.B()) }\n",
		"a/a_test.go": "package a\n\nimport (\n\t\"image/png\"\n\t\"testing\"\n\n\t_ \"github.com/allele-go/allele\"\n)\n\n" +
			"func TestA(t *testing.T) { _ = png.Encode }\n",
		"b/b.go": "package b\n\nimport \"scratch/c\"\n\nfunc B() int { return c.C }\n",
		"c/c.go": "package c\n\nvar C = 1\n",
		"d/d_test.go": "package d\n\nimport (\n\t\"encoding/gob\"\n\t\"testing\"\n\n\t_ \"github.com/allele-go/allele\"\n)\n\n" +
			"func TestD(t *testing.T) { _ = gob.NewEncoder }\n",
	})
	l, err := List(Config{Dir: dir, Patterns: []string{"./..."}, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	got := l.Below("scratch/a")
	for _, path := range []string{"image/png", "compress/zlib", "compress/flate", "hash/crc32", "bufio", "scratch/c"} {
		if !slices.Contains(got, path) {
			t.Errorf("%s is missing in %v", path, got)
		}
	}
	for _, path := range got {
		if strings.HasPrefix(path, Library) || strings.HasPrefix(path, "runtime") || strings.Contains(path, "internal") ||
			slices.Contains([]string{"fmt", "os", "reflect", "sync", "testing", "encoding/gob", "scratch/d"}, path) {
			t.Errorf("%s does not belong to %v", path, got)
		}
	}
	if got[0] != "scratch/a" || slices.Index(got, "scratch/b") > slices.Index(got, "scratch/c") {
		t.Errorf("the order is %v", got)
	}
}
