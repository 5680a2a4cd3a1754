package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Sum is an interface with its variants: the types of values that it can contain.
// Variants contains an expression for the zero value of each, which compiles in the
// package of the interface.
type Sum struct {
	Interface string
	Variants  []string
	Pos       token.Position

	iface *types.TypeName
	types []types.Type
	has   map[string]bool // the variants, by variantName
}

// Enum is a type with the constants declared for it.
type Enum struct {
	Type   string
	Consts []string
	Pos    token.Position

	consts []*types.Const
}

// Sums finds the interfaces of a package whose variants are known. These are interfaces
// with an unexported method, which no other package can implement, and interfaces that
// no other package in scope implements. A type in a test file counts as a test double,
// not as a variant.
func Sums(prog *load.Program, pkg *load.Package) []Sum {
	var sums []Sum
	for _, iface := range declared(pkg) {
		u, ok := iface.Type().Underlying().(*types.Interface)
		if !ok || !u.IsMethodSet() || u.NumMethods() == 0 || generic(iface) || usesC(u) {
			continue
		}
		if !sealed(u) && implementedElsewhere(prog, pkg, u) {
			continue
		}
		s := Sum{Interface: iface.Name(), Pos: prog.Fset.Position(iface.Pos()), iface: iface, has: map[string]bool{}}
		for _, t := range declared(pkg) {
			if t == iface || types.IsInterface(t.Type()) || generic(t) || !hasValues(t) {
				continue
			}
			switch pointer := types.NewPointer(t.Type()); {
			case types.Implements(t.Type(), u):
				s.add(zero(t.Name()), t.Type())
			case types.Implements(pointer, u):
				s.add("(*"+t.Name()+")(nil)", pointer)
			}
		}
		if len(s.Variants) > 0 {
			sums = append(sums, s)
		}
	}
	return sums
}

func (s *Sum) add(text string, t types.Type) {
	s.Variants = append(s.Variants, text)
	s.types = append(s.types, t)
	s.has[variantName(t)] = true
}

// Enums finds types of a package for which it declares two or more constants.
func Enums(prog *load.Program, pkg *load.Package) []Enum {
	consts := map[string][]*types.Const{}
	for _, f := range sources(pkg) {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					if name := constType(pkg, id); name != "" {
						consts[name] = append(consts[name], pkg.Info.Defs[id].(*types.Const))
					}
				}
			}
		}
	}
	var enums []Enum
	for _, t := range declared(pkg) {
		all := consts[t.Name()]
		if len(all) < 2 {
			continue
		}
		e := Enum{Type: t.Name(), Pos: prog.Fset.Position(t.Pos()), consts: all}
		for _, c := range all {
			e.Consts = append(e.Consts, c.Name())
		}
		enums = append(enums, e)
	}
	return enums
}

// constType returns the name of a constant's type, or "" if the package does not
// declare the type.
func constType(pkg *load.Package, id *ast.Ident) string {
	c, ok := pkg.Info.Defs[id].(*types.Const)
	if !ok || id.Name == "_" {
		return ""
	}
	n, ok := types.Unalias(c.Type()).(*types.Named)
	if !ok || n.Obj().Pkg() != pkg.Types {
		return ""
	}
	return n.Obj().Name()
}

// sources returns the files whose declarations count: all files except test files, or
// all files if there are only test files.
func sources(pkg *load.Package) []*load.File {
	files := slices.DeleteFunc(slices.Clone(pkg.Files), func(f *load.File) bool { return f.Test })
	if len(files) == 0 {
		return pkg.Files
	}
	return files
}

// declared lists the types of a package in the order of the source.
func declared(pkg *load.Package) (names []*types.TypeName) {
	for _, f := range sources(pkg) {
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

// sealed reports whether only this package can implement the interface.
func sealed(u *types.Interface) bool {
	for m := range u.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
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

// zero returns an expression for the zero value of a type. It does not use new,
// because a package may declare a function of that name.
func zero(name string) string { return "func() (x " + name + ") { return }()" }

// implementedElsewhere reports whether a type of another package in scope implements an
// interface. It compares methods by their names and by the text of their types. It
// cannot compare the types themselves: a package and its variant for tests are
// type-checked separately, so their types are not identical.
func implementedElsewhere(prog *load.Program, home *load.Package, u *types.Interface) bool {
	for _, pkg := range prog.Scope {
		if pkg.Path == home.Path {
			continue
		}
		for _, t := range declared(pkg) {
			if types.IsInterface(t.Type()) || generic(t) {
				continue
			}
			if hasMethods(types.NewMethodSet(types.NewPointer(t.Type())), u) {
				return true
			}
		}
	}
	return false
}

func hasMethods(set *types.MethodSet, u *types.Interface) bool {
	for want := range u.Methods() {
		found := false
		for i := range set.Len() {
			m := set.At(i).Obj()
			found = found || m.Name() == want.Name() && signature(m) == signature(want)
		}
		if !found {
			return false
		}
	}
	return true
}

// signature returns the types of a method's parameters and results as text, without
// names.
func signature(m types.Object) string {
	s := m.Type().(*types.Signature)
	var b strings.Builder
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		b.WriteString("(")
		for v := range tuple.Variables() {
			b.WriteString(types.TypeString(v.Type(), nil) + ",")
		}
		b.WriteString(")")
	}
	return b.String()
}
