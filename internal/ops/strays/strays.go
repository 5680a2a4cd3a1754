//go:build go1.25

// Package strays finds stored cases that no test runs, because their test was renamed, moved
// or removed.
//
//	for _, s := range strays.Find(dir) {
//		fmt.Println(s.Text(commands, dir, pkg)) // what is not run, what it probably belongs to, the command that moves it
//	}
//
// A test reads only the folder that has its name, so nothing else would notice. A subtest may
// have any name, so only the names of top-level tests are compared with the source. The names of
// all properties are known only to the allele command, which lists them: see Unlisted.
package strays

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/casefile"
	"github.com/allele-go/allele/internal/ops/job"
)

// Stray is a folder of stored cases that no test runs.
type Stray struct {
	Folder string // its path in the folder of the package, with slashes
	Owner  string // the property that the cases belong to
	Like   string // the test that the cases probably belong to now, or ""
	Pkg    string // the package that the test probably belongs to now, if that is another one
	Test   bool   // the test of the property exists, but has no such Check
}

// Text returns a line about a stray in the package pkg. The path of its folder begins with dir.
func (s Stray) Text(c job.Commands, dir, pkg string) string {
	folder := filepath.ToSlash(filepath.Join(dir, s.Folder))
	test, rest := top(s.Owner)
	why := "there is no " + test + " in the package"
	if s.Test {
		why = fmt.Sprintf("no Check of %s has the name %s", test, s.Owner)
	}
	move := "if you renamed the test, run: " + c.Move(s.Owner, "NEW", pkg)
	switch {
	case s.Pkg != "":
		move = fmt.Sprintf("if it is in %s now, run: %s %s", s.Pkg, c.Move(s.Owner, s.Owner, pkg), s.Pkg)
	case s.Like != "" && s.Test:
		move = fmt.Sprintf("if it is %s now, run: %s", s.Like, c.Move(s.Owner, s.Like, pkg))
	case s.Like != "":
		move = fmt.Sprintf("if it is %s now, run: %s", s.Like, c.Move(test, s.Like, pkg))
	case !s.Test && rest != "":
		move = "if you renamed the test, run: " + c.Move(test, "NEW", pkg)
	}
	return fmt.Sprintf("%s is not run: %s; %s; if you removed it, delete the folder", folder, why, move)
}

// top splits the name of a property into the name of its top-level test and the rest.
func top(property string) (test, rest string) {
	if i := strings.IndexAny(property, "/#"); i >= 0 {
		return property[:i], property[i:]
	}
	return property, ""
}

// Limits of what is looked at in a package.
const (
	foldersMax = 500
	sourceMax  = 4 << 20 // bytes of a test file
)

// Find returns the strays in the folder of a package. It returns none if the folder has no test
// files: a test binary may run in another place than its source.
func Find(dir string) []Stray {
	cases := stored(dir)
	if len(cases) == 0 {
		return nil
	}
	files := testFiles(dir)
	if len(files) == 0 {
		return nil
	}
	return find(cases, files)
}

// FindAll is like Find. If the folder has no test files, all its stored cases are strays.
func FindAll(dir string) []Stray {
	cases := stored(dir)
	if len(cases) == 0 {
		return nil
	}
	return find(cases, testFiles(dir))
}

// Has reports whether a package has stored cases of a property.
func Has(dir, property string) bool {
	return slices.ContainsFunc(stored(dir), func(c cases) bool { return c.owner == property })
}

// cases is a folder of stored cases.
type cases struct {
	folder string
	owner  string
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
		c := cases{folder: root + "/" + e.Name(), first: first}
		var ok bool
		if c.owner, ok = first.Fact("test"); !ok {
			c.owner, _ = url.PathUnescape(e.Name())
		}
		if name, err := url.PathUnescape(e.Name()); err == nil && isTest(name) {
			if test, _ := top(name); !strings.HasPrefix(c.owner, test) {
				c.owner = name // the test that owns the folder reports that its cases name another
			}
		}
		if isTest(c.owner) {
			all = append(all, c)
		}
	}
	return all
}

func isTest(name string) bool {
	for _, kind := range []string{"Test", "Fuzz", "Benchmark", "Example"} {
		if strings.HasPrefix(name, kind) {
			return true
		}
	}
	return false
}

// testFile is the source of a test file.
type testFile struct {
	name string
	text []byte
}

func testFiles(dir string) (all []testFile) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err != nil || info.Size() > sourceMax {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			all = append(all, testFile{e.Name(), text})
		}
	}
	return all
}

// function is the beginning of a test function. Files for other systems or with build tags
// count too: their tests exist.
var function = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)[\pL\pN_]*)\(`)

func find(all []cases, files []testFile) (strays []Stray) {
	exists := map[string]bool{}
	for _, f := range files {
		for _, m := range function.FindAllSubmatch(f.text, -1) {
			exists[string(m[1])] = true
		}
	}
	used := map[string]bool{}
	for _, c := range all {
		test, _ := top(c.owner)
		used[test] = true
	}
	var candidates []candidate
	for _, c := range all {
		test, _ := top(c.owner)
		if exists[test] {
			continue
		}
		if candidates == nil {
			candidates = properties(files)
		}
		free := slices.DeleteFunc(slices.Clone(candidates), func(x candidate) bool { return used[x.test] })
		strays = append(strays, Stray{Folder: c.folder, Owner: c.owner, Like: likely(c, test, free)})
	}
	return strays
}

// Unlisted returns the strays among the cases of tests that exist, given the names of all
// properties of the package: cases of subtests and of named Checks that were renamed. A test
// without any property may have been skipped, so nothing is known about its cases.
func Unlisted(dir string, properties []string) (strays []Stray) {
	tests := map[string][]string{}
	for _, p := range properties {
		test, _ := top(p)
		tests[test] = append(tests[test], p)
	}
	all := stored(dir)
	owned := map[string]bool{}
	for _, c := range all {
		owned[c.owner] = true
	}
	for _, c := range all {
		test, _ := top(c.owner)
		if names := tests[test]; len(names) > 0 && !slices.Contains(names, c.owner) {
			free := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return owned[name] })
			strays = append(strays, Stray{Folder: c.folder, Owner: c.owner, Like: nearest(c.owner, free), Test: true})
		}
	}
	return strays
}
