//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// nilErrors finds messages that quote an error that may be nil:
//
//	if n, err := read(); err != nil || n != want {
//		return fmt.Errorf("read %d: %w", n, err) // "read 3: %!w(<nil>)"
//	}
//
// Tests may do that, and functions that are given a test: what they print is read together with
// their source.
func nilErrors(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		if f.Test {
			continue
		}
		look := func(conditions []ast.Expr, body ...ast.Stmt) {
			for _, at := range quoted(conditions, body) {
				problems = append(problems, fmt.Sprintf("%s: the error that this message quotes may be nil; handle the two cases apart",
					tree.Fset.Position(at)))
			}
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				look([]ast.Expr{n.Cond}, n.Body.List...)
			case *ast.CaseClause:
				look(n.List, n.Body...)
			}
			return true
		})
	}
	return problems
}

// quoted returns where statements quote an error that only one of several conditions says is not nil.
func quoted(conditions []ast.Expr, body []ast.Stmt) (places []token.Pos) {
	var any []ast.Expr
	for _, c := range conditions {
		any = append(any, alternatives(c)...)
	}
	if len(any) < 2 {
		return nil
	}
	for _, c := range any {
		if b, ok := c.(*ast.BinaryExpr); ok && b.Op == token.NEQ && types.ExprString(b.Y) == "nil" {
			for _, s := range body {
				places = append(places, quotes(s, types.ExprString(b.X))...)
			}
		}
	}
	return places
}

// alternatives returns the operands of ||.
func alternatives(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return alternatives(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.LOR {
			return append(alternatives(e.X), alternatives(e.Y)...)
		}
	}
	return []ast.Expr{e}
}

// quotes returns the places where a statement, without the branches in it, formats an error.
func quotes(s ast.Stmt, err string) (places []token.Pos) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); !ok || !strings.HasSuffix(f.Sel.Name, "f") || types.ExprString(f.X) == "t" {
				return true
			}
			for _, a := range n.Args {
				if types.ExprString(a) == err {
					places = append(places, n.Pos())
				}
			}
		}
		return true
	})
	return places
}
