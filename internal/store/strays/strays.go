//go:build go1.25

// Package strays finds stored cases that no test runs, because their test was renamed, moved
// or removed.
//
//	for _, s := range strays.Find(dir) {
//		fmt.Println(s.Text(commands, dir, pkg)) // what is not run, what it probably belongs to, the command that moves it
//	}
//
// A test reads only the folder that has its name, so nothing else would notice. The source shows
// which top-level tests exist, and for most of them also the names of their subtests and Checks. A
// subtest may have any name, so the others are known only to the allele command, which lists all
// properties: see FindListed.
package strays

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/casefile"
)

// Stray is a folder of stored cases that no test runs.
type Stray struct {
	Folder string // its path in the folder of the package, with slashes
	Owner  string // the property that the cases belong to
	Like   string // the property that the cases probably belong to now, or ""
	Near   bool   // the name of Like is similar
	Pkg    string // the package that the test probably belongs to now, if that is another one
	Test   bool   // the test of the property exists, but has no such Check
	Checks bool   // the test exists and has Checks
	Ran    bool   // the allele command has run the test, and it has no such Check
}

// Text returns a line about a stray in the package pkg. The path of its folder begins with dir.
func (s Stray) Text(c job.Commands, dir, pkg string) string {
	folder := filepath.ToSlash(filepath.Join(dir, s.Folder))
	test, _ := top(s.Owner)
	why := "there is no " + test + " in the package"
	switch {
	case s.Test && s.Checks:
		why = fmt.Sprintf("no Check of %s has the name %s", test, s.Owner)
	case s.Test:
		why = test + " calls no Check"
	}
	from, to := s.moved()
	move := fmt.Sprintf("if it is %s now, run: %s", to, c.Move(from, to, pkg))
	switch {
	case s.Pkg != "":
		move = fmt.Sprintf("if it is in %s now, run: %s %s", s.Pkg, c.Move(s.Owner, s.Owner, pkg), s.Pkg)
	case s.Like == "":
		move = fmt.Sprintf("if you renamed it, run: %s; if you moved it to another package, add that package", c.Move(from, "NEW", pkg))
	}
	return fmt.Sprintf("%s is not run: %s; %s; if you removed it, delete the folder", folder, why, move)
}

// moved returns the names for the command that moves the cases. If the test was renamed, the cases
// of all its subtests and Checks are moved.
func (s Stray) moved() (from, to string) {
	test, rest := top(s.Owner)
	new, more := top(s.Like)
	switch {
	case s.Test || s.Like != "" && more != rest:
		return s.Owner, s.Like
	case s.Like == "":
		return test, ""
	}
	return test, new
}

// top splits the name of a property into the name of its top-level test and the rest.
func top(property string) (test, rest string) {
	if i := strings.IndexAny(property, "/#"); i >= 0 {
		return property[:i], property[i:]
	}
	return property, ""
}

// foldersMax bounds the folders of cases that are looked at in a package.
const foldersMax = 500

// Find returns the strays in the folder of a package, as far as the source shows them. It returns
// none if the folder has no test files: a test binary may run in another place than its source.
func Find(dir string) []Stray {
	cases := stored(dir)
	if len(cases) == 0 {
		return nil
	}
	p := newSource(dir)
	if len(p.tests) == 0 {
		return nil
	}
	return find(cases, p, nil)
}

// Listed is what the allele command knows about a package.
type Listed struct {
	Properties []string // the names of all properties
	Tests      []string // tests that may call Check, through functions of the module
	Ran        []string // tests that have run to their end
	Skipped    []string // tests and subtests that were skipped
	Module     string   // path of the module
	Part       bool     // the properties are not all that exist
}

// FindListed is like Find, with what the allele command knows. If the folder has no test files, all its
// stored cases are strays.
func FindListed(dir string, l Listed) []Stray {
	cases := stored(dir)
	if len(cases) == 0 {
		return nil
	}
	p := newSource(dir)
	p.trust = func(test, path string) bool {
		return l.Module != "" && !slices.Contains(l.Tests, test) && (path == l.Module || strings.HasPrefix(path, l.Module+"/"))
	}
	return find(cases, p, &l)
}

// Fits reports whether the cases of a stray in the folder dir may belong to a property of the same
// name in the package in another folder: it has no stored cases, and its inputs have the same type.
func (s Stray) Fits(dir, other string) bool {
	is := func(c cases) bool { return c.owner == s.Owner }
	if slices.ContainsFunc(stored(other), is) {
		return false
	}
	all := newSource(other).allChecks()
	x := slices.IndexFunc(all, func(x check) bool { return x.name == s.Owner })
	mine := stored(dir)
	c := slices.IndexFunc(mine, is)
	if x < 0 || c < 0 {
		return true // the source does not show it
	}
	same, known := all[x].takes(mine[c].first.Expr)
	return same || !known
}

