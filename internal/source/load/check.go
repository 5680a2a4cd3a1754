//go:build go1.25

package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Check parses and type-checks the packages in scope. It leaves out packages with errors,
// and starts over without them: a package may be needed in another variant then.
func (l *Listing) Check() (*Program, error) {
	for {
		prog, failed, err := l.check()
		if err != nil {
			return nil, err
		}
		if len(failed) == 0 {
			prog.Broken = l.broken
			return prog, nil
		}
		l = l.without(failed)
	}
}

// check is Check without the second try. It returns the errors, by import path with variant.
func (l *Listing) check() (prog *Program, failed map[string]string, err error) {
	c := &checker{config: l.config, fset: token.NewFileSet(), units: map[string]*unit{}, exported: map[string]*types.Package{}}
	var order []*unit
	for _, p := range l.fromSource() {
		u := &unit{listed: p, chosen: slices.Contains(l.chosen, p), done: make(chan struct{})}
		c.units[p.ImportPath] = u
		order = append(order, u)
	}
	if failed, err = c.translateC(order); err != nil || len(failed) > 0 {
		return nil, failed, err
	}
	if failed, err = c.readExports(order); err != nil || len(failed) > 0 {
		return nil, failed, err
	}
	c.checkAll(order)
	if failed := c.failedUnits(order); len(failed) > 0 {
		return nil, failed, nil
	}
	prog = &Program{Fset: c.fset, Tests: l.tests(), Uses: l.using(), Named: l.named(), Built: map[string][]string{}, Beyond: l.beyond()}
	for _, test := range prog.Tests {
		prog.Built[test] = l.built(test)
	}
	for _, u := range order {
		if u.chosen {
			prog.Scope = append(prog.Scope, u.result)
		}
	}
	l.embeds(prog)
	slices.SortFunc(prog.Scope, func(a, b *Package) int { return strings.Compare(a.Key(), b.Key()) })
	return prog, nil, nil
}

// checker contains what is shared while the packages of a program are checked.
type checker struct {
	config   Config
	fset     *token.FileSet
	units    map[string]*unit          // by import path with variant, as in "p [p.test]"
	exported map[string]*types.Package // imported packages that are read from export data
	parsed   sync.Map                  // file -> *source: variants of a package share most files
}

// unit is one package, or one variant of a package, that is checked from source.
type unit struct {
	*listed
	chosen   bool     // function bodies are checked too, and information about them is recorded
	goFromC  []string // the Go files as cgo has translated them, if the package uses cgo
	implicit []string // packages that the translated files import

	types  *types.Package // what packages that import it see
	result *Package       // nil if the package was not chosen
	err    error
	done   chan struct{} // closed when the package has been checked
}

// translateC runs cgo, or makes the go command run it. Then packages that import a package with C
// code see the C types in its declarations. Test files may not use C, so the result for
// a package holds for its variants too. It returns the errors of packages whose C code does
// not compile.
func (c *checker) translateC(order []*unit) (failed map[string]string, err error) {
	var paths []string
	for _, u := range order {
		if len(u.CgoFiles) > 0 {
			paths = append(paths, u.path())
		}
	}
	if len(paths) == 0 || c.runCgo(order, paths) == nil {
		return nil, nil
	}
	type compiled struct {
		ImportPath               string
		CompiledGoFiles, Imports []string
		Error                    *listError
	}
	all, err := listSome[compiled](c.config, []string{"-e", "-compiled", "-json=ImportPath,CompiledGoFiles,Imports,Error"}, paths)
	if err != nil {
		return nil, err
	}
	failed = map[string]string{}
	for _, p := range all {
		for _, u := range order {
			if u.path() != p.ImportPath || len(u.CgoFiles) == 0 {
				continue
			}
			if p.Error != nil {
				failed[u.ImportPath] = p.Error.String()
				continue
			}
			tests := slices.DeleteFunc(slices.Clone(u.GoFiles), func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
			u.goFromC = append(slices.Clip(p.CompiledGoFiles), tests...)
			u.implicit = p.Imports
		}
	}
	return failed, nil
}

// readExports reads the types of imported packages that are not checked from source. It
// reads all of them before the first check. If export data were read later, it could
// change a package that another goroutine is using. It returns the errors of packages that
// do not compile.
func (c *checker) readExports(order []*unit) (failed map[string]string, err error) {
	var paths []string
	for _, u := range order {
		for _, path := range slices.Concat(u.Imports, u.implicit) {
			if c.units[path] == nil && path != "C" && path != "unsafe" {
				paths = append(paths, path)
			}
		}
	}
	type export struct {
		ImportPath, Export string
		Error              *listError
	}
	all, err := listSome[export](c.config, []string{"-e", "-export", "-json=ImportPath,Export,Error"}, paths)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	failed = map[string]string{}
	for _, p := range all {
		if files[p.ImportPath] = p.Export; p.Error != nil {
			failed[p.ImportPath] = p.Error.String()
		}
	}
	if len(failed) > 0 {
		return failed, nil
	}
	gc := importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, errors.New("no export data; does it compile?")
		}
		return os.Open(files[path])
	})
	for _, p := range all {
		if c.exported[p.ImportPath], err = gc.Import(p.ImportPath); err != nil {
			return nil, fmt.Errorf("read types of %s: %w", p.ImportPath, err)
		}
	}
	return nil, nil
}

