package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A loop that surely ends by itself needs no check of the limit: the loops and
// calls around it and in it have theirs. A check in a tight loop costs more than
// the probe.

// ends reports whether a range over x surely ends soon. It does for data in
// memory. It may not for a number, which may be large, or for a map, which may
// grow.
func (p *Prober) ends(x ast.Expr) bool {
	tv := p.info.Types[x]
	if tv.Type == nil {
		return false
	}
	t := tv.Type.Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// counts reports whether a loop counts up to a constant or to the length of a
// variable, and changes neither the counter nor that variable in its body: for i
// := 0; i < len(x); i++.
func (p *Prober) counts(s *ast.ForStmt) bool {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS && cond.Op != token.LEQ {
		return false
	}
	i, ok := cond.X.(*ast.Ident)
	if !ok || !p.wide(i) || !p.declares(s.Init, p.info.Uses[i]) || !p.steps(s.Post, p.info.Uses[i]) {
		return false
	}
	if v := p.info.Types[cond.Y].Value; v != nil {
		n, small := constant.Int64Val(constant.ToInt(v))
		return small && n <= countMax && !p.assigns(s.Body, p.info.Uses[i], nil)
	}
	length, ok := cond.Y.(*ast.CallExpr)
	if !ok || len(length.Args) != 1 || !p.info.Types[length.Fun].IsBuiltin() || !p.ends(length.Args[0]) {
		return false
	}
	x, ok := length.Args[0].(*ast.Ident)
	return ok && p.local(x) && !p.assigns(s.Body, p.info.Uses[i], p.info.Uses[x])
}

// wide reports whether a variable is an integer that does not overflow before it
// reaches any length.
func (p *Prober) wide(id *ast.Ident) bool {
	b, ok := p.info.TypeOf(id).Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Int64 || b.Kind() == types.Uint || b.Kind() == types.Uint64)
}

// declares reports whether a statement declares a variable, so that no earlier
// code can have taken its address.
func (p *Prober) declares(s ast.Stmt, v types.Object) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return false
	}
	for _, e := range a.Lhs {
		if id, ok := e.(*ast.Ident); ok && p.info.Defs[id] == v && v != nil {
			return true
		}
	}
	return false
}

// countMax is the largest constant that a loop may count to without a check.
const countMax = 1 << 16

// steps reports whether a statement increases a variable: i++, i += 2.
func (p *Prober) steps(s ast.Stmt, v types.Object) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		id, ok := s.X.(*ast.Ident)
		return ok && s.Tok == token.INC && p.info.Uses[id] == v
	case *ast.AssignStmt:
		if s.Tok != token.ADD_ASSIGN {
			return false
		}
		id, ok := s.Lhs[0].(*ast.Ident)
		by := p.info.Types[s.Rhs[0]].Value
		return ok && p.info.Uses[id] == v && by != nil && by.Kind() == constant.Int && constant.Sign(by) > 0
	}
	return false
}

// local reports whether a name is a local variable, which no other function can
// change unless the variable is captured or its address is taken.
func (p *Prober) local(id *ast.Ident) bool {
	v, ok := p.info.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

// assigns reports whether code may change one of two variables; b may be nil.
func (p *Prober) assigns(n ast.Node, a, b types.Object) (found bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && (p.info.Uses[id] == a || b != nil && p.info.Uses[id] == b)
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				_, through := ast.Unparen(e).(*ast.StarExpr) // it may point to one of the variables
				found = found || through || is(e)
			}
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SelectorExpr: // a method may take the address implicitly
			sel := p.info.Selections[n]
			found = found || sel != nil && sel.Kind() == types.MethodVal && is(n.X)
		case *ast.Ident: // a closure that was made before the loop may assign to it
			if v, ok := p.info.Uses[n].(*types.Var); ok {
				_, function := v.Type().Underlying().(*types.Signature)
				found = found || function
			}
		}
		return !found
	})
	return found
}
