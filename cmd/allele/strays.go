//go:build go1.25

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/strays"
	"github.com/allele-go/allele/internal/source/load"
)

// reportStrays prints a line about each folder of stored cases that no test runs. It reports
// false if this is an error, because ALLELE_STRICT is 1, or because the test exists and ran, but
// without the property.
//
// It looks at all packages that were named, also at those in which no Check is left, and at
// folders in which no package is left. With -run, it looks only for what the source shows, in
// packages with a property that matches: other packages and properties are not known.
func (t *tester) reportStrays(all []property, part map[string]bool) (ok bool) {
	commands := t.commandsWith("")
	ok = true
	folders := t.listing.Folders()
	report := func(dir, pkg string, l strays.Listed) {
		for _, s := range strays.FindListed(dir, l) {
			if !s.Near {
				s.Pkg = movedTo(s, dir, all, folders)
			}
			ok = ok && !s.Ran && os.Getenv("ALLELE_STRICT") != "1"
			fmt.Fprintln(t.stderr, "allele test:", printable(s.Text(commands, filepath.ToSlash(t.relative(dir)), pkg)))
		}
	}
	for _, of := range folders {
		l := strays.Listed{Part: true}
		if t.match == nil && !part[of.Path] {
			ran := t.lister().ranOf(of.Path)
			l = strays.Listed{Properties: namesOf(all, of.Path), Tests: t.testsOf(of.Path), Module: of.Module,
				Ran: ran.tests, Skipped: ran.skipped}
		}
		report(of.Dir, of.Path, l)
	}
	if t.match == nil {
		for _, dir := range t.emptyFolders(folders) {
			report(dir, "./"+filepath.ToSlash(t.relative(dir)), strays.Listed{})
		}
	}
	return ok
}

// testsOf returns the tests of a package that may call Check.
func (t *tester) testsOf(pkg string) (names []string) {
	for _, test := range t.overlay.Tests {
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
func (t *tester) emptyFolders(packages []load.Folder) (empty []string) {
	known := map[string]bool{}
	for _, p := range packages {
		known[p.Dir] = true
	}
	seen := 0
	for _, pattern := range t.patterns {
		below, ok := strings.CutSuffix(pattern, "...")
		if !ok || !strings.HasPrefix(below, ".") {
			continue
		}
		root, err := filepath.Abs(filepath.Join(t.dir, filepath.FromSlash(below)))
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
