package load

import (
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
)

// Compiled is the slow twin of Packages: the go command compiles every package
// and variant, and each package in scope is checked alone against export data.
// Packages share nothing, so nothing can be confused.
func Compiled(c Config) (*Program, error) {
	l, err := List(c)
	if err != nil {
		return nil, err
	}
	type export struct {
		ImportPath, Export string
		Error              *listError
	}
	all, err := list[export](c, []string{"-e", "-export", "-deps", "-test", "-json=ImportPath,Export,Error"}, c.Patterns)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		if p.Error != nil {
			return nil, errors.New(p.Error.Err)
		}
		exports[p.ImportPath] = p.Export
	}
	prog := &Program{Fset: token.NewFileSet(), Tests: l.tests()}
	for _, p := range l.chosen {
		pkg, err := checkCompiled(prog.Fset, p, exports)
		if err != nil {
			return nil, err
		}
		prog.Scope = append(prog.Scope, pkg)
	}
	slices.SortFunc(prog.Scope, func(a, b *Package) int { return strings.Compare(a.Key(), b.Key()) })
	return prog, nil
}

func checkCompiled(fset *token.FileSet, p *listed, exports map[string]string) (*Package, error) {
	files, err := (&checker{fset: fset}).files(p)
	if err != nil {
		return nil, err
	}
	pkg := &Package{Path: p.path(), Name: p.Name, External: p.external(), Dir: p.Dir, Module: p.Module, Files: files}
	pkg.Info = newInfo()
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped := p.ImportMap[path]; mapped != "" {
			path = mapped
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(exports[path])
	}
	var first error
	conf := types.Config{FakeImportC: true, GoVersion: p.Module.language(), Importer: importer.ForCompiler(fset, "gc", lookup), Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	pkg.Types, _ = conf.Check(pkg.Key(), fset, trees(files), pkg.Info)
	if len(p.CgoFiles) > 0 {
		fillTypes(pkg)
	}
	if first != nil && len(p.CgoFiles) == 0 {
		return nil, first
	}
	return pkg, nil
}
