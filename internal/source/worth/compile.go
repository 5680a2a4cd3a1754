//go:build go1.25

package worth

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Reasons why a change is not made.
const (
	Uncompiled = "change that the compiler rejects"
	Unvetted   = "change that go vet rejects"
)

// Rejected returns why the program would not be built and tested with a change of an expression, or "". What a change leaves
// unused is not asked: Keeps makes it used.
//
// The changed source is type-checked where it is. An expression is enough for that, since statements do not look at the value of a
// constant beyond its type: only operators, indices, and arguments of make and of conversions do.
func (p *Package) Rejected(c Change) string {
	e, ok := c.Node.(ast.Expr)
	switch {
	case !ok && p.dividesByZero(c.Node):
		return Uncompiled
	case !ok:
		return ""
	case c.constant() && !p.fits(e, c.To):
		return Uncompiled
	case c.constant() && p.losesFormat(e, c.To):
		return Unvetted
	}
	outer := p.outermost(e)
	if logical := hasLogic(outer); !logical && !(c.constant() && outer != e) && !p.hasConstant(e) {
		return ""
	}
	expr, info, err := p.check(outer, c.within(outer))
	switch {
	case err == nil && suspect(expr, info):
		return Unvetted
	case err != nil && p.valid(outer, c):
		return Uncompiled
	}
	return ""
}

// dividesByZero reports whether a statement multiplies by zero: another operator divides.
func (p *Package) dividesByZero(n ast.Node) bool {
	s, ok := n.(*ast.AssignStmt)
	if !ok || s.Tok != token.MUL_ASSIGN {
		return false
	}
	tv := p.info.Types[s.Rhs[0]]
	return tv.Value != nil && tv.Value.Kind() == constant.Int && constant.Sign(tv.Value) == 0
}

// fits reports whether a changed constant is a value of the type of the original one.
func (p *Package) fits(e ast.Expr, to string) bool {
	b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUntyped != 0 {
		return true
	}
	_, err := types.Eval(token.NewFileSet(), nil, token.NoPos, fmt.Sprintf("%s(%s)", types.Typ[b.Kind()].Name(), to))
	return err == nil
}

// outermost returns the largest expression around one in which the compiler or go vet computes with its value.
func (p *Package) outermost(e ast.Expr) ast.Expr {
	for {
		outer, ok := p.parents[e].(ast.Expr)
		if !ok {
			return e
		}
		switch x := outer.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr, *ast.ParenExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr:
		case *ast.CallExpr:
			if tv := p.info.Types[x.Fun]; x.Fun == e || !tv.IsType() && !tv.IsBuiltin() {
				return e
			}
		default:
			return e
		}
		e = outer
	}
}

// hasConstant reports whether an operand is constant: another operator may divide by zero.
func (p *Package) hasConstant(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && (p.info.Types[b.X].Value != nil || p.info.Types[b.Y].Value != nil)
}

// check parses and type-checks an expression that replaces another one.
func (p *Package) check(at ast.Expr, text string) (ast.Expr, *types.Info, error) {
	e, err := parser.ParseExpr("(" + text + ")")
	if err != nil {
		return nil, nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	return e, info, types.CheckExpr(p.fset, p.types, at.Pos(), e, info)
}

// valid reports whether the original expression can be checked alone: an error in the changed one is due to the change then.
func (p *Package) valid(e ast.Expr, c Change) bool {
	_, _, err := p.check(e, c.Source(e.Pos(), e.End()))
	return err == nil
}

// Keeps returns statements that use what nothing else uses if a node is removed, or "". Local variables are assigned to
// the blank identifier. An import may have nothing that can be, so the whole statement stays, and is never executed.
func (p *Package) Keeps(n ast.Node, statement string) string {
	lost, names, imports := map[types.Object]int{}, []string(nil), false
	ast.Inspect(n, func(m ast.Node) bool {
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		o := p.info.Uses[id]
		if o == nil || !mustBeRead(o) || n.Pos() <= o.Pos() && o.Pos() < n.End() || p.isTarget(id) {
			return true
		}
		if lost[o]++; lost[o] == p.reads[o] {
			_, pkg := o.(*types.PkgName)
			imports = imports || pkg
			names = append(names, id.Name)
		}
		return true
	})
	switch {
	case len(names) == 0:
		return ""
	case imports:
		return "if false { " + statement + " }"
	}
	return strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ")
}
