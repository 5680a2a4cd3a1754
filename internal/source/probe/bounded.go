//go:build go1.25

package probe

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A run is stopped when its number of hits reaches a limit. A loop that surely ends by
// itself needs no check of that limit, because loops and calls around it and inside it
// have their own checks. A check in a tight loop costs more than the probe.

// ends reports whether a range over x surely ends soon: x is a slice, array or string, a
// length, or a small constant. Other numbers may be large, and a map may grow during the loop.
func (p *Prober) ends(x ast.Expr) bool {
	tv := p.info.Types[x]
	if tv.Type == nil {
		return false
	}
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && p.info.Types[call.Fun].IsBuiltin() {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "len" {
			return true
		}
	}
	if tv.Value != nil && tv.Value.Kind() == constant.Int {
		n, small := constant.Int64Val(tv.Value)
		return small && n <= countMax
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

// counts reports whether a loop, such as for i := 0; i < len(x); i++, surely ends. It
// must count up to a constant or to the length of a variable, and its body must change
// neither the counter nor that variable.
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

// wide reports whether a variable is an integer so wide that it reaches any length
// before it overflows.
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

// local reports whether a name is a local variable. No other function can change it
// unless a closure captures it or its address is taken.
func (p *Prober) local(id *ast.Ident) bool {
	v, ok := p.info.Uses[id].(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

// changes holds the positions where code may change variables, in order.
type changes struct {
	of  map[types.Object][]token.Pos // a variable
	any []token.Pos                  // any variable: through a pointer or by a call of a function value
}

// assigns reports whether the body of a loop may change the variable a or the variable
// b; b may be nil.
func (p *Prober) assigns(n ast.Node, a, b types.Object) bool {
	if p.changed == nil {
		p.changed = p.changes(p.decl)
	}
	c := p.changed
	return within(n, c.any) || within(n, c.of[a]) || b != nil && within(n, c.of[b])
}

// changes finds what a declaration may change, including its closures. It is one pass
// for all loops of the declaration, because each loop contains the loops inside it.
func (p *Prober) changes(d ast.Node) *changes {
	c := &changes{of: map[types.Object][]token.Pos{}}
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.info.Uses[id] != nil {
			c.of[p.info.Uses[id]] = append(c.of[p.info.Uses[id]], id.NamePos)
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		p.visits++
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if _, through := ast.Unparen(e).(*ast.StarExpr); through { // the pointer may point to any variable
					c.any = append(c.any, n.TokPos)
				}
				note(e)
			}
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.SelectorExpr: // a method call may take the variable's address implicitly
			if sel := p.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				note(n.X)
			}
		case *ast.Ident: // a function value may be a closure that assigns to any variable
			if v, ok := p.info.Uses[n].(*types.Var); ok {
				if _, function := v.Type().Underlying().(*types.Signature); function {
					c.any = append(c.any, n.NamePos)
				}
			}
		}
		return true
	})
	slices.Sort(c.any)
	for _, all := range c.of {
		slices.Sort(all)
	}
	return c
}
