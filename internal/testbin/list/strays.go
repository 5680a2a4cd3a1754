//go:build go1.25

package list

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/store/strays"
)

// Stray is a folder of stored cases that no test runs.
type Stray struct {
	strays.Stray
	Dir string // folder of the package
	Of  string // the package, or its folder if there is none
}

// Strays returns the folders of stored cases that no test runs, given all properties. Part has the
// packages whose properties are not all known.
//
// It looks at all packages that were named, also at those in which no Check is left, and at
// folders in which no package is left. With Match, it looks only for what the source shows, in
// packages with a property that matches: other packages and properties are not known.
func (p *Lister) Strays(all []launch.Property, part map[string]bool) (found []Stray) {
	folders := p.Listing.Folders()
	find := func(dir, pkg string, l strays.Listed) {
		for _, s := range strays.FindListed(dir, l) {
			if !s.Near {
				s.Pkg = movedTo(s, dir, all, folders)
			}
			found = append(found, Stray{s, dir, pkg})
		}
	}
	for _, of := range folders {
		l := strays.Listed{Part: true}
		if p.Match == nil && !part[of.Path] {
			ran := p.ranOf(of.Path)
			l = strays.Listed{Properties: namesOf(all, of.Path), Tests: p.testsOf(of.Path), Module: of.Module,
				Ran: ran.tests, Skipped: ran.skipped}
		}
		find(of.Dir, of.Path, l)
	}
	if p.Match == nil {
		for _, dir := range p.emptyFolders(folders) {
			find(dir, "./"+filepath.ToSlash(p.Relative(dir)), strays.Listed{})
		}
	}
	return found
}

// testsOf returns the tests of a package that may call Check.
func (p *Lister) testsOf(pkg string) (names []string) {
	for _, test := range p.Overlay.Tests {
		if test.Path == pkg {
			names = append(names, test.Names...)
			names = append(names, test.Maybe...)
		}
	}
	return names
}

// namesOf returns the names of the properties of a package.
func namesOf(all []property, pkg string) (names []string) {
	for _, p := range all {
		if p.Package == pkg {
			names = append(names, p.Name)
		}
	}
	return names
}

// movedTo returns another package with a property that the cases of a stray may belong to, or "".
func movedTo(s strays.Stray, from string, all []property, folders []load.Folder) string {
	for _, p := range all {
		i := slices.IndexFunc(folders, func(f load.Folder) bool { return f.Path == p.Package })
		if p.Name == s.Owner && i >= 0 && folders[i].Dir != from && s.Fits(from, folders[i].Dir) {
			return p.Package
		}
	}
	return ""
}

// walkMax bounds the folders that are searched for stored cases without a package.
const walkMax = 20_000

// emptyFolders returns folders that have stored cases but are no packages, below the folders
// that patterns such as ./... name. Like the go command, it skips other modules and folders
// whose names begin with . or _.
func (p *Lister) emptyFolders(packages []load.Folder) (empty []string) {
	known := map[string]bool{}
	for _, f := range packages {
		known[f.Dir] = true
	}
	seen := 0
	for _, pattern := range p.Patterns {
		below, ok := strings.CutSuffix(pattern, "...")
		if !ok || !strings.HasPrefix(below, ".") {
			continue
		}
		root, err := filepath.Abs(filepath.Join(p.Dir, filepath.FromSlash(below)))
		if err != nil {
			continue
		}
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil // a folder that cannot be read is not searched
			}
			if seen++; seen > walkMax {
				return fs.SkipAll
			}
			name := d.Name()
			if path != root && (name[0] == '.' || name[0] == '_' || name == "vendor" || exists(filepath.Join(path, "go.mod"))) {
				return fs.SkipDir
			}
			if name == "testdata" {
				if dir := filepath.Dir(path); !known[dir] && exists(filepath.Join(path, "allele")) {
					empty = append(empty, dir)
				}
				return fs.SkipDir
			}
			return nil
		})
	}
	slices.Sort(empty)
	return slices.Compact(empty)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
