//go:build go1.25

package change

import (
	"go/ast"
	"go/token"
)

// declared returns the names that a declaration of constants, variables or types declares.
func declared(specs []ast.Spec) (names []string) {
	for _, spec := range specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// plainVariable reports whether the initialiser of a variable calls nothing that could do more than compute a value. Then
// a change of it matters only to code that mentions the variable.
func plainVariable(spec ast.Spec) bool {
	s, ok := spec.(*ast.ValueSpec)
	if !ok {
		return false
	}
	for _, v := range s.Values {
		if !plainValue(v) {
			return false
		}
	}
	return true
}

func plainValue(x ast.Expr) (plain bool) {
	plain = true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			plain = plain && pureCall(n)
		case *ast.FuncLit, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			plain = false
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW
		}
		return plain
	})
	return plain
}

// pureCalls lists functions that only make a value of a literal.
var pureCalls = map[string]string{"errors": "New", "regexp": "MustCompile"}

// pureCall reports whether a call is one of pureCalls with a literal.
func pureCall(c *ast.CallExpr) bool {
	f, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) != 1 {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	_, literal := c.Args[0].(*ast.BasicLit)
	return ok && literal && pureCalls[pkg.Name] == f.Sel.Name && f.Sel.Name != ""
}
