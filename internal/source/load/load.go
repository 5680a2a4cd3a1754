// Package load finds out what the go command would build, and type-checks it.
//
//	p, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}})
//	for _, pkg := range p.Scope { ... } // syntax and types of each file
//
// The go command is asked once, with `go list -export`: it knows about build
// tags, vendoring, workspaces, replacements and test variants, and compiles
// what a package imports. Packages in scope are parsed and checked here,
// against that export data; so nothing outside the standard library is needed.
package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Config says what to load.
type Config struct {
	Dir      string   // where the go command is run
	Patterns []string // packages whose tests are wanted
	Scope    []string // more packages to rewrite, as patterns of import paths
	Flags    []string // for every go command: -tags, -race, -mod
	Env      []string
}

// Program is what a set of tests consists of.
type Program struct {
	Fset  *token.FileSet
	Scope []*Package // to be rewritten, each once, in the order of their paths
	Tests []string   // import paths of packages whose tests use the library
}

// Package is a package in scope. If it has tests, they are part of it; tests in
// a package of their own, p_test, are one more Package, with External set.
type Package struct {
	Path     string // as others import it, and as those who test it do
	Name     string
	Dir      string
	External bool
	Module   *Module // nil in the standard library
	Files    []*File
	Types    *types.Package
	Info     *types.Info
}

// Key is a name that no other package has. A folder may be called x_test, so it
// is not what the go command calls external tests.
func (p *Package) Key() string {
	if p.External {
		return p.Path + "!external"
	}
	return p.Path
}

// Module is where a package comes from.
type Module struct {
	Path, Version string // as it is required
	Main          bool
	Dir           string // where it lies, if it was replaced then the other one; empty when vendored
	GoMod         string // its go.mod, which for old modules the go command made up
	GoVersion     string // of the language: 1.21
}

// languageOldest is what the go command assumes of a module that does not say.
const languageOldest = "go1.16"

// language is the version of Go that a package is written in. It is empty in
// the standard library, which is written in the newest.
func (m *Module) language() string {
	switch {
	case m == nil:
		return ""
	case m.GoVersion == "":
		return languageOldest
	}
	return "go" + m.GoVersion
}

// File is one source file.
type File struct {
	Path string // absolute
	Src  []byte
	AST  *ast.File
	Test bool // a _test.go file
	Cgo  bool
}

// Func is a function with a body.
type Func struct {
	Pkg  *Package
	File *File
	Decl *ast.FuncDecl
	Obj  *types.Func
}

// Funcs gives every function in scope, in the order of the source.
func (p *Program) Funcs() iter.Seq[Func] {
	return func(yield func(Func) bool) {
		for _, pkg := range p.Scope {
			for _, f := range pkg.Files {
				for _, d := range f.AST.Decls {
					fd, ok := d.(*ast.FuncDecl)
					if !ok || fd.Body == nil {
						continue
					}
					obj, ok := pkg.Info.Defs[fd.Name].(*types.Func)
					if ok && !yield(Func{pkg, f, fd, obj}) {
						return
					}
				}
			}
		}
	}
}

// listed is what go list says about a package.
type listed struct {
	Dir, ImportPath, Name, ForTest, Export string
	Standard                               bool
	Module                                 *Module

	GoFiles, CgoFiles, Deps []string
	ImportMap               map[string]string
	Error                   *struct{ Pos, Err string }
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

const listFields = "-json=Dir,ImportPath,Name,ForTest,Export,Standard,Module,GoFiles,CgoFiles,Deps,ImportMap,Error"

// Packages loads a program.
func Packages(c Config) (*Program, error) {
	all, err := list(c)
	if err != nil {
		return nil, err
	}
	l := &loader{config: c, fset: token.NewFileSet(), export: map[string]string{}}
	for _, p := range all {
		l.export[p.ImportPath] = p.Export
	}
	chosen, err := choose(all, c)
	if err != nil {
		return nil, err
	}
	prog := &Program{Fset: l.fset}
	for _, p := range chosen {
		pkg, err := l.check(p)
		if err != nil {
			return nil, err
		}
		prog.Scope = append(prog.Scope, pkg)
	}
	for _, p := range all {
		if path, ok := strings.CutSuffix(p.ImportPath, ".test"); ok && p.uses(library) {
			prog.Tests = append(prog.Tests, path)
		}
	}
	slices.SortFunc(prog.Scope, func(a, b *Package) int { return strings.Compare(a.Key(), b.Key()) })
	return prog, nil
}

// uses reports whether a test binary is built from a package.
func (p *listed) uses(path string) bool {
	return slices.ContainsFunc(p.Deps, func(dep string) bool {
		dep, _, _ = strings.Cut(dep, " ")
		return dep == path
	})
}

func list(c Config) ([]*listed, error) {
	args := append([]string{"list", "-e", "-export", "-deps", "-test", listFields}, c.Flags...)
	cmd := exec.Command("go", append(append(args, "--"), c.Patterns...)...)
	cmd.Dir, cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	var all []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &listed{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil {
			return nil, fmt.Errorf("%s", strings.TrimPrefix(p.Error.Pos+": "+p.Error.Err, ": "))
		}
		all = append(all, p)
	}
}

type loader struct {
	config Config
	fset   *token.FileSet
	export map[string]string // import path, with variant -> file
}

// check parses and type-checks one package.
func (l *loader) check(p *listed) (*Package, error) {
	pkg := &Package{Path: p.path(), Name: p.Name, External: p.external(), Dir: p.Dir, Module: p.Module}
	if err := l.parse(pkg, p); err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, f := range pkg.Files {
		files = append(files, f.AST)
	}
	var first error
	conf := types.Config{
		FakeImportC: true,
		GoVersion:   p.Module.language(),
		Importer:    importer.ForCompiler(l.fset, "gc", l.lookup(p)),
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	pkg.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg.Types, _ = conf.Check(pkg.Key(), l.fset, files, pkg.Info)
	// What C declares is not known here. The compiler knows, and if it was
	// content then a type that is missing costs a probe at most.
	compiledCgo := len(p.CgoFiles) > 0 && p.Export != ""
	if first != nil && !compiledCgo {
		return nil, fmt.Errorf("type-check %s: %w", pkg.Path, first)
	}
	return pkg, nil
}

func (l *loader) parse(pkg *Package, p *listed) error {
	for i, name := range append(slices.Clip(p.GoFiles), p.CgoFiles...) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(l.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg.Files = append(pkg.Files, &File{Path: name, Src: src, AST: f, Test: strings.HasSuffix(name, "_test.go"), Cgo: i >= len(p.GoFiles)})
	}
	return nil
}

// lookup finds the export data of what p imports. The import map leads to the
// vendored copy, or to the variant of a package that was built for this test.
func (l *loader) lookup(p *listed) func(string) (io.ReadCloser, error) {
	return func(path string) (io.ReadCloser, error) {
		if mapped := p.ImportMap[path]; mapped != "" {
			path = mapped
		}
		file := l.export[path]
		if file == "" {
			return nil, fmt.Errorf("no export data for %s; does it compile?", path)
		}
		return os.Open(file)
	}
}
