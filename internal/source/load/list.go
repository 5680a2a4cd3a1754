//go:build go1.25

package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Listing lists the packages that a set of tests is built from, as reported by go
// list.
type Listing struct {
	config Config
	began  time.Time // just before go list was run
	all    []*listed // each package after those it imports
	chosen []*listed // packages to be rewritten
	broken []Broken  // packages that do not compile, which the other fields do not contain
}

// listed is a package as reported by go list.
type listed struct {
	Dir, ImportPath, Name, ForTest string
	Standard, DepOnly              bool
	Module                         *Module

	GoFiles, CgoFiles, HFiles []string
	SFiles, SysoFiles         []string
	CFiles, CXXFiles, MFiles  []string
	FFiles                    []string
	SwigFiles, SwigCXXFiles   []string
	EmbedFiles                []string // of a variant, also those of its tests
	EmbedPatterns             []string // of a variant, without those of its tests
	TestEmbedPatterns         []string
	XTestEmbedPatterns        []string
	Imports                   []string // including the variant, as in "p [p.test]"
	ImportMap                 map[string]string
	Error                     *listError
}

type listError struct {
	Pos, Err    string
	ImportStack []string
}

const listFields = "-json=Dir,ImportPath,Name,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,HFiles," +
	"SFiles,SysoFiles,CFiles,CXXFiles,MFiles,FFiles,SwigFiles,SwigCXXFiles," +
	"EmbedFiles,EmbedPatterns,TestEmbedPatterns,XTestEmbedPatterns,Imports,ImportMap,Error"

// List runs go list and chooses the packages in scope. It leaves out packages with errors
// and the packages that import them. With these flags, go list compiles nothing.
func List(c Config) (*Listing, error) {
	flags := []string{"-e", "-deps", "-test", listFields}
	if c.Main {
		flags = []string{"-e", "-deps", listFields}
	}
	if err := c.onlyPackages(); err != nil {
		return nil, err
	}
	began := time.Now()
	all, err := list[listed](c, flags, c.Patterns)
	if err != nil {
		return nil, err
	}
	l := &Listing{config: c, began: began, all: all}
	if failed := l.failedLists(); len(failed) > 0 {
		if l = l.without(failed); len(l.all) == 0 {
			return nil, BrokenError(l.broken)
		}
	}
	if c.Main {
		if err := l.oneMain(); err != nil {
			return nil, err
		}
	}
	l.chosen, err = choose(l.all, c)
	return l, err
}

// onlyPackages returns an error if a pattern is a file. The go command would make a package of the file
// alone, which has no import path. The files of a program may be its package.
func (c Config) onlyPackages() error {
	for _, pattern := range c.Patterns {
		file := pattern
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.Dir, file)
		}
		if info, err := os.Stat(file); c.Main || !strings.HasSuffix(pattern, ".go") || err != nil || info.IsDir() {
			continue
		}
		folder := filepath.ToSlash(filepath.Dir(pattern))
		if folder != "." && filepath.IsLocal(folder) {
			folder = "./" + folder
		}
		return fmt.Errorf("%s is a file; name its package instead: %s", pattern, folder)
	}
	return nil
}

// Len returns the number of packages in scope.
func (l *Listing) Len() int { return len(l.chosen) }

// list runs go list and decodes what it prints for each package.
func list[P any](c Config, args, patterns []string) (all []*P, err error) {
	out, err := c.Go(slices.Concat([]string{"list"}, args, c.Building(), []string{"--"}, patterns)...)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(P)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// Go runs the go command in the user's folder and returns what it prints.
func (c Config) Go(args ...string) ([]byte, error) {
	cmd := c.Command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s%s", args[0], err, bytes.TrimSpace(stderr.Bytes()), noCache(stderr.String()))
	}
	return out, nil
}

// noCache returns what to do if the go command has found no folder for its cache.
func noCache(stderr string) string {
	if !strings.Contains(stderr, "build cache is required, but could not be located") {
		return ""
	}
	return "\nset HOME to a folder that you can write to, or set GOCACHE and XDG_CACHE_HOME"
}

// skips reports whether a file must be left out.
func (c Config) skips(path string, src []byte) bool { return c.Skip != nil && c.Skip(path, src) }

// Command returns the go command, ready to run.
func (c Config) Command(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	if c.Show != nil {
		c.Show(cmd.Args)
	}
	return cmd
}

// path returns the import path without the variant: "p [p.test]" is p built for
// its own test.
func (p *listed) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	if p.external() {
		return p.ForTest
	}
	return path
}

// external reports whether p contains the external tests of a package, p_test.
func (p *listed) external() bool {
	return p.ForTest != "" && strings.HasPrefix(p.ImportPath, p.ForTest+"_test ")
}

// variant reports whether p is built for one test only, and so is not used elsewhere.
func (p *listed) variant() bool { return strings.Contains(p.ImportPath, " ") }