// cases is a folder of stored cases.
type cases struct {
	folder string
	owner  string // the property that reads the folder
	first  casefile.File
}

// stored returns the folders with stored cases of a package.
func stored(dir string) (all []cases) {
	const root = "testdata/allele"
	entries, _ := os.ReadDir(filepath.Join(dir, root)) // most packages have no cases
	for _, e := range entries[:min(len(entries), foldersMax)] {
		names, _ := os.ReadDir(filepath.Join(dir, root, e.Name()))
		at := slices.IndexFunc(names, func(f os.DirEntry) bool { return strings.HasSuffix(f.Name(), ".case") })
		if at < 0 {
			continue
		}
		first, _ := casefile.Read(filepath.Join(dir, root, e.Name(), names[at].Name())) // the test that owns a bad file reports it
		if owner := ownerOf(e.Name(), first); IsTest(owner) {
			all = append(all, cases{folder: root + "/" + e.Name(), owner: owner, first: first})
		}
	}
	return all
}

// ownerOf returns the property that reads a folder, "" if it is not known. The names in its cases do
// not count: somebody may have replaced the name of a test in all files. But the folder of a long
// name shows only the beginning.
func ownerOf(folder string, first casefile.File) string {
	if !casefile.Short(folder) {
		name, err := url.PathUnescape(folder)
		if err != nil {
			return ""
		}
		return name
	}
	if name, _ := first.Fact("test"); casefile.Stored(name) == folder {
		return name
	}
	return ""
}

// IsTest reports whether a name is that of a test, or of a part of one.
func IsTest(name string) bool {
	for _, kind := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
		if strings.HasPrefix(name, kind) {
			return true
		}
	}
	return false
}

// find returns the strays among cases. listed is nil in a test binary.
func find(all []cases, p *pkgSource, listed *Listed) (strays []Stray) {
	owned := map[string]bool{}
	for _, c := range all {
		owned[c.owner] = true
	}
	var free []check
	for _, c := range all {
		s := Stray{Folder: c.folder, Owner: c.owner}
		if !isStray(&s, p, listed) {
			continue
		}
		if free == nil {
			free = slices.DeleteFunc(p.candidates(listed), func(x check) bool { return owned[x.name] })
		}
		if x := likely(c, free); x != nil {
			s.Like, s.Near = x.name, alike(c.owner, x.name)
		}
		strays = append(strays, s)
	}
	return strays
}

// isStray reports whether no test reads the cases of a stray, and sets the reason.
func isStray(s *Stray, p *pkgSource, listed *Listed) bool {
	test, _ := top(s.Owner)
	if !p.exists(test) {
		return true
	}
	o := p.outlineOf(test)
	s.Test, s.Checks = true, len(o.checks) > 0 || o.open
	if listed != nil && listed.skips(s.Owner) {
		return false
	}
	if listed != nil && !listed.Part && slices.Contains(listed.Ran, test) {
		s.Ran = !slices.Contains(listed.Properties, s.Owner)
		s.Checks = slices.ContainsFunc(listed.Properties, func(name string) bool { t, _ := top(name); return t == test })
		return s.Ran
	}
	if listed != nil && !listed.Part {
		names := slices.DeleteFunc(slices.Clone(listed.Properties), func(name string) bool { t, _ := top(name); return t != test })
		if len(names) > 0 {
			return !slices.Contains(names, s.Owner)
		}
	}
	return !o.open && !o.names[s.Owner] // it is listed nowhere, but may have been skipped
}

// skips reports whether the test of a property was skipped, or a test that it is part of.
func (l *Listed) skips(property string) bool {
	return slices.ContainsFunc(l.Skipped, func(test string) bool {
		rest, ok := strings.CutPrefix(property, test)
		return ok && (rest == "" || rest[0] == '/' || rest[0] == '#')
	})
}

// Owners returns the top-level tests of a package that exist and have stored cases.
func Owners(dir string) (tests []string) {
	all := stored(dir)
	if len(all) == 0 {
		return nil
	}
	p := newSource(dir)
	for _, c := range all {
		if test, _ := top(c.owner); !slices.Contains(tests, test) && p.exists(test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// candidates returns the Checks that may have become of others. The source does not show all
// names of those that are listed.
func (p *pkgSource) candidates(listed *Listed) []check {
	all := p.allChecks()
	if listed == nil || listed.Part {
		return all
	}
	for _, name := range listed.Properties {
		if !slices.ContainsFunc(all, func(x check) bool { return x.name == name }) {
			test, _ := top(name)
			all = append(all, check{test: test, name: name})
		}
	}
	return all
}
