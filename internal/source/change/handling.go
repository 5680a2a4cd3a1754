//go:build go1.25

package change

import (
	"go/ast"
	"go/token"
	"slices"
)

// Tests share the variables of packages: what one test leaves there, another one reads, and no function that runs says so. A
// variable counts as shared unless the source shows that nothing changes it.

// handling is how a unit handles variables, by all names in the expressions: pkg.Table[0].n = 1 writes pkg, Table and n.
type handling struct {
	written map[string]bool // assigned to, or their address is taken
	passed  map[string]bool // given to a function or another variable, or one of their methods is called
}

func handles(n ast.Node) handling {
	h := handling{map[string]bool{}, map[string]bool{}}
	pass := func(list ...ast.Expr) {
		for _, x := range list {
			chain(x, h.passed)
		}
	}
	write := func(list ...ast.Expr) {
		for _, x := range list {
			chain(x, h.written)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				write(n.Lhs...)
			}
			pass(n.Rhs...)
		case *ast.IncDecStmt:
			write(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				write(n.Key, n.Value)
			}
			pass(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				write(n.X)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); !ok || id.Name != "len" && id.Name != "cap" {
				pass(n.Args...)
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				pass(s.X)
			}
		case *ast.SelectorExpr: // a method value
			pass(n.X)
		case *ast.ReturnStmt:
			pass(n.Results...)
		case *ast.CompositeLit:
			pass(n.Elts...)
		case *ast.KeyValueExpr:
			pass(n.Value)
		case *ast.SendStmt:
			pass(n.Chan, n.Value)
		case *ast.ValueSpec:
			pass(n.Values...)
		}
		return true
	})
	return h
}

// chain adds the names of x.y[i].z.
func chain(x ast.Expr, to map[string]bool) {
	for {
		switch e := x.(type) {
		case *ast.Ident:
			to[e.Name] = true
			return
		case *ast.SelectorExpr:
			to[e.Sel.Name] = true
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.TypeAssertExpr:
			x = e.X
		default:
			return
		}
	}
}

// solid reports whether the value of a variable cannot be changed without an assignment to the variable: a number, a text, or an
// object without methods that change it.
func solid(spec ast.Spec) bool {
	s, ok := spec.(*ast.ValueSpec)
	if !ok {
		return false
	}
	for _, v := range s.Values {
		if !solidValue(v) {
			return false
		}
	}
	id, ok := s.Type.(*ast.Ident)
	return len(s.Values) == len(s.Names) || ok && slices.Contains(solidTypes, id.Name)
}

var solidTypes = []string{"bool", "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
	"byte", "rune", "uintptr", "float32", "float64"}

func solidValue(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Name == "true" || x.Name == "false"
	case *ast.UnaryExpr:
		return x.Op != token.AND && x.Op != token.ARROW && solidValue(x.X)
	case *ast.BinaryExpr:
		return solidValue(x.X) && solidValue(x.Y)
	case *ast.ParenExpr:
		return solidValue(x.X)
	case *ast.CallExpr:
		return pureCall(x)
	}
	return false
}
