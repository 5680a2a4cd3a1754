// Package load finds out what the go command would build, and type-checks it.
//
//	p, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}})
//	for _, pkg := range p.Scope { ... } // syntax and types of each file
//
// `go list` knows about build tags, vendoring, workspaces, replacements and test
// variants (list.go). Packages in scope are checked from source, each after those
// it imports (check.go). Packages around them come from the export data that the
// compiler wrote; the go command is asked for those alone, because the others
// will be compiled once they are rewritten, and never as they are.
//
// Both steps may be done apart, by those who know the result from last time:
//
//	l, err := load.List(config)
//	prog, err := l.Check()
package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
)

// Config says what to load.
type Config struct {
	Dir      string   // where the go command is run
	Patterns []string // packages whose tests are wanted
	Scope    []string // more packages to rewrite, as patterns of import paths
	Flags    []string // for every go command: -tags, -race, -mod
	Env      []string
	Show     func(command []string)             // nil, or told each go command before it runs
	Skip     func(path string, src []byte) bool // nil, or reports files in scope to leave out
}

// Packages loads a program.
func Packages(c Config) (*Program, error) {
	l, err := List(c)
	if err != nil {
		return nil, err
	}
	return l.Check()
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
