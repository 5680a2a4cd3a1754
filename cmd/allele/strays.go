//go:build go1.25

package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
	"github.com/allele-go/allele/internal/source/build"
)

// straysMax bounds the folders of stored cases that are looked at in a package.
const straysMax = 500

// reportStrays warns about stored cases that no test runs, because their test was renamed
// or removed. Nothing else would notice: a test reads only the folder with its name. A
// subtest may have any name, so only the names of top-level tests are compared.
func (t *tester) reportStrays(of build.Test) {
	root := filepath.Join(t.folder(of.Path), "testdata", "allele")
	entries, _ := os.ReadDir(root) // most packages have no cases
	for _, e := range entries[:min(len(entries), straysMax)] {
		files, _ := filepath.Glob(filepath.Join(root, e.Name(), "*.case")) // a folder with an odd name has no files then
		if len(files) == 0 {
			continue
		}
		for _, owner := range owners(e.Name(), files[0]) {
			test, _, _ := strings.Cut(owner, "#")
			test, _, _ = strings.Cut(test, "/")
			if !strings.HasPrefix(test, "Test") || slices.Contains(of.Names, test) {
				continue
			}
			fmt.Fprintf(t.stderr, "allele test: %s is not used: it belongs to %s, but no such test calls allele.Check; "+
				"if you renamed the test, rename the folder, and the test in the first lines of its files\n",
				filepath.ToSlash(t.relative(filepath.Join(root, e.Name()))), printable(test))
			break
		}
	}
}

// owners returns the names of the properties that a case file belongs to, according to its
// folder and to its header. Both must be right for the case to be run.
func owners(folder, file string) (names []string) {
	if name, err := url.PathUnescape(folder); err == nil {
		names = append(names, name)
	}
	if f, err := casefile.Read(file); err == nil {
		if name, ok := f.Fact("test"); ok {
			names = append(names, name)
		}
	}
	return names
}
