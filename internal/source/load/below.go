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

// Below returns the packages that the tests of a package use and that may be rewritten: first those in scope,
// then the others, the nearest first, which the package imports itself. It leaves some out, if all of them have
// too much source.
func (l *Listing) Below(test string) (paths []string) {
	all := l.imported(test)
	slices.SortStableFunc(all, func(a, b *listed) int { return l.distance(a) - l.distance(b) })
	left := int64(belowBytes)
	for _, p := range all {
		if size := p.size(); size > left {
			continue
		} else if !slices.Contains(paths, p.path()) {
			left -= size
			paths = append(paths, p.path())
		}
	}
	return paths
}

// Has reports whether a package is in scope.
func (l *Listing) Has(path string) bool {
	return slices.ContainsFunc(l.all, func(p *listed) bool { return p.path() == path && inScope(p, l.config.Scope) })
}

// distance is 0 for packages in scope, and 1 for others.
func (l *Listing) distance(p *listed) int {
	if inScope(p, l.config.Scope) {
		return 0
	}
	return 1
}

// imported returns the packages that the tests of a package use and that may have faults, the nearest first.
func (l *Listing) imported(test string) (all []*listed) {
	byName := map[string]*listed{}
	var next []*listed
	for _, p := range l.all {
		byName[p.ImportPath] = p
		if p.path() == test && (p.ForTest == test || p.ForTest == "") && !strings.HasSuffix(p.ImportPath, ".test") {
			next = append(next, p)
		}
	}
	seen := map[string]bool{}
	for len(next) > 0 {
		p := next[0]
		next = next[1:]
		if seen[p.ImportPath] || keptOut(p) != "" || p.Standard && slices.ContainsFunc(plumbing, p.below) {
			continue
		}
		seen[p.ImportPath] = true
		all = append(all, p)
		for _, name := range p.Imports {
			if dep := byName[name]; dep != nil {
				next = append(next, dep)
			}
		}
	}
	return all
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