// argumentsMax is the maximal number of paths in one command line. Windows limits a
// command line to 32 kB, so there is room for more than a hundred bytes per path.
const argumentsMax = 200

// listSome runs go list for the packages with these paths. A path that occurs twice is
// listed once.
func listSome[P any](c Config, args, paths []string) (all []*P, err error) {
	slices.Sort(paths)
	for some := range slices.Chunk(slices.Compact(paths), argumentsMax) {
		found, err := list[P](c, args, some)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkAll checks packages in parallel, one per processor. A check waits for the checks
// of imported packages. There is no deadlock, because each package is started after
// those it imports.
func (c *checker) checkAll(order []*unit) {
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, u := range order {
		free <- struct{}{}
		go func() {
			u.err = c.check(u)
			close(u.done)
			<-free
		}()
	}
	for _, u := range order {
		<-u.done
	}
}

// check parses and type-checks one package.
func (c *checker) check(u *unit) error {
	pkg := &Package{Path: u.path(), Name: u.Name, External: u.external(), Dir: u.Dir, Module: u.Module}
	if c.importsFailed(u) {
		return errImport
	}
	var err error
	if pkg.Files, err = c.files(u.listed); err != nil {
		return err
	}
	if u.chosen {
		pkg.Info = newInfo()
		u.result = pkg
	}
	var errs typeErrors
	pkg.Types, errs = c.types(u, trees(pkg.Files), pkg.Info)
	u.types = pkg.Types
	if len(u.CgoFiles) > 0 {
		fillTypes(pkg)
		// The original files do not declare the names from C, so errors in them do not
		// count. Only errors in the translated files count. If a type is missing in the
		// original files, at most a probe or a fact is lost.
		compiled := &listed{Dir: u.Dir, GoFiles: u.goFromC}
		files, err := c.files(compiled)
		if err != nil {
			return err
		}
		u.types, errs = c.types(u, trees(files), nil)
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// importsFailed reports whether a package that u imports has an error.
func (c *checker) importsFailed(u *unit) bool {
	return slices.ContainsFunc(u.Imports, func(path string) bool {
		dep := c.units[path]
		if dep != nil {
			<-dep.done
		}
		return dep != nil && dep.err != nil
	})
}

// types checks some files as one package and returns its errors.
func (c *checker) types(u *unit, files []*ast.File, info *types.Info) (pkg *types.Package, errs typeErrors) {
	conf := types.Config{
		FakeImportC:      true,
		IgnoreFuncBodies: !u.chosen,
		GoVersion:        u.Module.language(),
		Importer:         imports{c, u},
		Error:            func(err error) { errs = append(errs, err.(types.Error)) },
	}
	pkg, _ = conf.Check(u.key(), c.fset, files, info)
	return pkg, errs
}

// imports finds the packages that a package imports. The import map replaces a path by
// that of the vendored copy, or by the variant of the package that is built for this
// test.
type imports struct {
	*checker
	by *unit
}

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if mapped := i.by.ImportMap[path]; mapped != "" {
		path = mapped
	}
	if u := i.units[path]; u != nil {
		<-u.done
		if u.err != nil {
			return nil, u.err
		}
		return u.types, nil
	}
	if pkg := i.exported[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("no types for %s; does it compile?", path)
}

// source is a file that is read and parsed once.
type source struct {
	once sync.Once
	src  []byte
	ast  *ast.File
	err  error
}

func (c *checker) files(p *listed) (files []*File, err error) {
	for i, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		kept, _ := c.parsed.LoadOrStore(name, &source{})
		s := kept.(*source)
		s.once.Do(func() {
			if s.src, s.err = os.ReadFile(name); s.err == nil && !c.config.skips(name, s.src) {
				s.ast, s.err = parser.ParseFile(c.fset, name, s.src, parser.ParseComments|parser.SkipObjectResolution)
			}
		})
		if s.err != nil {
			return nil, s.err
		}
		if s.ast == nil {
			continue
		}
		files = append(files, &File{
			Path: name,
			Src:  s.src,
			AST:  s.ast,
			Test: strings.HasSuffix(name, "_test.go"),
			Cgo:  i >= len(p.GoFiles),
		})
	}
	return files, nil
}

func trees(files []*File) (all []*ast.File) {
	for _, f := range files {
		all = append(all, f.AST)
	}
	return all
}

// fillTypes gives each expression of a package without a type the invalid type. The type
// checker does not record expressions that contain names of C. So code that reads
// types only has to handle types.Invalid, and finds no nil.
func fillTypes(pkg *Package) {
	if pkg.Info == nil {
		return
	}
	for _, f := range pkg.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && pkg.Info.TypeOf(e) == nil {
				pkg.Info.Types[e] = types.TypeAndValue{Type: types.Typ[types.Invalid]}
			}
			return true
		})
	}
}

// newInfo returns maps for all information that rewriting and facts need.
func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Defs:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits:  map[ast.Node]types.Object{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}
