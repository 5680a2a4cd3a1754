//go:build go1.25

package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Enum is a type with the constants declared for it.
type Enum struct {
	Pos  token.Position
	Test bool // test files declare the type or the constants

	typ    *types.TypeName
	consts []*types.Const

	imported bool // the type belongs to an imported package outside of the program
}

// Type returns the name of the type as Go source.
func (e Enum) Type(n *Names) string { return n.object(e.typ) }

// Len returns the number of constants.
func (e Enum) Len() int { return len(e.consts) }

// Consts returns the names of the constants as Go source, separated by commas.
func (e Enum) Consts(n *Names) string {
	texts := make([]string, len(e.consts))
	for i, c := range e.consts {
		texts[i] = n.object(c)
	}
	return strings.Join(texts, ", ")
}

// Enums finds types for which a package declares two or more constants. The types are those
// of the package; for external tests, also those of the tested package. Constants in test
// files count for types that have no others, see sums.go.
func (x *Index) Enums(pkg *load.Package) (enums []Enum) {
	outside, inside := constants(pkg, sources(pkg)), constants(pkg, tests(pkg))
	add := func(t *types.TypeName, test bool, all []*types.Const) {
		if len(all) > 1 {
			enums = append(enums, Enum{Pos: x.at(t.Pos()), Test: test, typ: t, consts: all})
		}
	}
	for _, t := range declared(sources(pkg), pkg) {
		if name := known(t.Type()); len(outside[name]) > 0 {
			add(t, pkg.OnlyTests(), outside[name])
		} else {
			add(t, true, inside[name])
		}
	}
	for _, t := range declared(tests(pkg), pkg) {
		add(t, true, inside[known(t.Type())])
	}
	if tested := x.tested(pkg); tested != nil {
		theirs := constants(tested, tested.Files)
		for _, t := range declared(tested.Files, tested) {
			if name := known(t.Type()); len(theirs[name]) == 0 && t.Exported() {
				add(t, true, outside[name])
			}
		}
	}
	return enums
}

// constants lists the constants of named types that files of a package declare, by type.
func constants(pkg *load.Package, files []*load.File) map[string][]*types.Const {
	all := map[string][]*types.Const{}
	for _, f := range files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					if c, ok := pkg.Info.Defs[id].(*types.Const); ok && id.Name != "_" {
						all[known(c.Type())] = append(all[known(c.Type())], c)
					}
				}
			}
		}
	}
	delete(all, "") // constants of predeclared types
	return all
}

// sources returns the files that are the package for others: all files except test files,
// or all files if there are only test files.
func sources(pkg *load.Package) []*load.File {
	if pkg.OnlyTests() {
		return pkg.Files
	}
	return slices.DeleteFunc(slices.Clone(pkg.Files), func(f *load.File) bool { return f.Test })
}

// tests returns the test files of a package that also has other files.
func tests(pkg *load.Package) []*load.File {
	if pkg.OnlyTests() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(pkg.Files), func(f *load.File) bool { return !f.Test })
}

// tested returns the package that external tests test, or nil if pkg is no such package.
func (x *Index) tested(pkg *load.Package) *load.Package {
	i := slices.IndexFunc(x.prog.Scope, func(p *load.Package) bool { return pkg.External && p.Path == pkg.Path && !p.External })
	if i < 0 {
		return nil
	}
	return x.prog.Scope[i]
}

// declared lists the types that files of a package declare, in the order of the source.
func declared(files []*load.File, pkg *load.Package) (names []*types.TypeName) {
	for _, f := range files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				if t, ok := pkg.Info.Defs[spec.(*ast.TypeSpec).Name].(*types.TypeName); ok && !t.IsAlias() && t.Name() != "_" {
					names = append(names, t)
				}
			}
		}
	}
	return names
}

func generic(t *types.TypeName) bool {
	n, ok := t.Type().(*types.Named)
	return !ok || n.TypeParams().Len() > 0
}

// hasValues reports whether values of a type can be generated. Functions, channels and
// very large values cannot.
func hasValues(t *types.TypeName) bool {
	switch u := t.Type().Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Basic:
		return u.Kind() != types.Invalid // go/types lets a type of C implement every interface
	}
	return !large(t.Type())
}

// usesC reports whether a method of an interface has a parameter or result whose type
// depends on a type of C. To the type checker, all types of C are the same invalid type,
// so it cannot decide which types have this method.
func usesC(u *types.Interface) bool {
	for m := range u.Methods() {
		if strings.Contains(signature(m), invalidName) {
			return true
		}
	}
	return false
}

var invalidName = types.Typ[types.Invalid].Name()
