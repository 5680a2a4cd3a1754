//go:build go1.25

package worth

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// besideError returns the reason for another constant beside an error that is returned: return 0, err. Callers ignore it, by the
// convention of Go. A variable is something else: return n, err says how much was done before the error.
func besideError(p *Package, c Change) string {
	s, ok := c.Node.(*ast.ReturnStmt)
	if c.constant() {
		s, ok = p.parents[c.Node].(*ast.ReturnStmt)
	}
	if !ok || c.Operator != "return" && !c.constant() || len(s.Results) < 2 {
		return ""
	}
	last := len(s.Results) - 1
	if c.constant() {
		if s.Results[last] == c.Node {
			return ""
		}
	} else if !strings.HasSuffix(c.To, c.Source(s.Results[last].Pos(), s.Results[last].End())) {
		return "" // the error is changed
	}
	for _, x := range s.Results[:last] {
		if tv := p.info.Types[x]; tv.Value == nil && !tv.IsNil() {
			return ""
		}
	}
	if !isErrorFor(p, s, s.Results[last]) {
		return ""
	}
	return "a value beside an error"
}

// isErrorFor reports whether a result of a return statement is an error that is not nil, as far as that can be seen there: a new one,
// a variable of the package, or err in if err != nil { return 0, err }.
func isErrorFor(p *Package, s *ast.ReturnStmt, e ast.Expr) bool {
	e = ast.Unparen(e)
	if !isError(p, p.info.TypeOf(e)) {
		return false
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return p.makesError(e)
	case *ast.UnaryExpr:
		_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && literal
	case *ast.CompositeLit:
		return true
	case *ast.SelectorExpr:
		return isSentinel(p.info.Uses[e.Sel])
	case *ast.Ident:
		o, ok := p.info.Uses[e].(*types.Var)
		return isSentinel(o) || ok && p.isNotNil(s, o)
	}
	return false
}

// isSentinel reports whether an object is a variable of a package. Readers count the bytes before io.EOF, so that is none.
func isSentinel(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v != nil && v.Kind() == types.PackageVar && v.Name() != "EOF"
}

// isNotNil reports whether a statement is in the block of if x != nil, and nothing before it in the block assigns to x.
func (p *Package) isNotNil(s ast.Stmt, x *types.Var) bool {
	block, ok := p.parents[s].(*ast.BlockStmt)
	if !ok {
		return false
	}
	around, ok := p.parents[block].(*ast.IfStmt)
	if !ok || around.Body != block {
		return false
	}
	b, ok := ast.Unparen(around.Cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ || !p.info.Types[b.Y].IsNil() {
		return false
	}
	if id, ok := ast.Unparen(b.X).(*ast.Ident); !ok || p.info.Uses[id] != x {
		return false
	}
	return !slices.ContainsFunc(block.List[:slices.Index(block.List, s)], func(before ast.Stmt) bool { return p.assigns(before, x) })
}

// assigns reports whether a node assigns to a variable, or takes its address.
func (p *Package) assigns(n ast.Node, x *types.Var) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == x {
			u, unary := p.parents[id].(*ast.UnaryExpr)
			found = found || p.isTarget(id) || unary && u.Op == token.AND
		}
		return !found
	})
	return found
}
