//go:build go1.25

// Package facts reads from the source what a program cannot find out about itself
// at run time.
//
// Three kinds of facts help to generate inputs: which values a type has (variants of
// interfaces, constants), how the package itself makes such values (builders), and what
// its code looks for in them (literals, constants of fields, patterns).
//
//	names := facts.Tests(prog, "example.com/tree") // tests that may call Check
//	x := facts.NewIndex(prog)
//	builders, rejected := x.Builders(pkg) // rejected functions have a reason
//	shapes := x.Patterns(pkg)
//
// Facts are written as Go code, in a file that is added to the package or in a test
// file that the user keeps. The type Names writes facts for a particular file. If a
// fact needs a name that cannot be used in that file, such as an unexported one, the
// fact is left out.
package facts

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// check is the function that tests with properties call.
const check = "github.com/allele-go/allele.Check"

// Tests returns the test functions of a package that may call Check, directly or
// indirectly, including its external tests. It follows functions, package variables,
// and methods of interfaces; a call of an interface's method may reach any method of
// that name. To find the properties of the package, only these tests need to run.
func Tests(prog *load.Program, path string) (found []string) {
	for _, pkg := range prog.Scope {
		if pkg.Path == path {
			found = append(found, testsOf(prog, pkg)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// testsOf is like Tests, but only for the files of pkg: a package without its external
// tests, or the external tests alone.
func testsOf(prog *load.Program, pkg *load.Package) (found []string) {
	uses := map[string][]string{} // what each function or variable refers to, by full name
	tests := map[string]string{}  // full name -> name
	for f := range prog.Funcs() {
		name := f.Obj.FullName()
		uses[name] = append(uses[name], mentions(f.Pkg.Info, f.Decl.Body)...)
		if f.Decl.Recv != nil {
			uses[anyMethod+f.Decl.Name.Name] = append(uses[anyMethod+f.Decl.Name.Name], name)
		}
		if f.Pkg == pkg && f.File.Test && f.Decl.Recv == nil && isTest(f.Decl.Name.Name) {
			tests[name] = f.Decl.Name.Name
		}
	}
	for _, pkg := range prog.Scope {
		variables(pkg, uses)
	}
	for full, name := range tests {
		if reaches(uses, full, map[string]bool{}) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// anyMethod is a prefix. Followed by the name of a method, it stands for all methods of
// that name, whatever their type.
const anyMethod = "method "

func variable(v *types.Var) string { return "var " + v.Pkg().Path() + "." + v.Name() }

// variables records in uses what the initial values of package variables refer to.
func variables(pkg *load.Package, uses map[string][]string) {
	for _, f := range pkg.Files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, id := range spec.Names {
					v, ok := pkg.Info.Defs[id].(*types.Var)
					if !ok {
						continue
					}
					for _, e := range spec.Values {
						uses[variable(v)] = append(uses[variable(v)], mentions(pkg.Info, e)...)
					}
				}
			}
		}
	}
}

func isTest(name string) bool { return strings.HasPrefix(name, "Test") && name != "TestMain" }

// mentions lists the functions and package variables that a body refers to. A function
// that is only passed as an argument counts too, because the callee may call it.
func mentions(info *types.Info, body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := info.Uses[id].(type) {
			case *types.Func:
				names = append(names, o.Origin().FullName())
				if r := o.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
					names = append(names, anyMethod+o.Name())
				}
			case *types.Var:
				if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
					names = append(names, variable(o))
				}
			}
		}
		return true
	})
	return names
}

func reaches(uses map[string][]string, from string, seen map[string]bool) bool {
	if from == check {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(uses[from], func(to string) bool { return reaches(uses, to, seen) })
}
