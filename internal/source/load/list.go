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
	"slices"
	"strings"
)

// Listing is what the go command says a set of tests is built from.
type Listing struct {
	config Config
	all    []*listed // each behind those it imports
	chosen []*listed // to be rewritten
}

// listed is a package as go list tells it.
type listed struct {
	Dir, ImportPath, Name, ForTest string
	Standard                       bool
	Module                         *Module

	GoFiles, CgoFiles, HFiles []string
	Imports                   []string // with the variant
	ImportMap                 map[string]string
	Error                     *listError
}

type listError struct{ Pos, Err string }

const listFields = "-json=Dir,ImportPath,Name,ForTest,Standard,Module,GoFiles,CgoFiles,HFiles,Imports,ImportMap,Error"

// List asks the go command, which compiles nothing for it, and chooses what is
// in scope.
func List(c Config) (*Listing, error) {
	all, err := list[listed](c, []string{"-e", "-deps", "-test", listFields}, c.Patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Error != nil {
			return nil, errors.New(strings.TrimPrefix(p.Error.Pos+": "+p.Error.Err, ": "))
		}
	}
	chosen, err := choose(all, c)
	return &Listing{config: c, all: all, chosen: chosen}, err
}

// Len is the number of packages in scope.
func (l *Listing) Len() int { return len(l.chosen) }

// list runs go list and reads what it says about each package.
func list[P any](c Config, args, patterns []string) (all []*P, err error) {
	out, err := c.Go(slices.Concat([]string{"list"}, args, c.Flags, []string{"--"}, patterns)...)
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

// Go runs the go command where the user did and gives what it prints.
func (c Config) Go(args ...string) ([]byte, error) {
	cmd := c.Command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// skips reports whether a file is left out.
func (c Config) skips(path string, src []byte) bool { return c.Skip != nil && c.Skip(path, src) }

// Command is the go command, ready to run.
func (c Config) Command(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	if c.Show != nil {
		c.Show(cmd.Args)
	}
	return cmd
}

// path is the import path without the variant: "p [p.test]" is p built for its
// own test.
func (p *listed) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	if p.external() {
		return p.ForTest
	}
	return path
}

// external reports whether it is the tests of a package in one of their own.
func (p *listed) external() bool {
	return p.ForTest != "" && strings.HasPrefix(p.ImportPath, p.ForTest+"_test ")
}

// variant reports whether it was built for one test and can be had nowhere else.
func (p *listed) variant() bool { return strings.Contains(p.ImportPath, " ") }

// tests are the packages whose tests use the library.
func (l *Listing) tests() (paths []string) {
	uses := l.reaching(func(p *listed) bool { return p.path() == library })
	for _, p := range l.all {
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && uses[p.ImportPath] {
			paths = append(paths, path)
		}
	}
	return paths
}

// Needed is a package that tests are built from.
type Needed struct {
	Path, Dir string
	Own       bool     // it is of a main module, and rewritten
	Files     []string // the source, with tests if they are built; their names
}

// Needs lists what the tests of a package are built from, themselves included and
// the standard library not, in the order of their paths.
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

// fromSource are the packages to be checked from source, each behind those it
// imports: the chosen ones, and what they import as far as export data would not
// do. That knows other packages by their path alone, so whatever refers to a
// package in scope must refer to the one checked here, or the same type would be
// two. A variant has export data only after the go command compiled the test
// that it is for.
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

// reaching finds the packages for which something holds, and those that import
// them, directly or not.
func (l *Listing) reaching(is func(*listed) bool) map[string]bool {
	found := map[string]bool{}
	for _, p := range l.all {
		found[p.ImportPath] = is(p) || slices.ContainsFunc(p.Imports, func(dep string) bool { return found[dep] })
	}
	return found
}