// tests returns the packages whose tests are loaded: those that use the library, or all.
func (l *Listing) tests() (paths []string) {
	switch {
	case l.config.Main:
		return l.named()
	case !l.config.All:
		return l.using()
	}
	for _, p := range l.all {
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// Sources returns the source files of the packages to be rewritten.
func Sources(l *Listing) (files []string) {
	for _, p := range l.chosen {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			files = append(files, filepath.Join(p.Dir, name))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Folder is the folder of a package. Module is the path of its module, if it has one.
type Folder struct{ Path, Dir, Module string }

// Folders returns the folders of the packages that Config.Patterns match, also of those that do
// not use the library.
func (l *Listing) Folders() (all []Folder) {
	for _, p := range l.all {
		if !p.DepOnly && !p.variant() && !strings.HasSuffix(p.ImportPath, ".test") {
			f := Folder{Path: p.ImportPath, Dir: p.Dir}
			if p.Module != nil {
				f.Module = p.Module.Path
			}
			all = append(all, f)
		}
	}
	return all
}

// Outside returns the packages that tests import from modules that are not in scope, without the
// library and the standard library.
func (l *Listing) Outside() (paths []string) {
	byName := map[string]*listed{}
	for _, p := range l.all {
		byName[p.ImportPath] = p
	}
	for _, p := range l.all {
		if p.ForTest == "" || p.path() != p.ForTest || p.DepOnly {
			continue
		}
		for _, name := range p.Imports {
			dep := byName[name]
			if dep == nil || dep.Standard || inScope(dep, l.config.Scope) || strings.HasPrefix(dep.path()+"/", Library+"/") {
				continue
			}
			if !slices.Contains(paths, dep.path()) {
				paths = append(paths, dep.path())
			}
		}
	}
	return paths
}

// named returns the packages that the patterns match.
func (l *Listing) named() (paths []string) {
	for _, f := range l.Folders() {
		paths = append(paths, f.Path)
	}
	return paths
}

// using returns the packages whose tests use the library.
func (l *Listing) using() (paths []string) {
	uses := l.reaching(func(p *listed) bool { return p.path() == Library })
	for _, p := range l.all {
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && uses[p.ImportPath] {
			paths = append(paths, path)
		}
	}
	return paths
}

// beyond returns the packages outside the scope that use the library, without the library.
func (l *Listing) beyond() map[string]bool {
	all := map[string]bool{}
	uses := l.reaching(func(p *listed) bool { return p.path() == Library })
	for _, p := range l.all {
		if uses[p.ImportPath] && !inScope(p, l.config.Scope) && !strings.HasPrefix(p.path()+"/", Library+"/") {
			all[p.path()] = true
		}
	}
	return all
}

// built returns the keys of the packages in scope that the tests of a package are built
// from.
func (l *Listing) built(test string) (keys []string) {
	needed := map[string]bool{test + ".test": !l.config.Main, test: l.config.Main}
	for _, p := range slices.Backward(l.all) {
		if !needed[p.ImportPath] {
			continue
		}
		for _, dep := range p.Imports {
			needed[dep] = true
		}
		if inScope(p, l.config.Scope) && !strings.HasSuffix(p.ImportPath, ".test") {
			keys = append(keys, p.key())
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Needed is a package that tests are built from.
type Needed struct {
	Path, Dir string
	Own       bool     // the package belongs to a main module, and is rewritten
	Files     []string // names of source files, including test files that are built
}

// Needs lists the packages that the tests of a package are built from, in the
// order of their paths. It includes the package itself and excludes the standard
// library.
func (l *Listing) Needs(test string) (all []Needed) {
	needed := map[string]bool{test + ".test": true}
	found := map[string]*Needed{}
	for _, p := range slices.Backward(l.all) {
		if !needed[p.ImportPath] {
			continue
		}
		for _, dep := range p.Imports {
			needed[dep] = true
		}
		if p.Standard || p.Dir == "" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		n := found[p.path()]
		if n == nil {
			n = &Needed{Path: p.path(), Dir: p.Dir, Own: p.Module != nil && p.Module.Main && keptOut(p) == ""}
			found[p.path()] = n
		}
		n.Files = slices.Concat(n.Files, p.GoFiles, p.CgoFiles)
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[path])
	}
	return all
}

// fromSource returns the packages to be checked from source, each after those it
// imports. These are the chosen packages, and the packages imported by them for which
// export data is not enough. There are two reasons. Export data refers to other
// packages by path alone. So a package that refers to a package in scope must be
// checked from source too, or the same type would exist twice. And a variant has export
// data only after the go command has compiled the test that the variant is for.
func (l *Listing) fromSource() []*listed {
	bound := l.reaching(func(p *listed) bool { return p.variant() || inScope(p, l.config.Scope) })
	needed := map[string]bool{}
	for _, p := range l.chosen {
		needed[p.ImportPath] = true
	}
	for _, p := range slices.Backward(l.all) {
		for _, dep := range p.Imports {
			needed[dep] = needed[dep] || needed[p.ImportPath] && bound[dep]
		}
	}
	return slices.DeleteFunc(slices.Clone(l.all), func(p *listed) bool { return !needed[p.ImportPath] })
}

// reaching returns the packages p for which is(p) is true, and all packages that import
// one of these, directly or indirectly.
func (l *Listing) reaching(is func(*listed) bool) map[string]bool {
	found := map[string]bool{}
	for _, p := range l.all {
		found[p.ImportPath] = is(p) || slices.ContainsFunc(p.Imports, func(dep string) bool { return found[dep] })
	}
	return found
}
