//go:build go1.25

package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// belowBytes is how much source Below returns packages for. Faults make a package slow to
// compile: a megabyte takes about ten seconds.
const belowBytes = 1 << 20

// plumbing lists packages of the standard library that have little part in what an encoder
// writes, or are used by so many others that building them again takes long, each with all packages
// below it.
var plumbing = []string{"os", "io", "log", "context", "flag", "path", "embed", "errors", "unicode", "iter", "maps", "slices", "cmp",
	"sort", "unique", "weak", "go", "crypto", "net", "math/rand", "text/tabwriter", "container",
	"fmt", "bytes", "strings", "strconv", "math", "regexp", "encoding/internal"}

// Below returns the packages that the tests of a package use and that may be rewritten, the
// nearest first: the package itself, those that it imports, those that these import, and so on. It
// returns only the first ones, if all of them have too much source.
func (l *Listing) Below(test string) (paths []string) {
	byName := map[string]*listed{}
	var next []*listed
	for _, p := range l.all {
		byName[p.ImportPath] = p
		if p.path() == test && (p.ForTest == test || p.ForTest == "") && !strings.HasSuffix(p.ImportPath, ".test") {
			next = append(next, p)
		}
	}
	seen := map[string]bool{}
	left := int64(belowBytes)
	for len(next) > 0 {
		p := next[0]
		next = next[1:]
		if seen[p.ImportPath] || keptOut(p) != "" || p.Standard && slices.ContainsFunc(plumbing, p.below) {
			continue
		}
		seen[p.ImportPath] = true
		if left -= p.size(); left < 0 {
			break
		}
		if !slices.Contains(paths, p.path()) {
			paths = append(paths, p.path())
		}
		for _, name := range p.Imports {
			if dep := byName[name]; dep != nil {
				next = append(next, dep)
			}
		}
	}
	return paths
}

// below reports whether a package is parent, or is below it.
func (p *listed) below(parent string) bool {
	return p.path() == parent || strings.HasPrefix(p.path(), parent+"/")
}

// size returns the size of the source that is not a test.
func (p *listed) size() (n int64) {
	for _, file := range p.GoFiles {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Dir, file)
		}
		if info, err := os.Stat(file); err == nil {
			n += info.Size()
		}
	}
	return n
}
