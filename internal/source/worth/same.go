//go:build go1.25

package worth

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// sameResult is the reason of a change that changes nothing.
const sameResult = "both cases give the same result if the operands are equal"

// same returns the reason for a boundary between two cases that are the same there: if a > b { return a }; return b. It
// looks only at whole numbers and strings, because 0 and -0 are equal and differ.
func same(p *Package, c Change) string {
	e, ok := c.Node.(*ast.BinaryExpr)
	if !ok || c.Operator != "boundary" || !isExact(p, e.X) {
		return ""
	}
	if sorts(p, e) {
		return "the order of equal elements"
	}
	s, ok := p.parents[e].(*ast.IfStmt)
	if !ok || s.Cond != e || s.Init != nil || len(s.Body.List) != 1 || !plain(p, e.X) || !plain(p, e.Y) {
		return ""
	}
	if skipsNothing(p, e, s) {
		return "a case that does nothing for an empty list"
	}
	x, y := ast.Unparen(e.X), ast.Unparen(e.Y)
	var one, other ast.Expr
	switch then := s.Body.List[0].(type) {
	case *ast.AssignStmt:
		one, other = assigned(p, then, s.Else)
	case *ast.ReturnStmt:
		one, other = returned(p, then, s)
	}
	if one == nil || other == nil || !equalAt(p, one, other, x, y) {
		return ""
	}
	return sameResult
}

// isExact reports whether values of a type that are equal are the same.
func isExact(p *Package, e ast.Expr) bool {
	b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// plain reports whether an operand has no effects.
func plain(p *Package, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return plain(p, e.X)
	case *ast.IndexExpr: // an assignment may add an element to a map
		_, isMap := p.info.TypeOf(e.X).Underlying().(*types.Map)
		return !isMap && plain(p, e.X) && plain(p, e.Index)
	case *ast.UnaryExpr:
		return e.Op == token.SUB && plain(p, e.X)
	case *ast.CallExpr:
		return p.builtin(e) == "len" && plain(p, e.Args[0])
	}
	return false
}

// assigned returns the values of a variable after the two cases of if a > b { x = a } else { x = b }. Without else, the other
// value is the variable.
func assigned(p *Package, then *ast.AssignStmt, or ast.Stmt) (one, other ast.Expr) {
	if then.Tok != token.ASSIGN || len(then.Lhs) != 1 || len(then.Rhs) != 1 {
		return nil, nil
	}
	if or == nil {
		return then.Rhs[0], then.Lhs[0]
	}
	block, ok := or.(*ast.BlockStmt)
	if !ok || len(block.List) != 1 {
		return nil, nil
	}
	s, ok := block.List[0].(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || types.ExprString(s.Lhs[0]) != types.ExprString(then.Lhs[0]) {
		return nil, nil
	}
	return then.Rhs[0], s.Rhs[0]
}

// returned returns the results of the two cases of if a > b { return a }; return b.
func returned(p *Package, then *ast.ReturnStmt, s *ast.IfStmt) (one, other ast.Expr) {
	var next ast.Stmt
	switch around := p.parents[s].(type) {
	case *ast.BlockStmt:
		next = after(around.List, s)
	case *ast.CaseClause:
		next = after(around.Body, s)
	}
	if block, ok := s.Else.(*ast.BlockStmt); ok && len(block.List) == 1 {
		next = block.List[0]
	} else if s.Else != nil {
		return nil, nil
	}
	r, ok := next.(*ast.ReturnStmt)
	if !ok || len(then.Results) != 1 || len(r.Results) != 1 {
		return nil, nil
	}
	return then.Results[0], r.Results[0]
}

func after(list []ast.Stmt, s ast.Stmt) ast.Stmt {
	for i, t := range list[:max(0, len(list)-1)] {
		if t == s {
			return list[i+1]
		}
	}
	return nil
}

// equalAt reports whether two values are the same if x is y: they are x and y, or x and -x where y is 0.
func equalAt(p *Package, one, other, x, y ast.Expr) bool {
	a, b := types.ExprString(ast.Unparen(one)), types.ExprString(ast.Unparen(other))
	l, r := types.ExprString(x), types.ExprString(y)
	if a == l && b == r || a == r && b == l {
		return true
	}
	v := p.info.Types[y].Value
	if v == nil || v.Kind() != constant.Int || constant.Sign(v) != 0 {
		return false
	}
	return a == l && b == "-"+l || a == "-"+l && b == l
}

// skipsNothing reports whether a condition is len(x) > 0, and what follows does nothing for an empty x.
func skipsNothing(p *Package, e *ast.BinaryExpr, s *ast.IfStmt) bool {
	call, ok := e.X.(*ast.CallExpr)
	v := p.info.Types[e.Y].Value
	if !ok || e.Op != token.GTR || s.Else != nil || p.builtin(call) != "len" || v == nil || constant.Sign(v) != 0 {
		return false
	}
	list := types.ExprString(call.Args[0])
	switch body := s.Body.List[0].(type) {
	case *ast.RangeStmt:
		return types.ExprString(body.X) == list && (body.Key == nil || body.Tok == token.DEFINE)
	case *ast.AssignStmt: // y = append(y, x...)
		if len(body.Rhs) != 1 || body.Tok != token.ASSIGN {
			return false
		}
		add, ok := body.Rhs[0].(*ast.CallExpr)
		return ok && p.builtin(add) == "append" && len(add.Args) == 2 && add.Ellipsis.IsValid() &&
			types.ExprString(add.Args[1]) == list && types.ExprString(add.Args[0]) == types.ExprString(body.Lhs[0])
	}
	return false
}

// sorts reports whether a comparison is the result of a function that sort.Slice sorts by: the order of equal elements is open.
func sorts(p *Package, e *ast.BinaryExpr) bool {
	r, ok := p.parents[e].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	body := p.parents[r]
	lit, ok := p.parents[body].(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 {
		return false
	}
	call, i := p.argument(lit)
	return call != nil && i == 1 && calls(p, call, "sort.Slice")
}
