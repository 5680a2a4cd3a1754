//go:build go1.25

// Package load finds out what the go command would build, and type-checks it.
//
//	p, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}})
//	for _, pkg := range p.Scope { ... } // syntax and types of each file
//
// `go list` handles build tags, vendoring, workspaces, replacements and test variants
// (list.go). Packages in scope are those that will be rewritten. They are type-checked
// from source, each after the packages it imports (check.go). The types of other
// packages come from the compiler's export data. Export data is requested for these
// other packages only, because packages in scope are never compiled before they are
// rewritten.
//
// Callers that may reuse an earlier result take the two steps separately:
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

// Config describes what to load.
type Config struct {
	Dir      string   // where the go command is run
	Patterns []string // packages whose tests are loaded
	Scope    []string // patterns of import paths: packages to rewrite in addition to those of main modules
	Flags    []string // for every go command: -tags, -race, -mod; see Building
	Env      []string
	Show     func(command []string)             // called with each go command before it runs; may be nil
	Skip     func(path string, src []byte) bool // reports whether to leave out a file; may be nil
	All      bool                               // load all tests, not only those that use the library
	Main     bool                               // load a program instead: the one main package that Patterns match, without tests
}

// Packages loads a program. A package that does not compile is an error.
func Packages(c Config) (*Program, error) {
	l, err := List(c)
	if err != nil {
		return nil, err
	}
	prog, err := l.Check()
	if err == nil {
		err = BrokenError(prog.Broken)
	}
	return prog, err
}

// Program is the source of a set of tests.
type Program struct {
	Fset  *token.FileSet
	Scope []*Package // to be rewritten; each package once, ordered by path
	Tests []string   // import paths of packages whose tests use the library; or all with tests, with Config.All; or the main one
	Uses  []string   // those of Tests that use the library
	Named []string   // import paths of the packages that Config.Patterns match
	// Built lists, for each of Tests, the keys of the packages in scope that its binary is
	// built from.
	Built  map[string][]string
	Beyond map[string]bool // import paths of packages outside the scope that use the library
	Broken []Broken        // packages that are left out, because they do not compile
}

// Package is a package in scope, including its tests. External tests, p_test, are
// a Package of their own, with External set.
type Package struct {
	Path     string // import path; for external tests, that of the package they test
	Name     string
	Dir      string
	External bool
	Module   *Module // nil in the standard library
	Files    []*File
	Types    *types.Package
	Info     *types.Info
	Declined *Declined // why the package is not rewritten although it is in scope; nil if it is rewritten
}

// Key returns a name that no other package has. It differs from the name that the
// go command gives external tests, because a folder may be called x_test.
func (p *Package) Key() string {
	if p.External {
		return p.Path + "!external"
	}
	return p.Path
}

// Module is the module that a package comes from.
type Module struct {
	Path, Version string // as in the require directive
	Main          bool
	Dir           string // its folder, or that of its replacement; empty when vendored
	GoMod         string // its go.mod; for an old module without one, the go command generates it
	GoVersion     string // version of the language, such as 1.21
}

// languageOldest is the version that the go command assumes for a module without
// a go directive.
const languageOldest = "go1.16"

// language returns the version of Go that a package is written in. It is empty
// for the standard library, which uses the newest version.
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
	// Embedded is true if a package of the build embeds the file: then it must not be rewritten.
	Embedded bool
}

// Func is a function with a body.
type Func struct {
	Pkg  *Package
	File *File
	Decl *ast.FuncDecl
	Obj  *types.Func
}

// Funcs yields every function in scope, in the order of the source.
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
