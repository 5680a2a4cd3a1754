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
// a package of their own, p_test, are one more Package.
type Package struct {
	Path   string // as other packages import it; with _test for external tests
	Name   string
	Dir    string
	Module string // path of its module; empty in the standard library
	Files  []*File
	Types  *types.Package
	Info   *types.Info
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
	Standard, DepOnly, Incomplete          bool
	Module                                 *struct {
		Path string
		Main bool
	}
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports           []string
	ImportMap                                    map[string]string
	Error                                        *struct{ Pos, Err string }
}

const listFields = "-json=Dir,ImportPath,Name,ForTest,Export,Standard,DepOnly,Incomplete,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,ImportMap,Error"

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
	prog := &Program{Fset: l.fset}
	for _, p := range choose(all, c.Scope) {
		pkg, err := l.check(p)
		if err != nil {
			return nil, err
		}
		prog.Scope = append(prog.Scope, pkg)
	}
	for _, p := range all {
		if !p.DepOnly && p.ForTest == "" && p.uses(library) {
			prog.Tests = append(prog.Tests, p.ImportPath)
		}
	}
	slices.SortFunc(prog.Scope, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return prog, nil
}

// uses reports whether the tests of a package import another, by themselves or
// through the package they test.
func (p *listed) uses(path string) bool {
	for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
		if slices.Contains(imports, path) {
			return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		}
	}
	return false
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
		if p.Error != nil && !p.DepOnly {
			return nil, fmt.Errorf("%s: %s", p.Error.Pos, p.Error.Err)
		}
		all = append(all, p)
	}
}

// choose gives the packages to rewrite: those of the main module, and what the
// scope adds. Of the variants of a package the one with its tests is taken,
// since it has every file.
func choose(all []*listed, scope []string) []*listed {
	best := map[string]*listed{}
	for _, p := range all {
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if strings.HasSuffix(p.ImportPath, ".test") || len(p.GoFiles)+len(p.CgoFiles) == 0 || !inScope(p, path, scope) {
			continue
		}
		if old := best[path]; old == nil || old.ForTest == "" && p.ForTest == strings.TrimSuffix(path, "_test") {
			best[path] = p
		}
	}
	var chosen []*listed
	for _, p := range all {
		if path, _, _ := strings.Cut(p.ImportPath, " "); best[path] == p {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// library is never rewritten: it runs the property.
const library = "github.com/allele-go/allele"

func inScope(p *listed, path string, scope []string) bool {
	if path == library || strings.HasPrefix(path, library+"/") && !strings.HasPrefix(path, library+"/examples/") {
		return false
	}
	if p.Module != nil && p.Module.Main {
		return true
	}
	return slices.ContainsFunc(scope, func(pattern string) bool { return Match(pattern, path) })
}

// Match reports whether an import path matches a pattern: the path itself, or a
// path followed by /... for everything below it.
func Match(pattern, path string) bool {
	prefix, below := strings.CutSuffix(pattern, "/...")
	return path == prefix || below && strings.HasPrefix(path, prefix+"/") || pattern == "..."
}

type loader struct {
	config Config
	fset   *token.FileSet
	export map[string]string // import path, with variant -> file
}

// check parses and type-checks one package.
func (l *loader) check(p *listed) (*Package, error) {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	pkg := &Package{Path: path, Name: p.Name, Dir: p.Dir}
	if p.Module != nil {
		pkg.Module = p.Module.Path
	}
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
		Importer:    importer.ForCompiler(l.fset, "gc", l.lookup(p)),
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	pkg.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg.Types, _ = conf.Check(path, l.fset, files, pkg.Info)
	if first != nil {
		return nil, fmt.Errorf("type-check %s: %w", path, first)
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
