package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/site"
)

// The branches hidden in && and || are told by probes in the expression:
//
//	a && b   becomes   a && (b || !hit(7))   hit if a is true and b is false
//	a || b   becomes   a || (b && hit(7))    hit if a is false and b is true
//
// With the outcome of the whole, which the branch on it tells, that is all there
// is to know about the parts. A probe in front of b would say as much, but is
// hit whenever b is evaluated: in a chain of comparisons that all fail, which is
// what scanners and parsers spend their time on, every time instead of never.
//
// Only plain bools can take one more operand, and only what is not constant.

// operands adds the probes of an expression or statement. An outer right operand
// begins before an inner one and ends behind it, so text goes in on the way
// down in front, and on the way up behind.
func (p *Prober) operands(n ast.Node) {
	var behind []func()
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			behind[len(behind)-1]()
			behind = behind[:len(behind)-1]
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		behind = append(behind, p.rightOperand(n))
		return true
	})
}

// rightOperand opens the probe of a right operand and gives what closes it. The
// operand of && or || is visited after the expression it is part of, so it is
// known by its position.
func (p *Prober) rightOperand(n ast.Node) (closes func()) {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || !p.hasProbe(b) {
		return func() {}
	}
	p.insert(b.Y.Pos(), "(")
	text := "||!%s(%d))"
	if b.Op == token.LOR {
		text = "&&%s(%d))"
	}
	id := p.number(place{site.Operand, b.Y.Pos(), b.Y.Pos(), b.Y.End()})
	return func() { p.insert(b.Y.End(), text, nameOperand, id) }
}

// hasProbe reports whether an expression is one of && and || that gets a probe.
func (p *Prober) hasProbe(n *ast.BinaryExpr) bool {
	if n.Op != token.LAND && n.Op != token.LOR {
		return false
	}
	for _, e := range []ast.Expr{n, n.X, n.Y} {
		tv, ok := p.info.Types[e]
		if !ok || tv.Value != nil {
			return false
		}
		b, ok := types.Unalias(tv.Type).(*types.Basic)
		if !ok || b.Kind() != types.Bool && b.Kind() != types.UntypedBool {
			return false
		}
	}
	return true
}

// probesOperands reports whether a node has operands that get a probe, which are
// calls.
func (p *Prober) probesOperands(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && p.hasProbe(b)
		return !found
	})
	return found
}

// classifies reports whether a body only says whether one number is of some kind,
// as isSpace and isDigit do: in line they cost next to nothing, with probes they
// would not be put in line, and their outcome tells what matters.
func (p *Prober) classifies(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	if _, ok := body.List[0].(*ast.ReturnStmt); !ok || p.dirty(body) {
		return false
	}
	var only *types.Var
	one := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			_, constant := p.info.Uses[n.Sel].(*types.Const)
			one = one && constant
			return false
		case *ast.FuncLit, *ast.CallExpr, *ast.IndexExpr, *ast.StarExpr:
			one = false
		case *ast.Ident:
			v, ok := p.info.Uses[n].(*types.Var)
			if !ok {
				break
			}
			b, ok := v.Type().Underlying().(*types.Basic)
			one = one && ok && b.Info()&types.IsNumeric != 0 && (only == nil || only == v)
			only = v
		}
		return one
	})
	return one
}

// condition instruments the condition of a branch, and reports whether a
// position kept in a local is still right where it is true and where it is
// false: in a && b no probe is hit if it is true, in a || b none if it is false.
func (w *walker) condition(e ast.Expr, clean bool) (ifTrue, ifFalse bool) {
	w.closures(e)
	w.operands(e)
	clean = clean && !w.dirty(e)
	ifTrue, ifFalse = w.untouched(e)
	return clean && ifTrue, clean && ifFalse
}

// untouched reports whether an expression hits no probe of its operands when it
// is true, and when it is false.
func (p *Prober) untouched(e ast.Expr) (ifTrue, ifFalse bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.untouched(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			ifFalse, ifTrue = p.untouched(e.X)
			return ifTrue, ifFalse
		}
	case *ast.BinaryExpr:
		if p.hasProbe(e) {
			xTrue, xFalse := p.untouched(e.X)
			yTrue, yFalse := p.untouched(e.Y)
			if e.Op == token.LAND {
				return xTrue && yTrue, false
			}
			return false, xFalse && yFalse
		}
	}
	quiet := !p.probesOperands(e)
	return quiet, quiet
}
