//go:build go1.25

package words_test

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/words"
)

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{"example.com/a/tree": "tree", "tree": "tree", "example.com/a/tree/v2": "tree/v2"} {
		if got := words.PackageName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestPackageNames(t *testing.T) {
	for _, c := range []struct{ what, paths, want string }{
		{"the last element", "example.com/a/tree example.com/b/lang", "tree lang"},
		{"a version is not enough", "github.com/x/semver/v3", "semver/v3"},
		{"two with the same last element", "example.com/a/tree example.com/b/tree example.com/lang", "a/tree b/tree lang"},
		{"the same two elements", "example.com/x/a/tree example.com/y/a/tree", "x/a/tree y/a/tree"},
		{"two versions", "example.com/semver example.com/semver/v3", "semver semver/v3"},
		{"one path is the end of another", "tree example.com/tree", "tree example.com/tree"},
		{"versions that share the element before", "a/semver/v3 b/semver/v3", "a/semver/v3 b/semver/v3"},
		{"a version alone", "v2", "v2"},
		{"no version", "example.com/v2x example.com/v", "v2x v"},
		{"the same package twice", "example.com/tree example.com/tree", "tree tree"},
	} {
		paths := strings.Fields(c.paths)
		names := words.PackageNames(paths)
		var got []string
		for _, p := range paths {
			got = append(got, names[p])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
